"""What belongs together is tied when it is stored, or by the background pass soon after."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from memory.learning import association_pass
from memory.model.audience import OPERATOR, Origin
from memory.model.rooms import SpaceId, Visibility
from memory.model.statements import MemoryId, Relation
from memory.storage.statements.statements import add_memory
from tests.cast import NOON
from tests.forgotten import forget_one, forgetting_on
from tests.storage import StorageParts, open_truth, statement, ties_around

LOST = "Léa a perdu son emploi à la banque"
SELLS = "Léa vend sa moto parce qu'elle a perdu son emploi à la banque"


@pytest.fixture
async def storage(tmp_path: Path) -> AsyncIterator[StorageParts]:
    """New tables."""
    async with open_truth(tmp_path) as opened:
        yield opened


async def stored(storage: StorageParts, content: str, **fields: object) -> MemoryId:
    """A statement that goes through remembering and is indexed."""
    kept = await storage.remember.store(statement(content, **fields))
    await storage.indexer.settle()
    return kept.id


async def imported(storage: StorageParts, *contents: str, **fields: object) -> list[MemoryId]:
    """Statements that were put into the table with nobody comparing them."""
    rows = [
        await storage.database.write(
            lambda t, c=content: add_memory(t, statement(c, **fields), NOON)  # type: ignore[misc]
        )
        for content in contents
    ]
    await storage.indexer.settle()
    return [id_ for id_, _ in rows]


async def ties(storage: StorageParts) -> set[tuple[str, Relation, str]]:
    """Every tie there is, by the contents of its ends."""
    rows = await storage.database.all(
        "SELECT f.content AS start, relation, t.content AS finish FROM associations AS a "
        "JOIN memories AS f ON f.id = a.from_id JOIN memories AS t ON t.id = a.to_id"
    )
    return {(row["start"], Relation(row["relation"]), row["finish"]) for row in rows}


async def test_a_reason_is_tied_when_the_statement_is_stored(storage: StorageParts) -> None:
    """By its own words, in the same transaction."""
    await stored(storage, LOST)
    await stored(storage, SELLS)
    assert await ties(storage) == {(SELLS, Relation.CAUSED_BY, LOST)}
    assert await storage.count("associations", "origin = 'write'") == 1


async def test_without_embedder_and_index_words_still_tie(storage: StorageParts) -> None:
    """Full text proposes what to compare."""
    storage.embedder.available = storage.index.available = False
    for content in (LOST, SELLS):
        await storage.remember.store(statement(content))
    assert await ties(storage) == {(SELLS, Relation.CAUSED_BY, LOST)}


async def test_a_sharper_statement_updates_and_inherits(storage: StorageParts) -> None:
    """The old one's ties go on from the new one; the old one itself is history."""
    lost, sells = await stored(storage, LOST), await stored(storage, SELLS)
    sharper = f"{LOST} depuis mars"
    new = await stored(storage, sharper)
    assert (sharper, Relation.UPDATES, LOST) in await ties(storage)
    (tie,) = await ties_around(storage, [sells], OPERATOR)
    assert (tie.start, tie.relation, tie.end) == (sells, Relation.CAUSED_BY, new)
    assert await ties_around(storage, [lost], OPERATOR) == []


async def test_a_reversed_statement_contradicts_and_inherits_nothing(storage: StorageParts) -> None:
    """What followed from the one does not follow from the other."""
    await stored(storage, "David mange de la viande")
    await stored(storage, "David fait un barbecue parce qu'il mange de la viande")
    denied = await stored(storage, "David ne mange plus de viande")
    assert (
        "David ne mange plus de viande",
        Relation.CONTRADICTS,
        "David mange de la viande",
    ) in await ties(storage)
    left = await ties_around(storage, [denied], OPERATOR)
    assert Relation.CAUSED_BY not in {tie.relation for tie in left}


async def test_what_was_said_again_is_not_tied_again(storage: StorageParts) -> None:
    """It is touched, and nothing else happens."""
    await stored(storage, LOST)
    await stored(storage, SELLS)
    before = await storage.count("associations")
    await stored(storage, SELLS)
    assert await storage.count("associations") == before


