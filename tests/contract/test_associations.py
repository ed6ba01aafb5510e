"""Associations are read within a scope, never lead out of an audience, and go with their ends."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest

from memory.model.audience import Audience, Origin, Scope
from memory.model.messages import MessageId
from memory.model.people import PersonId
from memory.model.rooms import Visibility
from memory.model.statements import Association, MemoryId, Relation
from memory.storage.sqlite.rows import queries
from memory.storage.statements.associations import MOST_REASONS, MOST_TIES, FoundDuring, associate
from tests.cast import DAVID, NOON, PLATFORM
from tests.forgotten import forget_one, forgetting_on
from tests.storage import StorageParts, open_truth, overhear, statement, ties_around

HOME_SCOPE = Scope(frozenset({Audience("space:home")}))

ANY_TIE = "from_id, to_id, relation, weight, origin, created_at"


@pytest.fixture
async def storage(tmp_path: Path) -> AsyncIterator[StorageParts]:
    """New tables."""
    async with open_truth(tmp_path) as opened:
        yield opened


async def stored(storage: StorageParts, content: str, **fields: object) -> MemoryId:
    """A statement that is kept."""
    return (await storage.remember.store(statement(content, **fields))).id


async def three(storage: StorageParts) -> tuple[MemoryId, MemoryId, MemoryId]:
    """Statements that have nothing in common."""
    return (
        await stored(storage, "David habite à Paris"),
        await stored(storage, "Zoé collectionne des timbres"),
        await stored(storage, "Paul pilote un hélicoptère"),
    )


def tie(
    start: MemoryId,
    end: MemoryId,
    relation: Relation = Relation.RELATED_TO,
    weight: float = 0.5,
) -> Association:
    """One statement tied to another."""
    return Association(start=start, end=end, relation=relation, weight=weight)


async def keep(storage: StorageParts, *found: Association) -> int:
    """Keep associations as when they are found at write time; how many were new."""
    return await storage.database.write(lambda t: associate(t, found, FoundDuring.WRITE, NOON))


async def private(storage: StorageParts, content: str) -> tuple[MemoryId, Scope]:
    """What David told the pet alone, and the scope in which it is recalled."""
    person = await storage.people.person(PLATFORM, DAVID.external_id, DAVID.name)
    origin = Origin(visibility=Visibility.PRIVATE, person=person.id)
    own = Scope(frozenset({Audience("space:home"), Audience(f"person:{person.id}")}))
    return await stored(storage, content, origin=origin), own


async def test_ties_are_found_from_either_end_closest_first(storage: StorageParts) -> None:
    """As they were kept, and no more of them than asked for."""
    one, two, other = await three(storage)
    near, far = tie(one, two, Relation.PART_OF, 0.9), tie(other, one, Relation.CAUSED_BY, 0.4)
    assert await keep(storage, far, near) == 2
    assert await ties_around(storage, [one], HOME_SCOPE) == [near, far]
    assert await ties_around(storage, [two, one], HOME_SCOPE) == [near, far]
    assert await ties_around(storage, [one], HOME_SCOPE, limit=1) == [near]
    assert await ties_around(storage, [two], HOME_SCOPE) == [near]
    assert await ties_around(storage, [], HOME_SCOPE) == []


async def test_the_same_tie_is_kept_once(storage: StorageParts) -> None:
    """Found again it stays as it was; another relation of the same two is another tie."""
    one, two, _ = await three(storage)
    assert await keep(storage, tie(one, two, weight=0.5)) == 1
    assert await keep(storage, tie(one, two, weight=0.9), tie(one, two, Relation.PART_OF)) == 1
    assert {each.weight for each in await ties_around(storage, [one], HOME_SCOPE)} == {0.5}


async def test_ties_to_nothing_are_left_out(storage: StorageParts) -> None:
    """To oneself, to what does not exist, and to what is forgotten."""
    one, two, _ = await three(storage)
    await forget_one(forgetting_on(storage), two)
    assert await keep(storage, tie(one, one), tie(one, MemoryId(uuid4())), tie(one, two)) == 0


async def test_no_tie_leads_from_one_audience_to_another(storage: StorageParts) -> None:
    """Neither when it is kept as usual, nor when somebody writes it past that."""
    one, *_ = await three(storage)
    secret, own = await private(storage, "David prépare une surprise")
    assert await keep(storage, tie(one, secret), tie(secret, one)) == 0
    for ends in ((one, secret), (secret, one)):
        values = {"from": str(ends[0]), "to": str(ends[1])}
        sql = f"INSERT INTO associations ({ANY_TIE}) VALUES (:from, :to, 'part_of', 1, 'write', 0)"  # noqa: S608 - a constant
        with pytest.raises(sqlite3.IntegrityError, match="across audiences"):
            await storage.database.write(lambda t, s=sql, v=values: t.run(s, v))  # type: ignore[misc]
    assert await ties_around(storage, [one, secret], own) == []


async def test_a_kept_tie_cannot_be_moved_to_another_statement(storage: StorageParts) -> None:
    """That would lead out of an audience behind the guard."""
    one, two, _ = await three(storage)
    secret, _own = await private(storage, "David prépare une surprise")
    await keep(storage, tie(one, two))
    with pytest.raises(sqlite3.IntegrityError, match="not moved"):
        await storage.database.write(
            lambda t: t.run("UPDATE associations SET to_id = :to", {"to": str(secret)})
        )


async def test_a_tie_is_not_followed_to_what_has_another_audience_since(
    storage: StorageParts,
) -> None:
    """Even by whoever may know both: what one said in private is not told with the lobby's."""
    one, two, _ = await three(storage)
    await keep(storage, tie(one, two))
    _, own = await private(storage, "David prépare une surprise")
    (key,) = (one for one in own.audiences or () if one.startswith("person:"))
    await storage.database.write(
        lambda t: t.run(
            "UPDATE memories SET audience = :to WHERE id = :id", {"id": str(two), "to": key}
        )
    )
    assert await ties_around(storage, [one], own) == []
    assert await ties_around(storage, [two], own) == []


