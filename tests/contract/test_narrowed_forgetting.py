"""A preview can be narrowed to lines it showed: those go, all else stays, and no more is taken."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest

from memory.model.forgetting import Kind
from memory.model.knowledge import KnowledgeId
from memory.model.messages import Handling, MessageId
from memory.model.statements import MemoryId, MemoryType
from memory.rules.forgetting.narrowing import Narrowing, NotShown
from memory.rules.forgetting.receipt import NothingToConfirm, Preview
from memory.rules.forgetting.selector import NamedRows, Selector
from tests.cast import CORNER, room_of
from tests.forgotten import Household, dump, forgettings_on, household, is_unsure_of
from tests.storage import open_truth

TOPIC = Selector(topic="levain")


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[Household]:
    """David, Léa and Mickael, with new tables."""
    async with open_truth(tmp_path) as opened:
        yield await household(opened, "David", "Léa", "Mickael")


async def said(home: Household, *texts: str) -> None:
    """David says these, a minute apart."""
    for text in texts:
        await home.says("David", text)
        home.storage.clock.advance(timedelta(minutes=1))


async def shown(home: Household, selector: Selector = TOPIC) -> list[str]:
    """The lines of a preview for David."""
    return lines(await home.forget.ask(selector, home.asks("David"), shows=True))


def lines(preview: Preview) -> list[str]:
    """What a preview says."""
    return [one.text for one in preview.lines]


async def narrowed(home: Household, *only: int, without: tuple[int, ...] = ()) -> Preview:
    """The preview narrowed to these lines."""
    narrowing = Narrowing(only=only, without=without)
    return await home.forget.narrow(narrowing, home.asks("David"), shows=True)


async def left(home: Household) -> list[str]:
    """What people's messages still say."""
    rows = await home.storage.database.all(
        "SELECT text FROM messages WHERE text <> '' AND author_kind = 'person' ORDER BY id"
    )
    return [row["text"] for row in rows]


async def test_only_some_lines_go(home: Household) -> None:
    """Those alone are shown again, and taken when that is confirmed."""
    await said(home, "levain un", "levain deux", "levain trois")
    assert await shown(home) == ["levain trois", "levain deux", "levain un"]
    preview = await narrowed(home, 2)
    assert lines(preview) == ["levain deux"]
    assert preview.counts[Kind.MESSAGES] == 1
    assert await left(home) == ["levain un", "levain deux", "levain trois"]
    receipt = await home.forget.confirm(home.asks("David"), preview.token)
    assert receipt.counts[Kind.MESSAGES] == 1
    assert await left(home) == ["levain un", "levain trois"]


async def test_all_but_some_lines_go(home: Household) -> None:
    """Of what was not shown as well."""
    await said(home, *(f"levain {number}" for number in range(8)))
    assert len(await shown(home)) == 5
    preview = await narrowed(home, without=(1, -1))
    assert preview.counts[Kind.MESSAGES] == 6
    assert "levain 7" not in lines(preview)
    await home.forget.confirm(home.asks("David"))
    assert await left(home) == ["levain 3", "levain 7"]


async def test_it_can_be_narrowed_again(home: Household) -> None:
    """By the numbers of what is shown by then."""
    await said(home, "levain un", "levain deux", "levain trois")
    await shown(home)
    assert lines(await narrowed(home, without=(2,))) == ["levain trois", "levain un"]
    assert lines(await narrowed(home, without=(1,))) == ["levain un"]
    await home.forget.confirm(home.asks("David"))
    assert await left(home) == ["levain deux", "levain trois"]


async def test_what_was_said_several_times_is_one_line_and_goes_as_a_whole(
    home: Household,
) -> None:
    """However often, and when."""
    await said(home, "mon levain", "mon levain", "le levain", *["mon levain"] * 6)
    assert await shown(home) == ["mon levain", "le levain"]
    await narrowed(home, 1)
    await home.forget.confirm(home.asks("David"))
    assert await left(home) == ["le levain"]


async def test_numbers_are_those_of_the_lines_that_were_shown(home: Household) -> None:
    """Not of what came in since, which would come first."""
    await said(home, "levain un", "levain deux")
    await shown(home)
    await said(home, "levain trois")
    assert lines(await narrowed(home, 1)) == ["levain deux"]


async def test_a_statement_that_stays_keeps_what_it_rests_on(home: Household) -> None:
    """Else it would go with that; one that alone goes leaves the messages."""
    mine = await home.says("David", "je nourris mon levain tous les matins")
    await home.learns("David nourrit un levain", mine, subjects=("David",), said_by="David")
    before = ["je nourris mon levain tous les matins", "David nourrit un levain"]
    assert await shown(home) == before
    assert (await narrowed(home, without=(2,))).is_empty
    await shown(home)
    preview = await narrowed(home, 2)
    assert preview.counts == {Kind.STATEMENTS: 1}
    await home.forget.confirm(home.asks("David"))
    assert await home.contents() == []
    assert await left(home) == before[:1]