async def test_audiences_are_kept_apart_at_write_time_and_in_the_pass(
    storage: StorageParts,
) -> None:
    """The same reason told in another space is another's."""
    elsewhere = Origin(visibility=Visibility.SPACE, space=SpaceId("guild"))
    await stored(storage, LOST, origin=elsewhere)
    await stored(storage, SELLS)
    await storage.association_pass.run()
    assert await ties(storage) == set()


async def test_the_pass_ties_what_was_stored_together(storage: StorageParts) -> None:
    """Statements of one digest chunk are planned before any of them is kept."""
    plans = await storage.remember.plan([statement(LOST), statement(SELLS)])
    for plan in plans:
        await storage.database.write(lambda t, p=plan: storage.remember.apply(t, p))  # type: ignore[misc]
    await storage.indexer.settle()
    assert await ties(storage) == set()
    report = await storage.association_pass.run()
    assert (report.walked, report.found) == (2, 1)
    assert await ties(storage) == {(SELLS, Relation.CAUSED_BY, LOST)}
    assert await storage.count("associations", "origin = 'pass'") == 1


async def test_the_pass_walks_each_statement_once(storage: StorageParts) -> None:
    """Run again it finds nothing to do, and goes on with what came since."""
    await imported(storage, LOST, "Paul pilote un hélicoptère")
    assert (await storage.association_pass.run()).walked == 2
    assert (await storage.association_pass.run()).walked == 0
    await imported(storage, SELLS)
    report = await storage.association_pass.run()
    assert (report.walked, report.found) == (1, 1)


async def test_a_pass_without_anything_new_writes_nothing(storage: StorageParts) -> None:
    """It is one look-up."""
    await imported(storage, LOST)
    await storage.association_pass.run()
    storage.database.changed.clear()
    await storage.association_pass.run()
    assert not storage.database.changed.is_set()


async def test_the_pass_stops_at_its_limit_and_goes_on_next_time(
    storage: StorageParts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An import is walked over several runs."""
    monkeypatch.setattr(association_pass, "AT_ONCE", 2)
    monkeypatch.setattr(association_pass, "A_RUN", 4)
    await imported(storage, *(f"Paul pilote l'avion numéro {number}" for number in range(5)))
    assert [(await storage.association_pass.run()).walked for _ in range(3)] == [4, 1, 0]


async def test_an_outage_stops_the_pass_where_it_is(storage: StorageParts) -> None:
    """Nothing is skipped: the next run ties what this one could not."""
    await imported(storage, LOST, SELLS)
    storage.index.available = False
    report = await storage.association_pass.run()
    assert (report.interrupted, report.walked) == (True, 0)
    storage.index.available = True
    assert (await storage.association_pass.run()).found == 1


async def test_where_the_pass_is_survives_a_restart(tmp_path: Path) -> None:
    """It is kept with what was found."""
    async with open_truth(tmp_path) as storage:
        await imported(storage, LOST, SELLS)
        await storage.association_pass.run()
    async with open_truth(tmp_path, index=storage.index) as storage:
        assert (await storage.association_pass.run()).walked == 0


async def test_the_pass_leaves_alone_what_is_not_recalled(storage: StorageParts) -> None:
    """Forgotten and expired rows are walked past."""
    lost, _ = await imported(storage, LOST, SELLS)
    await imported(storage, "Léa garde son emploi à la banque", ttl=timedelta(hours=1))
    await forget_one(forgetting_on(storage), lost)
    storage.clock.advance(timedelta(hours=2))
    assert (await storage.association_pass.run()).found == 0


async def test_a_tied_statement_gets_causes_from_the_pass_and_no_more_likeness(
    storage: StorageParts,
) -> None:
    """Its likenesses were found when it was stored."""
    lost, sells, moto = await imported(storage, LOST, SELLS, "Paul répare une moto ancienne")
    await storage.database.write(
        lambda t: t.run(
            "INSERT INTO associations (from_id, to_id, relation, weight, origin, created_at) "
            "SELECT id, :to, 'part_of', 0.5, 'write', 0 FROM memories WHERE id <> :to",
            {"to": str(moto)},
        )
    )
    await storage.association_pass.run()
    found = await ties_around(storage, [lost, sells, moto], OPERATOR)
    kinds = {tie.relation for tie in found}
    assert kinds == {Relation.PART_OF, Relation.CAUSED_BY}
