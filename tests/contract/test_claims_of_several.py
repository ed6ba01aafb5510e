"""A claim that rests on messages of several goes with its author, but for what others say too."""

from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID

import pytest

from memory.model.forgetting import Kind
from memory.model.messages import MessageId
from memory.model.people import PersonId
from memory.model.statements import MemoryType
from memory.rules.forgetting.selector import Selector
from memory.storage.sqlite.rows import json_list
from tests.cast import PLATFORM
from tests.forgotten import RUNNER, Household, dump, household
from tests.storage import open_truth

OSLO = "Léa habite à Oslo"


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[Household]:
    """David, Léa, Mickael and Zoé, with new tables."""
    async with open_truth(tmp_path) as opened:
        yield await household(opened, "David", "Léa", "Mickael", "Zoé")


async def claim(home: Household, *messages: MessageId, content: str = OSLO) -> UUID:
    """What David says of Léa, by these messages of his and of others."""
    stored = await home.learns(
        content,
        *messages,
        said_by="David",
        about_person=home.people["Léa"].id,
        subjects=("Léa", "Oslo"),
    )
    await home.storage.indexer.settle()
    return stored


async def forgets(home: Household, name: str) -> None:
    """Somebody has all that they said forgotten."""
    await home.forget.at_once(Selector(person=home.people[name].id), home.asks(name))
    await home.storage.indexer.settle()


async def claims(home: Household) -> list[tuple[str, str]]:
    """What is recalled, with the name of its author, told by who that is."""
    rows = await home.storage.database.all(
        "SELECT m.content, m.said_by, p.name FROM active_memories AS m"
        " JOIN people AS p ON p.id = m.author_id"
    )
    assert all(row["said_by"] == row["name"] for row in rows)
    assert sorted(row["content"] for row in rows) == await home.contents()
    return [(row["content"], row["name"]) for row in rows]


@pytest.mark.parametrize(
    "other",
    [
        "où habite Léa ?",
        "Léa habite à Oslo ?",
        "ah bon, Oslo",
        "non, Léa n'habite pas à Oslo",
        "il dit que Léa habite à Oslo",
        "peut-être que Léa habite à Oslo",
        "> Léa habite à Oslo",
        "Léa habite à Rome",
        "oui",
    ],
)
async def test_a_claim_goes_with_its_author_when_others_did_not_say_it(
    home: Household, other: str
) -> None:
    """Asking for it, doubting it, denying it and repeating it as another's is not saying it."""
    asked = await home.says("Mickael", other)
    await claim(home, asked, await home.says("David", OSLO))
    await forgets(home, "David")
    assert await claims(home) == []


@pytest.mark.parametrize(
    "other",
    ["Léa habite à Oslo", "elle habite à Oslo depuis mai", "oui, à Oslo", "exact : Oslo !"],
)
async def test_what_another_said_too_is_theirs_then(home: Household, other: str) -> None:
    """Said or affirmed, with or without her name; an undo gives it back as it was."""
    mine = await home.says("David", OSLO)
    await claim(home, mine, await home.says("Mickael", other))
    before = await dump(home.storage.database)
    preview = await home.forget.preview(
        Selector(person=home.people["David"].id), home.asks("David")
    )
    assert preview.counts[Kind.SHARED] == 1
    await forgets(home, "David")
    assert await claims(home) == [(OSLO, "Mickael")]
    await home.forget.undo(home.asks("David"))
    assert await dump(home.storage.database) == before


async def test_of_several_who_said_it_the_earliest_is_its_author(home: Household) -> None:
    """And the next one when that message goes as well, until no one says it."""
    asked = await home.says("Léa", "qui sait où j'habite ?")
    messages = [asked, *[await home.says(one, OSLO) for one in ("David", "Mickael", "Zoé")]]
    await claim(home, *messages)
    await forgets(home, "David")
    assert await claims(home) == [(OSLO, "Mickael")]
    await forgets(home, "Mickael")
    assert await claims(home) == [(OSLO, "Zoé")]
    await forgets(home, "Zoé")
    assert await claims(home) == []


async def test_who_says_otherwise_by_now_does_not_stand_behind_it(home: Household) -> None:
    """What they said then has been replaced by a later word of theirs."""
    mine, theirs = await home.says("David", OSLO), await home.says("Mickael", OSLO)
    await claim(home, mine, theirs, await home.says("Zoé", OSLO))
    later = await home.says("Mickael", "Léa habite à Rome")
    rome = "Léa habite à Rome"
    about = home.people["Léa"].id
    await home.learns(rome, later, said_by="Mickael", about_person=about)
    await forgets(home, "David")
    assert sorted(await claims(home)) == [(OSLO, "Zoé"), (rome, "Mickael")]