async def lyon(home: Household) -> tuple[MessageId, MemoryId, KnowledgeId]:
    """David's message that he lives in Lyon, what was learnt from it, and the core fact."""
    said_it = await home.says("David", "j'habite à Lyon")
    identity = MemoryType.IDENTITY
    stored = await home.learns(
        "David habite à Lyon", said_it, said_by="David", memory_type=identity
    )
    (row,) = await home.storage.database.all("SELECT id FROM core_facts")
    return said_it, MemoryId(stored), KnowledgeId(UUID(row["id"]))


async def test_a_core_fact_and_its_statement_are_one_line(home: Household) -> None:
    """They say the same, and stay together."""
    await lyon(home)
    await said(home, "Lyon est belle")
    chosen = Selector(topic="Lyon")
    assert await shown(home, chosen) == ["Lyon est belle", "j'habite à Lyon", "David habite à Lyon"]
    assert lines(await narrowed(home, without=(3,))) == ["Lyon est belle"]


async def test_what_stays_is_kept_with_what_it_rests_on(home: Household) -> None:
    """A core fact with its statement and its message, an exchange with what was said in it."""
    said_it, stated, fact = await lyon(home)
    table = forgettings_on(home.storage)
    all_of_it = NamedRows(
        messages=frozenset({said_it}), memories=frozenset({stated}), knowledge=frozenset({fact})
    )
    for one in (NamedRows(knowledge=all_of_it.knowledge), NamedRows(memories=all_of_it.memories)):
        assert await table.kept_with(one) == all_of_it
    assert await table.kept_with(NamedRows(messages=all_of_it.messages)) == NamedRows(
        messages=all_of_it.messages
    )
    talk = await home.talks("David", "et Lyon ?", "Une belle ville.")
    kept = await table.kept_with(NamedRows(turns=frozenset({talk.id})))
    assert len(kept.messages) == 2
    assert await table.kept_with(NamedRows(messages=frozenset({min(kept.messages)}))) == NamedRows(
        messages=frozenset({min(kept.messages)}), turns=frozenset({talk.id})
    )


async def test_an_exchange_that_stays_keeps_its_messages(home: Household) -> None:
    """With what was answered; another one goes with its own."""
    await home.talks("David", "que dis-tu du levain ?", "Il faut le nourrir.")
    await home.talks("David", "mon levain a débordé", "Dommage.")
    before = await dump(home.storage.database)
    assert await shown(home) == ["mon levain a débordé", "que dis-tu du levain ?"]
    await narrowed(home, without=(2,))
    await home.forget.confirm(home.asks("David"))
    assert await left(home) == ["que dis-tu du levain ?"]
    rows = await home.storage.database.all("SELECT text, reply FROM turns ORDER BY seq")
    assert [(row["text"], row["reply"]) for row in rows] == [
        ("que dis-tu du levain ?", "Il faut le nourrir."),
        ("", ""),
    ]
    await home.forget.undo(home.asks("David"))
    assert await dump(home.storage.database) == before


async def test_of_a_name_nothing_goes_with_some_lines(home: Household) -> None:
    """Who wants to be forgotten but for one thing still is who said it."""
    await said(home, "un", "deux")
    person = home.people["David"].id
    everything = Selector(person=person, about=True, erase=True)
    assert await shown(home, everything) == ["deux", "un"]
    preview = await narrowed(home, without=(1,))
    assert preview.counts == {Kind.MESSAGES: 1, Kind.LIVE: 1}
    await home.forget.confirm(home.asks("David"))
    assert await left(home) == ["deux"]
    assert await home.storage.count("people", "name = 'David' AND observed = 1") == 1


@pytest.mark.parametrize("number", [0, 3, -3])
async def test_lines_that_were_not_shown_cannot_be_named(home: Household, number: int) -> None:
    """What was shown can be confirmed all the same."""
    await said(home, "levain un", "levain deux")
    await shown(home)
    with pytest.raises(NotShown):
        await narrowed(home, number)
    receipt = await home.forget.confirm(home.asks("David"))
    assert receipt.counts[Kind.MESSAGES] == 2


async def test_nothing_can_be_named_of_what_showed_figures_only(home: Household) -> None:
    """As a preview in a group does."""
    await said(home, "levain un", "levain deux")
    await home.forget.ask(TOPIC, home.asks("David"))
    with pytest.raises(NotShown):
        await narrowed(home, 1)


