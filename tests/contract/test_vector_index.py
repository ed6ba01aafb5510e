"""Every vector index keeps the same promises: in memory, Edge, and a Qdrant server's engine."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import numpy as np
import pytest
from qdrant_client import AsyncQdrantClient

from memory.model.audience import OPERATOR, Audience, Scope
from memory.model.errors import VectorRefused, VectorStoreUnavailable
from memory.model.stores import Collection
from memory.ports import LAST_ID, Fingerprint, Point, VectorIndex, Vectors
from memory.vectors import unit
from memory.vectorstores.edge.index import EdgeIndex
from memory.vectorstores.in_memory import InMemoryIndex
from memory.vectorstores.qdrant import QdrantIndex
from memory.vectorstores.qdrant_server import QdrantServer

pytestmark = pytest.mark.filterwarnings(
    # The stand-in for a server has neither payload indexes nor HNSW, and says so; a server has.
    "ignore:Payload indexes have no effect in the local Qdrant:UserWarning",
    "ignore:Local mode performs exact .brute-force. search:UserWarning",
)

DIMENSION = 32
FINGERPRINT = Fingerprint(name="test", dimension=DIMENSION, version="1")
MEMORY = Collection.MEMORY


PET = UUID("ffffffff-ffff-4fff-bfff-ffffffffffff")
"""So high that the points of most entries begin again at the lowest ids."""


@dataclass(frozen=True)
class OnePet:
    """A pet that no other folder holds."""

    id: UUID

    async def pet(self) -> UUID:
        """Its id."""
        return self.id


def on_server(client: AsyncQdrantClient, fingerprint: Fingerprint, pet: UUID = PET) -> QdrantIndex:
    """What one pet has on a server."""
    return QdrantIndex(QdrantServer(client), fingerprint, OnePet(pet))


@dataclass(frozen=True)
class Store:
    """A place that an index can be opened in, once after another."""

    open: Callable[[Fingerprint], Awaitable[VectorIndex]]
    persistent: bool


@pytest.fixture(params=["in_memory", "edge", "qdrant"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    """A place for each implementation."""

    async def in_memory(fingerprint: Fingerprint) -> VectorIndex:
        return InMemoryIndex(fingerprint)

    async def edge(fingerprint: Fingerprint) -> VectorIndex:
        return await EdgeIndex.open(tmp_path, fingerprint)

    async def qdrant(fingerprint: Fingerprint) -> VectorIndex:
        return on_server(AsyncQdrantClient(path=str(tmp_path)), fingerprint)

    return {
        "in_memory": Store(in_memory, persistent=False),
        "edge": Store(edge, persistent=True),
        "qdrant": Store(qdrant, persistent=True),
    }[request.param]


@pytest.fixture
async def index(store: Store) -> AsyncIterator[VectorIndex]:
    """An empty index."""
    opened = await store.open(FINGERPRINT)
    yield opened
    await opened.close()


def vectors(count: int, seed: int = 1) -> Vectors:
    """Random unit vectors, shape (count, DIMENSION)."""
    drawn = np.random.default_rng(seed).standard_normal((count, DIMENSION))
    return unit(drawn)


def point(number: int, vector: Vectors, audience: str = "space:home") -> Point:
    """A point with a small id and a payload like the ones the pet writes."""
    payload = {"audience": audience, "content": f"line {number}", "subjects": ["dev"], "key": None}
    return Point(id=UUID(int=number), vector=vector, payload=payload)


def points(count: int) -> list[Point]:
    """Points that belong to three audiences in turn."""
    return [point(n, row, f"space:{n % 3}") for n, row in enumerate(vectors(count))]


def scope(*audiences: str) -> Scope:
    """A scope of these audiences."""
    return Scope(frozenset(Audience(each) for each in audiences))


async def test_an_empty_collection_has_nothing_to_find(index: VectorIndex) -> None:
    """Searching and listing before anything was written is not an error."""
    assert list(await index.search(MEMORY, vectors(1)[0], limit=5, scope=OPERATOR)) == []
    assert await index.ids(MEMORY) == frozenset()


async def test_similarity_is_the_cosine(index: VectorIndex) -> None:
    """Similarities equal the cosine to a thousandth, best first, whatever the storage type."""
    rows, query = vectors(50), vectors(1, seed=2)[0]
    await index.upsert(MEMORY, [point(n, row) for n, row in enumerate(rows)])
    hits = await index.search(MEMORY, query, limit=50, scope=OPERATOR)
    expected = rows @ query
    assert [hit.similarity for hit in hits] == pytest.approx(sorted(expected)[::-1], abs=1e-3)
    assert [expected[hit.id.int] for hit in hits] == pytest.approx(
        [hit.similarity for hit in hits], abs=1e-3
    )


async def test_vectors_are_compared_by_direction_only(index: VectorIndex) -> None:
    """A longer vector is not a nearer one."""
    row = vectors(1)[0]
    await index.upsert(MEMORY, [point(1, row * np.float32(3))])
    (hit,) = await index.search(MEMORY, row * np.float32(0.5), limit=5, scope=OPERATOR)
    assert hit.similarity == pytest.approx(1, abs=1e-3)


async def test_no_more_than_the_limit_is_found(index: VectorIndex) -> None:
    """`limit` bounds the answer."""
    await index.upsert(MEMORY, points(20))
    assert len(await index.search(MEMORY, vectors(1)[0], limit=7, scope=OPERATOR)) == 7


async def test_rows_of_other_audiences_are_never_found(index: VectorIndex) -> None:
    """A scope returns its audiences' rows and no other, however near."""
    everything = points(60)
    await index.upsert(MEMORY, everything)
    allowed = scope("space:1", "space:2", "space:nobody")
    found = await index.search(MEMORY, everything[0].vector, limit=60, scope=allowed)
    assert {hit.id.int % 3 for hit in found} == {1, 2}
    assert len(found) == 40


