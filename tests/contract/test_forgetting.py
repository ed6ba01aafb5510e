"""Forgetting over every table: seen first, confirmed, and given back byte for byte."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest

from memory.model.audience import OPERATOR, Origin
from memory.model.forgetting import Kind
from memory.model.knowledge import KnowledgeKind
from memory.model.rooms import SpaceId, Visibility
from memory.model.statements import MemoryId, RowState
from memory.model.stores import Collection
from memory.rules.forgetting.receipt import (
    ForgettingState,
    NothingChosen,
    NothingToConfirm,
    NothingToUndo,
)
from memory.rules.forgetting.selector import Selector
from memory.rules.forgetting.topic import TopicSaysNothing
from tests.cast import NOON, group, room_of
from tests.forgotten import (
    RUNNER,
    Household,
    dump,
    forgettings_on,
    holding,
    household,
    memory_ids,
    words_of,
)
from tests.storage import open_truth


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[Household]:
    """David, Léa and Mickael, with new tables."""
    async with open_truth(tmp_path) as opened:
        yield await household(opened, "David", "Léa", "Mickael")


async def sourdough(home: Household) -> dict[str, UUID]:
    """Something about sourdough in every store, beside what must stay."""
    said = await home.says("David", "je nourris mon levain tous les matins")
    await home.says("David", "mon vélo est rouge")
    memory = await home.learns("David nourrit un levain", said, subjects=("David",))
    stays = await home.learns("Zoé mange des pommes")
    content = "David nourrit un levain"
    quoting = await home.talks(
        "Léa",
        "que fait David ?",
        "Il s'occupe de son levain.",
        (Collection.MEMORY, memory, content),
    )
    own = await home.talks("David", "mon levain a débordé", "Pauvre levain !")
    note = await home.notes("Recette du levain : farine et eau.")
    await home.notes("Recette de la tarte : cinq pommes.")
    await home.storage.indexer.settle()
    return {
        "message": UUID(int=said),
        "memory": memory,
        "stays": stays,
        "quoting": quoting.id,
        "own": own.id,
        "note": note,
    }


async def test_a_preview_shows_what_goes_and_changes_nothing(home: Household) -> None:
    """Counts and samples of every store."""
    await sourdough(home)
    before = await dump(home.storage.database)
    preview = await home.forget.preview(Selector(topic="levain"), RUNNER)
    assert preview.counts == {
        Kind.MESSAGES: 4,  # two of David's, and the two answers of the pet
        Kind.LIVE: 1,
        Kind.EXCHANGES: 2,
        Kind.STATEMENTS: 1,
        Kind.NOTES: 1,
    }
    assert "David nourrit un levain" in words_of(preview.samples)
    assert await dump(home.storage.database) == before
    assert await home.storage.count("forgettings") == 0


async def test_a_topic_goes_from_every_table_and_index(home: Household) -> None:
    """And what does not speak of it stays, the words of others too."""
    rows = await sourdough(home)
    await home.forget.at_once(Selector(topic="mon levain"), RUNNER)
    await home.storage.indexer.settle()
    assert await holding(home.storage, "levain") == []
    assert await home.contents() == ["Zoé mange des pommes"]
    assert UUID(str(rows["message"])) not in await home.storage.index.ids(Collection.LIVE)
    assert await home.storage.index.ids(Collection.KNOWLEDGE) != {rows["note"]}
    gone = await home.storage.knowledge.gone([rows["note"]], OPERATOR)
    assert gone == {rows["note"]: RowState.FORGOTTEN}
    quoting = await home.storage.turns.by_id(rows["quoting"], OPERATOR)  # type: ignore[arg-type]
    assert quoting is not None
    assert (quoting.text, quoting.recalled, quoting.reply) == ("que fait David ?", (), "")
    assert await home.storage.count("messages", "text = 'mon vélo est rouge'") == 1
    assert await home.storage.count("messages", "deleted_at IS NOT NULL") == 4


async def test_an_undone_forgetting_leaves_every_table_as_it_was(home: Household) -> None:
    """Byte for byte, and the index follows."""
    await sourdough(home)
    before = await dump(home.storage.database)
    indexed = {one: await home.storage.index.ids(one) for one in Collection}
    await home.forget.at_once(Selector(topic="levain"), RUNNER)
    await home.storage.indexer.settle()
    assert await dump(home.storage.database) != before
    undone = await home.forget.undo(RUNNER)
    assert undone.changed_since == 0
    assert undone.receipt.state is ForgettingState.UNDONE
    assert await dump(home.storage.database) == before
    await home.storage.indexer.settle()
    assert {one: await home.storage.index.ids(one) for one in Collection} == indexed
    assert (await home.storage.health.checkup()).problems == ()
    assert await home.storage.count("forgetting_rows") == 0
    assert await home.storage.count("tombstones") == 0


async def test_a_person_goes_with_their_words_their_exchanges_and_their_names(
    home: Household,
) -> None:
    """Of what others said, what is about them alone goes too; and it all comes back."""
    await sourdough(home)
    own = await home.says("Léa", "David est malade depuis lundi")
    await home.learns("David est malade", own, subjects=("David",))
    both = await home.says("Léa", "David est le cousin de Mickael")
    await home.learns("David est le cousin de Mickael", both, subjects=("David", "Mickael"))
    await home.storage.indexer.settle()
    before = await dump(home.storage.database)
    selector = Selector(person=home.people["David"].id, about=True, erase=True)
    preview = await home.forget.preview(selector, RUNNER)
    assert [row.text for row in preview.kept] == ["David est le cousin de Mickael"]
    await home.forget.at_once(selector, RUNNER)
    assert await home.contents() == ["David est le cousin de Mickael", "Zoé mange des pommes"]
    assert await home.storage.count("people", "name = 'David'") == 0
    assert await home.storage.count("messages", "author = 'David'") == 0
    assert await home.storage.count("turns", "speaker = 'David'") == 0
    assert await home.storage.count("people", "observed = 0") == 1
    assert await home.storage.count("messages", "text LIKE '%cousin%'") == 1
    await home.forget.undo(RUNNER)
    assert await dump(home.storage.database) == before


async def test_a_person_has_power_over_their_own_only(home: Household) -> None:
    """What others said of the topic stays."""
    await home.says("David", "le levain déborde")
    await home.says("Léa", "mon levain aussi")
    await home.forget.at_once(Selector(topic="levain"), home.asks("David"))
    assert await home.storage.count("messages", "text LIKE '%levain%'") == 1
    other = Selector(person=home.people["Léa"].id)
    assert (await home.forget.preview(other, home.asks("David"))).is_empty


async def test_a_preview_shows_nobody_what_others_said_in_private(home: Household) -> None:
    """Neither of what stays nor of what goes because it is about whoever asks."""
    whispered = Origin(visibility=Visibility.PRIVATE, person=home.people["Léa"].id)
    await home.learns("Léa cache son levain", origin=whispered, said_by="Léa")
    david = home.people["David"].id
    await home.learns("David ronfle", origin=whispered, said_by="Léa", about_person=david)
    await home.learns("Léa pétrit le levain", said_by="Léa")
    kept = await home.forget.preview(Selector(topic="levain"), home.asks("David"))
    assert [row.text for row in kept.kept] == ["Léa pétrit le levain"]
    about = Selector(person=home.people["David"].id, about=True)
    gone = await home.forget.preview(about, home.asks("David"))
    assert gone.counts == {Kind.MUTED: 1}
    assert gone.samples == ()
    shown = await home.forget.preview(about, RUNNER)
    assert words_of(shown.samples) == ["David ronfle"]


async def test_what_others_said_too_keeps_their_part(home: Household) -> None:
    """It rests on their message alone, and is said by them; it comes back whole."""
    mine = await home.says("David", "on joue du piano le mardi avec Léa")
    theirs = await home.says("Léa", "oui, le piano du mardi")
    stated = await home.learns("David et Léa jouent du piano", mine, theirs, said_by="David")
    before = await dump(home.storage.database)
    preview = await home.forget.preview(Selector(person=home.people["David"].id), RUNNER)
    assert preview.counts[Kind.SHARED] == 1
    await home.forget.at_once(Selector(person=home.people["David"].id), RUNNER)
    row = await home.storage.database.one("SELECT said_by FROM memories WHERE content <> ''")
    assert row is not None
    assert row["said_by"] == "Léa"
    grounds = await home.storage.database.all("SELECT message_id FROM memory_sources")
    assert [one["message_id"] for one in grounds] == [theirs]
    assert stated
    await home.forget.undo(RUNNER)
    assert await dump(home.storage.database) == before


async def test_what_only_one_of_several_can_have_said_goes(home: Household) -> None:
    """An assent of another says nothing by itself."""
    mine = await home.says("David", "mon piano est désaccordé")
    theirs = await home.says("Léa", "ah bon")
    await home.learns("Le piano est désaccordé", mine, theirs)
    await home.forget.at_once(Selector(person=home.people["David"].id), RUNNER)
    assert await home.contents() == []


async def test_a_span_and_a_room_can_be_forgotten(home: Household) -> None:
    """Criteria hold together."""
    await home.says("David", "matin", at=NOON - timedelta(hours=4))
    await home.says("David", "soir", at=NOON + timedelta(hours=4))
    await home.says("Léa", "midi")
    span = Selector(person=home.people["David"].id, start=NOON)
    await home.forget.at_once(span, RUNNER)
    rows = await home.storage.database.all("SELECT text FROM messages WHERE text <> '' ORDER BY id")
    assert [row["text"] for row in rows] == ["matin", "midi"]


async def test_a_statement_is_forgotten_by_its_id(home: Household) -> None:
    """Alone; what it was learnt from is not forgotten with it."""
    rows = await sourdough(home)
    await home.forget.at_once(Selector(memories=memory_ids(rows["memory"])), RUNNER)
    assert await home.contents() == ["Zoé mange des pommes"]
    assert await home.storage.count("messages", "text LIKE '%matins'") == 1


async def test_it_is_confirmed_by_a_later_message_of_whoever_asked(home: Household) -> None:
    """Within ten minutes, once, and what came in between goes too and is told."""
    first = await home.says("David", "le levain déborde")
    preview = await home.forget.ask(Selector(topic="levain"), home.asks("David"))
    with pytest.raises(NothingToConfirm):
        await home.forget.confirm(home.asks("David"), preview.token, message=first)
    with pytest.raises(NothingToConfirm):
        await home.forget.confirm(home.asks("Léa"), preview.token)
    await home.says("David", "encore le levain")
    later = await home.says("David", "oui")
    receipt = await home.forget.confirm(home.asks("David"), preview.token, message=later)
    assert receipt.counts[Kind.MESSAGES] == 2
    assert receipt.more == 1
    with pytest.raises(NothingToConfirm):
        await home.forget.confirm(home.asks("David"))


async def test_a_preview_is_confirmed_with_the_power_it_was_asked_for_with(
    home: Household,
) -> None:
    """And by nobody with less."""
    await home.says("Léa", "le levain déborde")
    own = home.asks("David")
    everybody = home.commands("David")
    preview = await home.forget.ask(Selector(topic="levain"), everybody)
    with pytest.raises(NothingToConfirm):
        await home.forget.confirm(own, preview.token)
    receipt = await home.forget.confirm(everybody, preview.token)
    assert receipt.counts[Kind.MESSAGES] == 1
    await home.says("Léa", "encore le levain")
    await home.says("David", "mon levain aussi")
    await home.forget.ask(Selector(topic="levain"), own)
    receipt = await home.forget.confirm(everybody)
    assert receipt.counts[Kind.MESSAGES] == 1
    assert await home.storage.count("messages", "text = 'encore le levain'") == 1


async def test_what_was_shown_in_one_place_is_not_forgotten_in_another(home: Household) -> None:
    """Who has power in two communities sees what would go of the one, and confirms that."""
    here, there = (room_of(group(f"hall-{one}", space=SpaceId(one))) for one in ("a", "b"))
    for room in (here, there):
        await home.storage.people.keep_room(room)
        await home.says("Léa", "le levain déborde", room=room)
    everybody = home.commands("David", here)
    await home.forget.ask(Selector(topic="levain"), everybody)
    await home.forget.confirm(replace(everybody, scope=home.asks("David", there).scope))
    assert await home.storage.count("messages", "deleted_at IS NULL") == 2


async def test_somebody_elses_name_gives_no_power_over_what_is_said_of_them(
    home: Household,
) -> None:
    """Anybody can call themselves as they like."""
    said = await home.says("Léa", "David élève des escargots")
    memory = await home.learns("David élève des escargots", said, subjects=("David",))
    await home.calls_themselves("Mickael", "David")
    thief = home.asks("Mickael")
    for selector in (
        Selector(memories=(MemoryId(memory),)),
        Selector(person=thief.person, about=True, erase=True),
    ):
        assert Kind.STATEMENTS not in (await home.forget.preview(selector, thief)).counts


async def test_a_preview_of_nothing_cannot_be_confirmed(home: Household) -> None:
    """It could only take what was never shown; what was shown before is dropped as well."""
    own = home.asks("David")
    await home.says("David", "le levain déborde")
    await home.forget.ask(Selector(topic="levain"), own)
    shown = await home.forget.ask(Selector(topic="vélo"), own)
    assert (shown.is_empty, shown.token) == (True, "")
    await home.says("David", "mon vélo")
    with pytest.raises(NothingToConfirm):
        await home.forget.confirm(own)


async def test_what_was_shown_can_be_dropped(home: Household) -> None:
    """By whoever was shown it, and by nobody else."""
    await home.says("David", "le levain déborde")
    await home.forget.ask(Selector(topic="levain"), home.asks("David"))
    assert not await home.forget.drop(home.asks("Léa"))
    assert await home.forget.drop(home.asks("David"))
    assert not await home.forget.drop(home.asks("David"))
    with pytest.raises(NothingToConfirm):
        await home.forget.confirm(home.asks("David"))


async def test_a_preview_that_is_too_old_is_not_confirmed(home: Household) -> None:
    """And its words do not stay."""
    await home.says("David", "le levain déborde")
    await home.forget.ask(Selector(topic="levain"), home.asks("David"))
    home.storage.clock.advance(timedelta(minutes=11))
    with pytest.raises(NothingToConfirm):
        await home.forget.confirm(home.asks("David"))
    await forgettings_on(home.storage).drop_previews()
    assert await home.storage.count("forgettings") == 0


async def test_what_was_changed_since_is_not_overwritten_by_an_undo(home: Household) -> None:
    """The undo says so."""
    await home.says("David", "le levain déborde")
    await home.forget.at_once(
        Selector(person=home.people["David"].id, erase=True, about=True), RUNNER
    )
    await home.storage.database.write(
        lambda t: t.run("UPDATE people SET name = 'Dave' WHERE name = 'someone'")
    )
    undone = await home.forget.undo(RUNNER)
    assert undone.changed_since == 1
    assert await home.storage.count("people", "name = 'Dave' AND observed = 0") == 1
    assert await home.storage.count("messages", "text = 'le levain déborde'") == 1


async def test_after_a_day_there_is_nothing_to_undo(home: Household) -> None:
    """Nor for others before."""
    await home.says("David", "le levain déborde")
    await home.forget.at_once(Selector(topic="levain"), home.asks("David"))
    with pytest.raises(NothingToUndo):
        await home.forget.undo(home.asks("Léa"))
    home.storage.clock.advance(timedelta(hours=24))
    with pytest.raises(NothingToUndo):
        await home.forget.undo(home.asks("David"))


@pytest.mark.parametrize("kind", [KnowledgeKind.FACT, KnowledgeKind.SUMMARY])
async def test_what_is_known_about_a_person_goes_with_them(
    home: Household, kind: KnowledgeKind
) -> None:
    """Core facts and summaries."""
    await home.notes("David habite à Lyon", kind, home.people["David"].id)
    await home.notes("Léa habite à Lyon", kind, home.people["Léa"].id)
    await home.forget.at_once(Selector(person=home.people["David"].id), RUNNER)
    rows = await home.storage.database.all("SELECT content FROM knowledge WHERE content <> ''")
    assert [row["content"] for row in rows] == ["Léa habite à Lyon"]


async def test_nothing_is_forgotten_by_nothing(home: Household) -> None:
    """Neither without a criterion nor with a topic that says nothing."""
    with pytest.raises(NothingChosen):
        await home.forget.preview(Selector(), RUNNER)
    with pytest.raises(TopicSaysNothing):
        await home.forget.preview(Selector(topic="de la"), RUNNER)
