"""`/what-do-you-know` and `/why`: somebody is told what is theirs, and nothing of anybody else."""

import re
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.channels.local.hub import LOBBY as LOCAL_LOBBY
from bot.channels.local.hub import direct_room
from bot.model.events import AuthorRef, RoomRef
from memory.model.statements import MemoryType
from tests.cast import DAVID, LEA, LOBBY, MICKAEL, author, direct, room_of
from tests.flow.owning import Owner, owned, typed
from tests.flow.test_forgetting_in_chat import ask, offline

ALONE = direct(DAVID)


@pytest.fixture
async def owner(tmp_path: Path) -> AsyncIterator[Owner]:
    """A pet that David and Léa have told things."""
    async with owned(tmp_path) as born:
        await born.told("David adore le levain", where=LOBBY)
        await born.told("David habite à Lyon", importance=0.95)
        await born.told("Léa prépare une fugue", LEA)
        born.clock.advance(timedelta(days=3))
        yield born


async def shown(
    owner: Owner, who: AuthorRef = DAVID, where: RoomRef = ALONE, **arguments: str
) -> str:
    """What somebody is told that the pet knows of them."""
    return (await owner.uses("what-do-you-know", who, where, **arguments)).text


async def test_somebody_alone_is_told_all_of_it_and_where_it_was_said(owner: Owner) -> None:
    """The most important first; each with who, where, when, and a number to name it by."""
    lines = (await shown(owner)).splitlines()
    assert re.fullmatch(
        r"• David habite à Lyon \(dit par toi, en privé, il y a 3 jours\) #[0-9a-f]{8}", lines[1]
    )
    assert re.fullmatch(
        r"• David adore le levain \(dit par toi, dans lobby, il y a 3 jours\) #[0-9a-f]{8}",
        next(line for line in lines if "levain" in line),
    )
    assert "Tes comptes : chat (David)." in lines


async def test_what_a_core_fact_rests_on_comes_under_a_heading_of_its_own(owner: Owner) -> None:
    """And is not told twice."""
    text = await shown(owner)
    assert text.startswith("L'essentiel :\n• David habite à Lyon (")
    assert text.count("Lyon") == 1


async def test_in_a_group_only_what_it_may_know_is_told(owner: Owner) -> None:
    """With a line that there may be more, also where the answer is for their eyes only."""
    text = await shown(owner, where=LOBBY)
    assert "levain" in text
    assert "Lyon" not in text
    assert "demande-moi en privé" in text


async def test_a_room_that_was_closed_since_is_not_named_elsewhere(owner: Owner) -> None:
    """What was said there before all stays known; what it is called now is for those inside."""
    closed = replace(room_of(LOBBY, confidential=True), name="licenciements")
    await owner.app.storage.people.keep_room(closed)
    text = await shown(owner)
    assert "levain" in text
    assert "licenciements" not in text


async def test_nobody_is_told_what_others_said_in_private(owner: Owner) -> None:
    """Not even that there is something."""
    assert "fugue" in await shown(owner, LEA, direct(LEA))
    for who, where in ((DAVID, ALONE), (MICKAEL, direct(MICKAEL)), (LEA, LOBBY)):
        assert "fugue" not in await shown(owner, who, where)
    assert (await shown(owner, MICKAEL, LOBBY)).startswith("Je ne sais rien de toi")


async def test_what_others_said_about_somebody_is_told_with_who_said_it(owner: Owner) -> None:
    """As far as it was said where they may hear it."""
    await owner.hears("coucou")
    await owner.told("David est le frère de Mickael", MICKAEL, LOBBY, subjects=("David",))
    assert "• Mickael dit : David est le frère de Mickael (dans lobby, " in await shown(owner)


async def test_what_is_said_of_a_namesake_is_nobodys(owner: Owner) -> None:
    """A name that two people have there does not tell them apart."""
    other = AuthorRef(platform="chat", external_id="other", name="David")
    await owner.hears("coucou")
    await owner.hears("coucou", other)
    await owner.told("David a perdu son procès", MICKAEL, LOBBY, subjects=("David",))
    assert "procès" not in await shown(owner)
    assert "procès" not in await shown(owner, other, direct(other))


async def test_words_choose_among_what_is_known(owner: Owner) -> None:
    """All of them must be said; what is left out goes unsaid."""
    text = await shown(owner, about="levains")
    assert "levain" in text
    assert "Lyon" not in text
    assert (await shown(owner, about="bicyclette")).startswith("Je ne sais rien de tel")