async def test_an_empty_scope_sees_nothing(index: VectorIndex) -> None:
    """No audience is not the same as every audience."""
    await index.upsert(MEMORY, points(3))
    assert list(await index.search(MEMORY, vectors(1)[0], limit=5, scope=scope())) == []


async def test_the_operator_sees_everything(index: VectorIndex) -> None:
    """A scope of None does not filter."""
    await index.upsert(MEMORY, points(6))
    assert len(await index.search(MEMORY, vectors(1)[0], limit=10, scope=OPERATOR)) == 6


async def test_writing_twice_stores_once(index: VectorIndex) -> None:
    """An upsert that is applied again changes nothing."""
    await index.upsert(MEMORY, points(5))
    await index.upsert(MEMORY, points(5))
    assert await index.ids(MEMORY) == frozenset(UUID(int=n) for n in range(5))
    assert len(await index.search(MEMORY, vectors(1)[0], limit=10, scope=OPERATOR)) == 5


async def test_an_entry_is_replaced_with_its_audience(index: VectorIndex) -> None:
    """After an upsert of the same id the old vector and the old audience are gone."""
    before, after = vectors(2)
    await index.upsert(MEMORY, [point(1, before, "person:a")])
    await index.upsert(MEMORY, [point(1, after, "person:b")])
    assert list(await index.search(MEMORY, before, limit=5, scope=scope("person:a"))) == []
    (hit,) = await index.search(MEMORY, after, limit=5, scope=scope("person:b"))
    assert hit.similarity == pytest.approx(1, abs=1e-3)


async def test_deleting_removes_and_can_be_repeated(index: VectorIndex) -> None:
    """Deleted entries are not found; ids that are not there are fine."""
    await index.upsert(MEMORY, points(4))
    for _ in range(2):
        await index.delete(MEMORY, [UUID(int=0), UUID(int=2), UUID(int=99)])
    assert await index.ids(MEMORY) == {UUID(int=1), UUID(int=3)}
    found = await index.search(MEMORY, vectors(1)[0], limit=9, scope=OPERATOR)
    assert {hit.id for hit in found} == {UUID(int=1), UUID(int=3)}


async def test_nothing_to_write_is_fine(index: VectorIndex) -> None:
    """Empty batches are accepted."""
    await index.upsert(MEMORY, [])
    await index.delete(MEMORY, [])
    await index.flush()
    assert await index.ids(MEMORY) == frozenset()