async def test_who_has_a_row_of_their_own_gets_no_second_one(home: Household) -> None:
    """From the very same message."""
    mine, theirs = await home.says("David", "Léa ronfle"), await home.says("Mickael", "Léa ronfle")
    await claim(home, mine, theirs, content="Léa ronfle")
    about = home.people["Léa"].id
    await home.learns("Léa ronfle", theirs, said_by="Mickael", about_person=about)
    await forgets(home, "David")
    assert await claims(home) == [("Léa ronfle", "Mickael")]


async def signs(home: Household, name: str, *messages: MessageId) -> None:
    """Messages were written under a name."""
    values = {"name": name, "messages": json_list(messages)}
    query = (
        "UPDATE messages SET author = :name WHERE id IN (SELECT value FROM json_each(:messages))"
    )
    await home.storage.database.write(lambda t: t.run(query, values))


async def authors(home: Household) -> list[tuple[PersonId, str]]:
    """Who the authors of what is recalled are, and under which names."""
    rows = await home.storage.database.all("SELECT author_id, said_by FROM active_memories")
    return [(row["author_id"], row["said_by"]) for row in rows]


@pytest.mark.parametrize("said_too", [True, False])
async def test_a_namesake_of_its_author_is_another_person(
    home: Household, *, said_too: bool
) -> None:
    """It is theirs only if they said it, and then no more the first one's."""
    other = await home.says("Mickael", OSLO if said_too else "où habite Léa ?")
    mine = await home.says("David", OSLO)
    await signs(home, "David", other)
    author, about = (home.people[name].id for name in ("David", "Léa"))
    await home.learns(OSLO, other, mine, said_by="David", author=author, about_person=about)
    await forgets(home, "David")
    mickael = home.people["Mickael"].id
    assert await authors(home) == ([(mickael, "David")] if said_too else [])


async def test_an_author_who_said_it_twice_keeps_it(home: Household) -> None:
    """Though they go by another name now, and others said it too."""
    first, again = await home.says("David", OSLO), await home.says("David", OSLO)
    await claim(home, first, await home.says("Mickael", OSLO), again)
    await signs(home, "Dave", again)
    await home.forget.at_once(Selector(messages=(first,)), RUNNER)
    assert await authors(home) == [(home.people["David"].id, "David")]


@pytest.mark.parametrize("affirmed", [False, True])
async def test_a_message_taken_back_on_its_platform_takes_its_claim(
    home: Household, *, affirmed: bool
) -> None:
    """As forgetting it does: it goes, or is who said it too."""
    other = await home.says("Mickael", OSLO if affirmed else "où habite Léa ?")
    await claim(home, other, await home.says("David", OSLO, external_id="mine"))
    await home.storage.messages.withdraw(PLATFORM, "mine")
    assert await claims(home) == ([(OSLO, "Mickael")] if affirmed else [])


async def test_what_another_takes_back_leaves_the_claim_to_its_author(home: Household) -> None:
    """A question, and an assent."""
    asked = await home.says("Mickael", "où habite Léa ?", external_id="asked")
    mine = await home.says("David", OSLO)
    await claim(home, asked, mine, await home.says("Mickael", "oui, à Oslo", external_id="yes"))
    for one in ("asked", "yes"):
        await home.storage.messages.withdraw(PLATFORM, one)
    assert await claims(home) == [(OSLO, "David")]


@pytest.mark.parametrize("affirmed", [False, True])
async def test_a_message_that_says_something_else_by_now_takes_its_claim(
    home: Household, *, affirmed: bool
) -> None:
    """The next digest reads the new words; the old ones are who said them too."""
    other = await home.says("Mickael", OSLO if affirmed else "où habite Léa ?")
    await claim(home, other, await home.says("David", OSLO, external_id="mine"))
    await home.storage.messages.edit(PLATFORM, "mine", "Léa habite à Rome")
    assert await claims(home) == ([(OSLO, "Mickael")] if affirmed else [])
    await home.storage.messages.edit(PLATFORM, "mine", "Léa habite à Nice")
    assert await claims(home) == ([(OSLO, "Mickael")] if affirmed else [])


async def test_what_one_said_of_oneself_is_no_core_fact_once_it_is_anothers_word(
    home: Household,
) -> None:
    """It becomes what the other says of them."""
    mine = await home.says("David", "j'habite à Lyon", external_id="mine")
    theirs = await home.says("Léa", "oui, David habite à Lyon")
    await home.learns(
        "David habite à Lyon",
        mine,
        theirs,
        said_by="David",
        subjects=("David",),
        memory_type=MemoryType.IDENTITY,
    )
    await home.storage.indexer.settle()
    assert await home.storage.count("core_facts", "valid_until IS NULL AND value <> ''") == 1
    before = await dump(home.storage.database)
    await home.forget.at_once(Selector(messages=(mine,)), home.asks("David"))
    assert await claims(home) == [("David habite à Lyon", "Léa")]
    assert await home.storage.count("core_facts", "value <> ''") == 0
    await home.forget.undo(home.asks("David"))
    assert await dump(home.storage.database) == before