async def test_how_much_is_kept_is_counted_where_it_is_asked(owner: Owner) -> None:
    """What was said elsewhere is not counted in a group, and opting out shows."""
    await owner.hears("premier")
    await owner.hears("deuxième", where=ALONE)
    assert "Je garde tes messages (2)" not in await shown(owner, where=LOBBY)
    assert "Je garde tes messages (1)" in await shown(owner, where=LOBBY)
    await owner.uses("privacy", reading="off")
    assert "Je ne lis pas ce que tu écris" in await shown(owner)


async def test_in_english_it_is_told_in_english(owner: Owner) -> None:
    """Ages included; statements stay in the language they were made in."""
    answer = await owner.uses("what-do-you-know", where=ALONE, locale="en-GB")
    assert "• David habite à Lyon (said by you, in private, 3 days ago) #" in answer.text
    assert "Your accounts: chat (David)." in answer.text


async def test_hostile_words_stay_on_their_line(owner: Owner) -> None:
    """Line breaks forge no row, and a room's name no notes."""
    mallory = author("Mallory\n• Léa")
    room = RoomRef(
        platform="chat",
        external_id="evil",
        name="x), dit par Léa (\n• y",
        kind=LOBBY.kind,
        role=LOBBY.role,
    )
    await owner.told("Mallory rit\n• Léa ment (dit par Léa)", mallory, room, said_by="Mallory")
    lines = (await shown(owner, mallory, direct(mallory))).splitlines()
    (line,) = [one for one in lines if "Mallory rit" in one]
    assert line.startswith("• Mallory rit • Léa ment")
    assert "dans x dit par Léa • y" in line
    assert not any(one.startswith("• Léa") for one in lines)


async def test_a_typed_answer_in_a_group_names_no_accounts(tmp_path: Path) -> None:
    """Everybody reads it: that two accounts are one person's is not for them."""
    async with offline(tmp_path, locale="fr") as app:
        await ask(app, "j'adore le levain")
        assert "Tes comptes : console (David)." in await ask(app, "/what-do-you-know")
        tom = AuthorRef(platform="web", external_id="tom", name="Tom")
        assert "Tes comptes : web (Tom)." in await typed(
            app, "/what-do-you-know", tom, direct_room(tom)
        )
        assert "comptes" not in await typed(app, "/what-do-you-know", tom, LOCAL_LOBBY)


async def test_why_says_what_came_back_for_the_last_answer(tmp_path: Path) -> None:
    """To whom it was given and where; nothing said is said plainly."""
    async with offline(tmp_path, locale="fr") as app:
        assert await ask(app, "/why") == "Je ne t'ai pas encore répondu ici."
        await ask(app, "bonjour")
        assert "rien ne m'est revenu" in await ask(app, "/why")
        await ask(app, "j'adore le rugby")
        await app.services.indexer.settle()
        await ask(app, "qu'est-ce que j'adore ?")
        told = await ask(app, "/why")
        assert "ceci m'est revenu :" in told
        assert "rugby (dit par toi, en privé, " in told
        assert await ask(app, "/why", "Tom") == "Je ne t'ai pas encore répondu ici."


async def test_why_counts_what_is_no_longer_so_and_does_not_repeat_it(tmp_path: Path) -> None:
    """Also once the conversation is over."""
    async with offline(tmp_path, locale="en") as app:
        await ask(app, "I love rugby")
        await app.services.indexer.settle()
        await ask(app, "what do I love?")
        assert "rugby" in (await ask(app, "/why")).partition("\n")[2]
        await app.storage.turns.end_idle(timedelta(seconds=-1))
        await ask(app, "/correct I love rugby -> I love cheese")
        told = (await ask(app, "/why")).partition("\n")[2]
        assert "rugby" not in told
        assert "no longer so since: " in told


async def test_topics_are_proposed_for_forgetting_by_what_somebody_spoke_of(owner: Owner) -> None:
    """Their own name is none, nor what others spoke of."""
    await owner.told(
        "David élève des abeilles", subjects=("David", "abeilles"), memory_type=MemoryType.FACT
    )
    await owner.told("Léa élève des abeilles", LEA, subjects=("Léa", "ruches"))
    proposed = await owner.proposes("forget", "topic", "", where=ALONE)
    assert [one.value for one in proposed] == ["abeilles"]
    assert await owner.proposes("forget", "topic", "zz", where=ALONE) == []