async def test_collections_do_not_mix(index: VectorIndex) -> None:
    """The same id in two collections is two entries."""
    row = vectors(1)[0]
    await index.upsert(Collection.SELF, [point(1, row)])
    await index.upsert(Collection.GOALS, [point(1, row), point(2, row)])
    await index.delete(Collection.GOALS, [UUID(int=1)])
    assert await index.ids(Collection.SELF) == {UUID(int=1)}
    assert await index.ids(Collection.GOALS) == {UUID(int=2)}


async def test_a_thousand_points_are_taken_at_once(index: VectorIndex) -> None:
    """A batch larger than any internal limit arrives whole."""
    await index.upsert(MEMORY, points(1000))
    assert len(await index.ids(MEMORY)) == 1000


@pytest.mark.parametrize(
    "spoiled",
    [
        np.full(DIMENSION, np.nan, dtype=np.float32),
        np.full(DIMENSION, np.inf, dtype=np.float32),
        np.zeros(DIMENSION, dtype=np.float32),
        np.ones(DIMENSION - 1, dtype=np.float32),
        np.ones((1, DIMENSION), dtype=np.float32),
    ],
    ids=["nan", "infinite", "zero", "too short", "too deep"],
)
async def test_an_unusable_vector_is_refused_with_its_batch(
    index: VectorIndex, spoiled: Vectors
) -> None:
    """What cannot be compared is neither stored nor searched, and its batch is left out whole."""
    with pytest.raises(VectorRefused):
        await index.upsert(MEMORY, [*points(3), point(9, spoiled)])
    with pytest.raises(VectorRefused):
        await index.search(MEMORY, spoiled, limit=1, scope=OPERATOR)
    assert await index.ids(MEMORY) == frozenset()


async def test_a_point_without_an_audience_is_refused(index: VectorIndex) -> None:
    """A row that no scope could guard is not stored."""
    with pytest.raises(VectorRefused):
        await index.upsert(
            MEMORY, [Point(id=UUID(int=1), vector=vectors(1)[0], payload={"content": "x"})]
        )


async def test_many_calls_at_once_keep_the_order_of_writes(index: VectorIndex) -> None:
    """Writes started in an order end in that order, with searches in between."""
    first, last = vectors(2)
    rows = [first] * 10 + [last]
    await asyncio.gather(
        *(index.upsert(MEMORY, [point(1, row)]) for row in rows),
        *(index.search(MEMORY, first, limit=1, scope=OPERATOR) for _ in range(10)),
    )
    (hit,) = await index.search(MEMORY, last, limit=1, scope=OPERATOR)
    assert hit.similarity == pytest.approx(1, abs=1e-3)


async def test_a_closed_index_answers_nothing(store: Store) -> None:
    """After close every call says that the store is unavailable; closing again is fine."""
    index = await store.open(FINGERPRINT)
    await index.close()
    await index.close()
    with pytest.raises(VectorStoreUnavailable):
        await index.search(MEMORY, vectors(1)[0], limit=1, scope=OPERATOR)
    with pytest.raises(VectorStoreUnavailable):
        await index.upsert(MEMORY, points(1))
    with pytest.raises(VectorStoreUnavailable):
        await index.ids(MEMORY)
    with pytest.raises(VectorStoreUnavailable):
        await index.flush()


async def test_what_was_written_is_there_after_reopening(store: Store) -> None:
    """A persistent store keeps its entries, its deletions and its audiences."""
    if not store.persistent:
        pytest.skip("the double in memory promises nothing beyond its life")
    index = await store.open(FINGERPRINT)
    await index.upsert(MEMORY, points(9))
    await index.delete(MEMORY, [UUID(int=0)])
    await index.close()

    index = await store.open(FINGERPRINT)
    assert await index.ids(MEMORY) == {UUID(int=n) for n in range(1, 9)}
    found = await index.search(MEMORY, vectors(1)[0], limit=9, scope=scope("space:0"))
    assert {hit.id.int for hit in found} == {3, 6}
    await index.close()


async def test_vectors_of_two_embedders_are_never_compared(store: Store) -> None:
    """An index opened for another fingerprint does not see the old one's entries."""
    index = await store.open(FINGERPRINT)
    await index.upsert(MEMORY, points(3))
    await index.close()
    other = await store.open(Fingerprint(name="test", dimension=DIMENSION, version="2"))
    assert await other.ids(MEMORY) == frozenset()
    await other.close()