async def test_ties_are_visible_where_their_ends_are(storage: StorageParts) -> None:
    """In David's own rooms and nowhere else."""
    one, own = await private(storage, "David prépare une surprise")
    two, _ = await private(storage, "Zoé collectionne des timbres")
    await keep(storage, tie(one, two))
    assert await ties_around(storage, [one], own) == [tie(one, two)]
    assert await ties_around(storage, [one, two], HOME_SCOPE) == []


async def test_what_is_recalled_no_more_is_not_reached(storage: StorageParts) -> None:
    """Forgotten, expired or superseded, at either end."""
    one, two, other = await three(storage)
    fleeting = await stored(storage, "Le bus est en panne", ttl=timedelta(hours=1))
    await keep(storage, tie(one, two), tie(one, other), tie(one, fleeting))
    assert len(await ties_around(storage, [one], HOME_SCOPE)) == 3
    await forget_one(forgetting_on(storage), two)
    await stored(storage, "Paul pilote un hélicoptère depuis mai")
    storage.clock.advance(timedelta(hours=2))
    assert await ties_around(storage, [two, other, fleeting], HOME_SCOPE) == []
    assert {tie.end for tie in await ties_around(storage, [one], HOME_SCOPE)} & {
        two,
        other,
        fleeting,
    } == set()


async def test_what_everything_is_like_gets_no_more_ties(storage: StorageParts) -> None:
    """In either direction, for each relation by itself."""
    hub, *_ = await three(storage)
    others = [
        await stored(storage, f"{one} {one}{one}")
        for one in map("x{}y".format, range(MOST_TIES + 2))
    ]
    assert await keep(storage, *(tie(other, hub) for other in others)) == MOST_TIES
    assert await keep(storage, *(tie(hub, other) for other in others)) == MOST_TIES
    wholes = [tie(hub, other, Relation.PART_OF) for other in others]
    assert await keep(storage, *wholes) == MOST_REASONS


async def test_a_deleted_statement_takes_its_ties_with_it(storage: StorageParts) -> None:
    """So `eko verify` finds nothing that leads nowhere."""
    one, two, other = await three(storage)
    await keep(storage, tie(one, two), tie(two, other), tie(other, one))
    await storage.database.write(
        lambda t: t.run("DELETE FROM memories WHERE id = :id", {"id": str(two)})
    )
    assert await storage.count("associations") == 1
    checkup = await storage.health.checkup()
    assert checkup.problems == ()
    assert checkup.counts["associations"] == 1


