"""Compares what an index has with what the database says it should have, some ids at a time."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from uuid import UUID

from memory.model.stores import Collection
from memory.ports import FIRST_ID, LAST_ID, VectorIndex
from memory.storage.search.outbox import Outbox

COMPARED = 10_000
"""Ids compared at a time, of either side: a megabyte, whatever there is."""

Still = Callable[[], AbstractAsyncContextManager[None]]
"""While what it returns is entered, the indexer changes nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What some of a collection of the index has too little or too much of."""

    collection: Collection
    expected: int
    missing: frozenset[UUID]
    surplus: frozenset[UUID]
    agreeing: frozenset[UUID]


@asynccontextmanager
async def nothing_more() -> AsyncIterator[None]:
    """Where nothing is changed meanwhile anyway, or where that does not matter."""
    yield


async def compared(
    outbox: Outbox, index: VectorIndex, still: Still, *, embeds: bool = True
) -> AsyncIterator[Difference]:
    """Where they differ, a part at a time, each compared while nothing is applied.

    What waits in the outbox is no difference. Without `embeds` nothing should be there.

    Raises:
        VectorStoreUnavailable: the index did not answer.

    """
    for collection in Collection:
        start: UUID | None = FIRST_ID
        while start is not None:
            async with still():
                part, start = await _part(outbox, index, collection, start, embeds=embeds)
            yield part


async def _part(
    outbox: Outbox, index: VectorIndex, collection: Collection, start: UUID, *, embeds: bool
) -> tuple[Difference, UUID | None]:
    """Where they differ in the next ids, and where those after them start, if there are any."""
    expected: frozenset[UUID] = frozenset()
    if embeds:
        expected = await outbox.expected(collection, start=start, limit=COMPARED)
    there = await index.ids(collection, start=start, limit=COMPARED)
    ends = [max(ids) for ids in (expected, there) if len(ids) >= COMPARED]
    end = min(ends, default=LAST_ID)
    waiting = await outbox.waiting_in(collection, start, end)
    wanted = {id_ for id_ in expected if id_ <= end}
    found = {id_ for id_ in there if id_ <= end}
    part = Difference(
        collection=collection,
        expected=len(wanted),
        missing=frozenset(wanted - found - waiting),
        surplus=frozenset(found - wanted - waiting),
        agreeing=frozenset((wanted & found) - waiting),
    )
    return part, None if end == LAST_ID else UUID(int=end.int + 1)