async def test_ids_come_in_order_as_many_as_are_asked_for(index: VectorIndex) -> None:
    """From one on, the lowest first, whatever audience they have and wherever they are kept."""
    everything = [UUID(int=n << 64) for n in range(40)]
    await index.upsert(
        MEMORY,
        [
            Point(id=id_, vector=row, payload={"audience": f"space:{n % 3}"})
            for n, (id_, row) in enumerate(zip(everything, vectors(40), strict=True))
        ],
    )
    for start in (0, 7, 39):
        for limit in (1, 5, 100):
            found = await index.ids(MEMORY, start=everything[start], limit=limit)
            assert sorted(found) == everything[start : start + limit]
    between = UUID(int=everything[3].int + 1)
    assert await index.ids(MEMORY, start=between, limit=1) == {everything[4]}
    assert await index.ids(MEMORY, start=LAST_ID, limit=5) == frozenset()


async def test_entries_are_counted(index: VectorIndex) -> None:
    """Those that are there now, in their collection."""
    assert await index.count(MEMORY) == 0
    await index.upsert(MEMORY, points(20))
    await index.upsert(MEMORY, points(5))
    await index.delete(MEMORY, [UUID(int=19)])
    assert await index.count(MEMORY) == 19
    assert await index.count(Collection.SELF) == 0


async def test_edge_and_qdrant_rank_alike(tmp_path: Path) -> None:
    """Each is the other's oracle: the same hits for filtered and unfiltered questions."""
    edge = await EdgeIndex.open(tmp_path, FINGERPRINT)
    qdrant = on_server(AsyncQdrantClient(":memory:"), FINGERPRINT)
    for index in (edge, qdrant):
        await index.upsert(MEMORY, points(300))
    for query in vectors(20, seed=3):
        for allowed in (OPERATOR, scope("space:1")):
            ours = await edge.search(MEMORY, query, limit=10, scope=allowed)
            theirs = await qdrant.search(MEMORY, query, limit=10, scope=allowed)
            assert [hit.similarity for hit in ours] == pytest.approx(
                [hit.similarity for hit in theirs], abs=1e-3
            )
            # Half precision may swap neighbours that are a thousandth apart, and nothing more.
            assert len({hit.id for hit in ours} & {hit.id for hit in theirs}) >= 9
    await edge.close()
    await qdrant.close()


async def test_scrubbing_changes_nothing_that_can_be_found(index: VectorIndex) -> None:
    """Entries, vectors, audiences and deletions are the same after it, as often as it is done."""
    await index.upsert(MEMORY, points(300))
    await index.upsert(MEMORY, points(30))
    await index.delete(MEMORY, [UUID(int=0), UUID(int=299)])
    query = vectors(1, seed=2)[0]
    before = await index.search(MEMORY, query, limit=300, scope=scope("space:1", "space:2"))
    for _ in range(3):
        await index.scrub([MEMORY, Collection.SELF])
        await index.upsert(MEMORY, points(2)[1:])
    after = await index.search(MEMORY, query, limit=300, scope=scope("space:1", "space:2"))
    assert await index.ids(MEMORY) == {UUID(int=n) for n in range(1, 299)}
    similarities = {hit.id: hit.similarity for hit in before}
    assert {hit.id: hit.similarity for hit in after} == pytest.approx(similarities, abs=1e-3)
    assert len(after) == 199


async def test_a_server_does_not_vouch_for_its_files() -> None:
    """Edge and the double say that nothing is left; a server decides that for itself."""
    index = on_server(AsyncQdrantClient(":memory:"), FINGERPRINT)
    assert not await index.scrub([MEMORY])
    await index.close()
    with pytest.raises(VectorStoreUnavailable):
        await index.scrub([MEMORY])


async def test_outdated_collections_are_dropped_and_no_others(store: Store) -> None:
    """What an earlier embedder filled goes; what this one filled stays."""
    earlier = Fingerprint(name="test", dimension=DIMENSION, version="0")
    index = await store.open(earlier)
    await index.upsert(MEMORY, points(3))
    await index.close()
    index = await store.open(FINGERPRINT)
    await index.upsert(MEMORY, points(5))
    await index.drop_outdated()
    assert len(await index.ids(MEMORY)) == 5
    await index.close()
    index = await store.open(earlier)
    assert await index.ids(MEMORY) == frozenset()
    await index.close()