async def test_only_who_was_shown_it_narrows_it_and_in_a_later_message(home: Household) -> None:
    """Within ten minutes, while it waits."""
    with pytest.raises(NothingToConfirm):
        await narrowed(home, 1)
    await said(home, "levain un", "levain deux")
    asking = await home.says("David", "oublie", handling=Handling.KEPT, room=room_of(CORNER))
    await shown(home)
    for who, message in (("Léa", ()), ("David", (asking,))):
        with pytest.raises(NothingToConfirm):
            await home.forget.narrow(Narrowing(only=(1,)), home.asks(who), message)
    later = await home.says("David", "que le 1", handling=Handling.KEPT, room=room_of(CORNER))
    preview = await home.forget.narrow(Narrowing(only=(1,)), home.asks("David"), (later,))
    assert lines(preview) == ["levain deux"]
    with pytest.raises(NothingToConfirm):
        await home.forget.confirm(home.asks("David"), message=later)
    home.storage.clock.advance(timedelta(minutes=11))
    with pytest.raises(NothingToConfirm):
        await narrowed(home, 1)


async def test_what_narrows_takes_no_power_that_was_not_asked_with(home: Household) -> None:
    """A command's preview is narrowed with its power, by who still has it."""
    await home.says("Léa", "le levain de Léa")
    await said(home, "levain de David")
    power = home.commands("David")
    await home.forget.ask(TOPIC, power, shows=True)
    with pytest.raises(NothingToConfirm):
        await narrowed(home, 1)
    preview = await home.forget.narrow(Narrowing(without=(1,)), power, shows=True)
    assert lines(preview) == ["le levain de Léa"]


async def test_a_receipt_keeps_no_lines(home: Household) -> None:
    """Once it is confirmed nothing tells what was shown."""
    await said(home, "levain un", "levain deux")
    await shown(home)
    assert await home.storage.count("forgettings", "shown <> '[]'") == 1
    await home.forget.confirm(home.asks("David"))
    assert await home.storage.count("forgettings", "shown <> '[]'") == 0


@pytest.fixture
def unsure(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader takes the first row for meant, and the next two for perhaps meant."""
    is_unsure_of(monkeypatch, 1, 2)


ASKED = Selector(topic="please forget what I said about the dough")


@pytest.mark.usefixtures("unsure")
async def test_what_may_be_meant_as_well_is_shown_and_stays(home: Household) -> None:
    """It is numbered on, counted nowhere, and not taken with the rest."""
    await said(home, "levain un", "levain deux", "levain trois", "le chat dort")
    preview = await home.forget.ask(ASKED, home.asks("David"), shows=True)
    assert lines(preview) == ["levain un"]
    assert {one.text for one in preview.offered_lines} == {"levain deux", "levain trois"}
    assert preview.counts[Kind.MESSAGES] == 1
    await home.forget.confirm(home.asks("David"), preview.token)
    assert await left(home) == ["levain deux", "levain trois", "le chat dort"]


@pytest.mark.parametrize(
    ("narrowing", "taken"),
    [
        (Narrowing(also=(2,)), {1, 2}),
        (Narrowing(also=(-1,)), {1, 3}),
        (Narrowing(also=(2, 3)), {1, 2, 3}),
        (Narrowing(also=(3,), without=(1,)), {3}),
        (Narrowing(only=(3,)), {3}),
        (Narrowing(only=(3,), only_numbered=True), {1, 3}),
        (Narrowing(only=(1,), only_numbered=True), {1}),
        (Narrowing(only=(1, 3), only_numbered=True), {1, 3}),
        (Narrowing(without=(3,)), {1}),
    ],
)
@pytest.mark.usefixtures("unsure")
async def test_what_was_offered_is_taken_where_it_is_named(
    home: Household, narrowing: Narrowing, taken: set[int]
) -> None:
    """Beside the rest or alone; a number alone means it too."""
    await said(home, "levain un", "levain deux", "levain trois")
    first = await home.forget.ask(ASKED, home.asks("David"), shows=True)
    told = [one.text for one in (*first.lines, *first.offered_lines)]
    preview = await home.forget.narrow(narrowing, home.asks("David"), shows=True)
    assert {*lines(preview)} == {told[number - 1] for number in taken}
    assert not preview.offered_lines
    await home.forget.confirm(home.asks("David"), preview.token)
    assert {*await left(home)} == {*told} - {*lines(preview)}


@pytest.mark.usefixtures("unsure")
async def test_where_lines_are_not_shown_none_was_offered(home: Household) -> None:
    """A number then names nothing."""
    await said(home, "levain un", "levain deux", "levain trois")
    assert (await home.forget.ask(ASKED, home.asks("David"))).offered_lines
    with pytest.raises(NotShown):
        await home.forget.narrow(Narrowing(also=(2,)), home.asks("David"))
