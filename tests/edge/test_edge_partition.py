"""The shards behind one collection: an id is in one of them, and large ones scan codes."""

from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from uuid import UUID

import numpy as np
import pytest

from memory.model.audience import OPERATOR, Audience, Scope
from memory.model.stores import Collection
from memory.ports import Fingerprint, Point, Vectors
from memory.vectors import collection_names, unit
from memory.vectorstores.edge.index import EdgeIndex
from memory.vectorstores.edge.partition import part_of
from memory.vectorstores.edge.shards import OTHERS

DIMENSION = 64
FINGERPRINT = Fingerprint(name="test", dimension=DIMENSION, version="1")
MEMORY = Collection.MEMORY

NEAREST = 20

TIE = 1e-3
"""Similarities agree to a thousandth in half precision."""

LARGE = 24_000
"""Entries of one audience: past this a shard is scanned by its codes."""


@pytest.fixture
async def index(tmp_path: Path) -> AsyncIterator[EdgeIndex]:
    """An empty index."""
    opened = await EdgeIndex.open(tmp_path, FINGERPRINT)
    yield opened
    await opened.close()


def scope(*audiences: str) -> Scope:
    """A scope of these audiences."""
    return Scope(frozenset(Audience(each) for each in audiences))


def point(number: int, vector: Vectors, audience: str) -> Point:
    """A point with a small id."""
    return Point(id=UUID(int=number), vector=vector, payload={"audience": audience})


def crowded(count: int, seed: int) -> Vectors:
    """Unit vectors in fifty crowds, as sentences of few patterns are, shape (count, DIMENSION)."""
    drawn = np.random.default_rng(seed)
    middles = np.random.default_rng(0).standard_normal((50, DIMENSION))
    return unit(middles[drawn.integers(0, 50, count)] + drawn.standard_normal((count, DIMENSION)))


def test_each_space_has_a_shard_and_all_else_shares_one() -> None:
    """Only audiences of spaces are large enough for a shard of their own."""
    assert part_of("person:a") == part_of("room:b") == part_of("everyone") == OTHERS
    assert part_of("space:home") == part_of("space:home") != OTHERS
    assert len({part_of(f"space:{n}") for n in range(1_000)}) == 16


async def test_an_entry_moves_with_its_audience(index: EdgeIndex, tmp_path: Path) -> None:
    """An entry that another space may see now is not left behind in the shard it was in."""
    (row,) = crowded(1, 1)
    for audience in ("space:a", "person:p", "space:b"):
        await index.upsert(MEMORY, [point(1, row, audience)])
    assert len(list((tmp_path / collection_names("eko_", FINGERPRINT)[MEMORY]).iterdir())) == 3
    for audience, found in (("space:a", 0), ("person:p", 0), ("space:b", 1)):
        hits = await index.search(MEMORY, row, limit=5, scope=scope(audience))
        assert len(hits) == found
    assert len(await index.search(MEMORY, row, limit=5, scope=OPERATOR)) == 1
    assert await index.ids(MEMORY) == {UUID(int=1)}


async def test_spaces_that_meet_in_one_shard_do_not_mix(index: EdgeIndex) -> None:
    """More spaces than shards for them: each still finds its own and no other's."""
    rows = crowded(50, 2)
    await index.upsert(MEMORY, [point(n, row, f"space:{n}") for n, row in enumerate(rows)])
    for number in range(0, 50, 10):
        hits = await index.search(MEMORY, rows[0], limit=5, scope=scope(f"space:{number}"))
        assert [hit.id.int for hit in hits] == [number]


async def test_audiences_are_known_again_after_reopening(tmp_path: Path) -> None:
    """A shard that is wholly allowed is searched unfiltered, so it must know who is in it."""
    rows = crowded(3, 3)
    index = await EdgeIndex.open(tmp_path, FINGERPRINT)
    people = [point(n, row, f"person:{n}") for n, row in enumerate(rows)]
    await index.upsert(MEMORY, people)
    await index.delete(MEMORY, [UUID(int=0)])
    await index.close()
    index = await EdgeIndex.open(tmp_path, FINGERPRINT)
    hits = await index.search(MEMORY, rows[2], limit=5, scope=scope("person:1", "person:0"))
    assert [hit.id.int for hit in hits] == [1]
    await index.close()


async def test_a_large_shard_finds_what_an_exact_comparison_finds(index: EdgeIndex) -> None:
    """Codes propose and vectors decide: recall of at least .98 for every share of the entries."""
    shares = {"space:a": LARGE, "person:most": LARGE, "person:some": 2_400, "person:few": 40}
    audiences = [each for each, count in shares.items() for _ in range(count)]
    rows = crowded(len(audiences), 4)
    await index.upsert(MEMORY, [point(n, row, audiences[n]) for n, row in enumerate(rows)])
    for allowed in (OPERATOR, *(scope(each) for each in shares), scope("space:a", "person:some")):
        recalls = [await recall(index, query, rows, audiences, allowed) for query in crowded(10, 5)]
        assert np.mean(recalls) >= 0.98


async def recall(
    index: EdgeIndex, query: Vectors, rows: Vectors, audiences: Sequence[str], allowed: Scope
) -> float:
    """The share of the nearest in a scope that a search finds; all it finds must be in it."""
    hits = await index.search(MEMORY, query, limit=NEAREST, scope=allowed)
    inside = np.array([allowed.allows(Audience(each)) for each in audiences])
    assert all(inside[hit.id.int] for hit in hits)
    threshold = float(np.sort(rows[inside] @ query)[-NEAREST]) - TIE
    return sum(bool(rows[hit.id.int] @ query >= threshold) for hit in hits) / NEAREST
