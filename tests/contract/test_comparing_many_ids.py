"""A hundred thousand ids are compared in the memory of a few thousand."""

import tracemalloc
from bisect import bisect_left
from uuid import UUID

from memory.model.stores import Collection
from memory.ports import FIRST_ID
from memory.storage.search.outbox import Outbox
from memory.upkeep.claim_pass import ClaimPass
from memory.upkeep.indexer import Indexer
from memory.vectorstores.in_memory import InMemoryIndex
from tests.embedder import HashingEmbedder

MANY = 100_000

IDS = range(1 << 64, (1 << 64) + MANY * 977, 977)

MOST_MB = 16
"""Four sets of 10,000 ids; 100,000 of them on either side take 40 MB."""


def some(start: UUID, limit: int | None) -> frozenset[UUID]:
    """The ids from one on."""
    first = bisect_left(IDS, start.int)
    return frozenset(UUID(int=one) for one in IDS[first:][:limit])


class ManyInDatabase(Outbox):
    """A database that wants them all in one collection."""

    def __init__(self) -> None:
        """It reads nothing."""

    async def head(self, limit: int) -> list[object]:  # type: ignore[override]
        """Nothing waits."""
        del limit
        return []

    async def waiting_in(self, collection: Collection, start: UUID, end: UUID) -> frozenset[UUID]:
        """Nothing waits."""
        del collection, start, end
        return frozenset()

    async def expected(
        self, collection: Collection, *, start: UUID = FIRST_ID, limit: int | None = None
    ) -> frozenset[UUID]:
        """All of them."""
        return some(start, limit) if collection is Collection.MEMORY else frozenset()


class ManyInIndex(InMemoryIndex):
    """An index that has all of them but the first."""

    async def ids(
        self, collection: Collection, *, start: UUID = FIRST_ID, limit: int | None = None
    ) -> frozenset[UUID]:
        """All but the first."""
        lowest = max(start, UUID(int=IDS[1]))
        return some(lowest, limit) if collection is Collection.MEMORY else frozenset()


class NothingClaimed(ClaimPass):
    """No message waits to be read for claims."""

    def __init__(self) -> None:
        """It reads nothing."""


async def test_the_memory_of_a_comparison_does_not_grow_with_the_ids() -> None:
    """Each is compared all the same: the one that is missing is found."""
    embedder = HashingEmbedder()
    indexer = Indexer(
        ManyInDatabase(), embedder, ManyInIndex(embedder.fingerprint), NothingClaimed()
    )
    tracemalloc.start()
    differences = {one.collection: one for one in await indexer.differences()}
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    found = differences[Collection.MEMORY]
    assert (found.expected, found.missing, found.surplus) == (MANY, 1, 0)
    assert peak < MOST_MB << 20