async def test_a_tie_that_leads_nowhere_is_noticed(tmp_path: Path) -> None:
    """It takes another program that writes without SQLite's foreign keys."""
    async with open_truth(tmp_path) as storage:
        one, two, _ = await three(storage)
        await keep(storage, tie(one, two))
    with closing(sqlite3.connect(tmp_path / "eko.sqlite3")) as raw, raw:
        raw.execute("DELETE FROM memories WHERE id = ?", (str(two),))
    async with open_truth(tmp_path) as storage:
        problems = (await storage.health.checkup()).problems
    assert "A row of associations refers to a row of memories that is not there." in problems


async def test_statements_find_the_messages_behind_them(storage: StorageParts) -> None:
    """As pairs; a statement without a message has none."""
    first, second = await overhear(storage, "je pars en Grèce", "et je reviens en mai")
    trip = await stored(storage, "David part en Grèce", messages=(first, second))
    back = await stored(storage, "Zoé collectionne des timbres", messages=(second,))
    alone = await stored(storage, "Paul pilote un hélicoptère")
    pairs = {(trip, first), (trip, second), (back, second)}
    assert set(await storage.associations.messages_behind([trip, back, alone], HOME_SCOPE)) == pairs
    assert len(await storage.associations.messages_behind([trip], HOME_SCOPE, limit=1)) == 1


async def sources(
    storage: StorageParts, memory: MemoryId, scope: Scope
) -> set[tuple[MemoryId, MessageId]]:
    """What is told of the messages behind a statement."""
    return set(await storage.associations.messages_behind([memory], scope))


async def test_sources_are_told_where_both_may_be_known(storage: StorageParts) -> None:
    """Not to another space, and not once the one or the other is gone."""
    message, gone = await overhear(storage, "je pars en Grèce", "je pars en mai")
    memory = await stored(storage, "David part en Grèce", messages=(message, gone))
    assert await sources(storage, memory, Scope(frozenset({Audience("space:x")}))) == set()
    await storage.messages.withdraw(PLATFORM, "m2")
    assert await sources(storage, memory, HOME_SCOPE) == {(memory, message)}
    await forget_one(forgetting_on(storage), memory, HOME_SCOPE)
    assert await sources(storage, memory, HOME_SCOPE) == set()


async def test_a_private_statement_from_a_lobby_message_is_told_to_its_owner_only(
    storage: StorageParts,
) -> None:
    """The message may be known to all, what was made of it in private may not."""
    (message,) = await overhear(storage, "je pars en Grèce")
    origin = Origin(visibility=Visibility.PRIVATE, person=PersonId("p"))
    await storage.people.person(PLATFORM, "p", "P")
    await storage.database.write(
        lambda t: t.run(
            "INSERT INTO people (id, name, created_at) VALUES ('p', 'P', 0) ON CONFLICT DO NOTHING"
        )
    )
    memory = await stored(storage, "P part en Grèce", origin=origin, messages=(message,))
    own = Scope(frozenset({Audience("space:home"), Audience("person:p")}))
    assert await sources(storage, memory, HOME_SCOPE) == set()
    assert await sources(storage, memory, own) == {(memory, message)}


@pytest.mark.parametrize("name", ["around", "messages_behind", "walk"])
async def test_no_query_reads_a_whole_table(storage: StorageParts, name: str) -> None:
    """Each row is looked up by an index, or the walk goes on along the key."""
    sql = queries("statements/associations")[name]
    values = {"ids": "[]", "audiences": "[]", "now": 0, "limit": 1, "key": "k"}
    plan = [
        row["detail"] for row in await storage.database.all(f"EXPLAIN QUERY PLAN {sql}", values)
    ]
    tables = ("memories", "associations", "messages", "memory_sources", " a", " m", " s", " g")
    assert [step for step in plan if step.startswith("SCAN") and step.endswith(tables)] == []
    assert [step for step in plan if step.startswith("SEARCH")]
