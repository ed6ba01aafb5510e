"""What is kept beside statements: found by words and by meaning, in its scope, until it is gone."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from memory.model.audience import OPERATOR, Origin, Scope, space_audience
from memory.model.knowledge import KnowledgeId, KnowledgeKind, NewKnowledge
from memory.model.people import PersonId
from memory.model.rooms import SpaceId, Visibility
from memory.model.statements import RowState
from memory.model.stores import Collection
from memory.storage.statements.knowledge import drop_knowledge, keep_knowledge, retire_knowledge
from tests.cast import NOON
from tests.storage import FROM_TEST, StorageParts, known_by_text, looked_up, open_truth

HOME = Scope(frozenset({space_audience(SpaceId("home"))}))
ELSEWHERE = Scope(frozenset({space_audience(SpaceId("elsewhere"))}))
PIE = "The recipe of the apple pie: five apples and cinnamon."


def note(content: str = PIE, **fields: object) -> NewKnowledge:
    """A note that everybody in the home space may know."""
    given: dict[str, object] = {
        "id": KnowledgeId(uuid5(_NOTES, "pie")),
        "kind": KnowledgeKind.NOTE,
        "title": "kitchen/pie.md",
        "content": content,
        "origin": Origin(visibility=Visibility.SPACE),
        "at": NOON,
        **fields,
    }
    return NewKnowledge(**given)  # type: ignore[arg-type]


_NOTES = uuid5(NAMESPACE_URL, "notes")


async def keep(storage: StorageParts, *news: NewKnowledge) -> list[KnowledgeId]:
    """Write rows; the ids of those that changed."""
    return await storage.knowledge.write(
        lambda transaction: keep_knowledge(transaction, news, storage.clock.now())
    )


async def test_a_note_is_found_by_its_words_within_its_scope(tmp_path: Path) -> None:
    """Its own space finds it, another space does not."""
    async with open_truth(tmp_path) as storage:
        await keep(storage, note())
        found = await known_by_text(storage, "cinnamon apples", HOME)
        hidden = await known_by_text(storage, "cinnamon apples", ELSEWHERE)
    assert [one.content for one in found] == [f"kitchen/pie.md: {PIE}"]
    assert hidden == []


async def test_the_same_again_changes_nothing(tmp_path: Path) -> None:
    """No revision is counted and no embedding made a second time."""
    async with open_truth(tmp_path) as storage:
        await keep(storage, note())
        await storage.indexer.settle()
        again = await keep(storage, note())
        waiting = await storage.outbox.waiting()
        (row,) = await storage.knowledge.visible([note().id], OPERATOR)
    assert again == []
    assert waiting == 0
    assert row.revision == 1


async def test_a_changed_note_is_found_by_its_new_words_only(tmp_path: Path) -> None:
    """Full text and vectors follow, and the revision says that it changed."""
    async with open_truth(tmp_path) as storage:
        await keep(storage, note())
        await storage.indexer.settle()
        await keep(storage, note("Plum tart, with almonds."))
        await storage.indexer.settle()
        old = await known_by_text(storage, "cinnamon", HOME)
        (new,) = await known_by_text(storage, "almonds", HOME)
        vectors = await storage.embeddings.of(Collection.KNOWLEDGE, [new.id])
        expected = await storage.embedder.embed(["Plum tart, with almonds."], "document")
    assert old == []
    assert new.revision == 2
    assert float(vectors[new.id] @ expected[0]) > 0.99


async def test_what_is_retired_is_found_no_more_and_comes_back_when_kept_again(
    tmp_path: Path,
) -> None:
    """Neither by words nor in the index."""
    async with open_truth(tmp_path) as storage:
        await keep(storage, note())
        await storage.indexer.settle()
        await storage.knowledge.write(
            lambda transaction: retire_knowledge(transaction, [note().id], NOON)
        )
        await storage.indexer.settle()
        assert await known_by_text(storage, "cinnamon", HOME) == []
        assert await storage.index.ids(Collection.KNOWLEDGE) == frozenset()
        assert await storage.knowledge.gone([note().id], HOME) == {note().id: RowState.REPLACED}
        await keep(storage, note())
        await storage.indexer.settle()
        assert await storage.knowledge.visible([note().id], HOME)
        assert await storage.index.ids(Collection.KNOWLEDGE) == {note().id}


async def test_what_is_dropped_leaves_nothing(tmp_path: Path) -> None:
    """No row, no words, no vector."""
    async with open_truth(tmp_path) as storage:
        await keep(storage, note())
        await storage.indexer.settle()
        await storage.knowledge.write(lambda transaction: drop_knowledge(transaction, [note().id]))
        await storage.indexer.settle()
        assert await storage.count("knowledge") == 0
        assert await storage.count("embeddings") == 0
        assert await storage.index.ids(Collection.KNOWLEDGE) == frozenset()


async def test_core_facts_are_read_newest_first_for_one_person(tmp_path: Path) -> None:
    """Others' facts and other kinds stay out."""
    async with open_truth(tmp_path) as storage:
        person = await storage.people.person("local", "mickael", "Mickael")
        other = await storage.people.person("local", "dora", "Dora")
        fact = note(kind=KnowledgeKind.FACT, title="city", about=person.id)
        later = NOON.replace(hour=13)
        rows = [
            replace(fact, id=_id("a"), content="Mickael lives in Paris"),
            replace(fact, id=_id("b"), content="Mickael is a baker", title="job", at=later),
            replace(fact, id=_id("c"), content="Dora lives in Lyon", about=other.id),
            note(about=person.id),
        ]
        await keep(storage, *rows)
        found = await storage.knowledge.about(PersonId(person.id), KnowledgeKind.FACT, HOME, 5)
    assert [one.title for one in found] == ["job", "city"]


async def test_a_summary_is_found_by_the_time_it_speaks_of(tmp_path: Path) -> None:
    """A stretch that touches the time asked about counts, others do not."""
    async with open_truth(tmp_path) as storage:
        storage.clock.at = NOON.replace(hour=20)
        summary = note(
            "They planned a trip.", kind=KnowledgeKind.SUMMARY, since=NOON, at=NOON.replace(hour=14)
        )
        await keep(storage, summary)
        inside = await _summaries_since(storage, NOON.replace(hour=13), HOME)
        after = await _summaries_since(storage, NOON.replace(hour=15), HOME)
        hidden = await _summaries_since(storage, NOON.replace(hour=13), ELSEWHERE)
    assert inside == ["They planned a trip."]
    assert after == hidden == []


async def _summaries_since(storage: StorageParts, start: datetime, scope: Scope) -> list[str]:
    """What speaks of the time from a moment to the evening."""
    end = NOON.replace(hour=20)
    found = await looked_up(
        storage, scope, lambda rows: rows.summaries_between(FROM_TEST, start, end, 5)
    )
    return [one.content for one in found]


async def test_the_index_can_be_rebuilt_with_it(tmp_path: Path) -> None:
    """A lost vector store gets knowledge back with all else."""
    async with open_truth(tmp_path) as storage:
        await keep(storage, note())
        await storage.indexer.settle()
        await storage.index.delete(Collection.KNOWLEDGE, [note().id])
        await storage.indexer.mend()
        assert await storage.index.ids(Collection.KNOWLEDGE) == {note().id}


def _id(name: str) -> KnowledgeId:
    return KnowledgeId(uuid5(_NOTES, name))
