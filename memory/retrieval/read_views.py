"""Visits to everything that is kept: one snapshot, searches by meaning beside it, one moment."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TypeVar

from memory.model.audience import Scope
from memory.model.errors import ReadTooLate
from memory.model.stores import Collection
from memory.ports import Clock, Hit, Vectors, VectorSearch
from memory.storage.search.candidates import CandidateRows
from memory.storage.sqlite.readers import Readers, Snapshot

T = TypeVar("T")


class VectorSearches:
    """Searches by meaning for one vector, which go on in their process while a thread reads."""

    def __init__(self, index: VectorSearch, vector: Vectors, scope: Scope) -> None:
        self._search = partial(index.search, vector=vector, scope=scope)
        self._loop = asyncio.get_running_loop()
        self._under_way: dict[tuple[Collection, int], Future[Sequence[Hit]]] = {}

    def begin(self, collection: Collection, limit: int) -> Future[Sequence[Hit]]:
        """The search for the nearest entries, begun unless it is under way; from any thread."""
        key = collection, limit
        if key not in self._under_way:
            search = self._search(collection, limit=limit)
            self._under_way[key] = asyncio.run_coroutine_threadsafe(search, self._loop)
        return self._under_way[key]

    def end(self) -> None:
        """Give up what is under way still."""
        for search in self._under_way.values():
            search.cancel()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadView:
    """One look at what a scope allows, for plain functions in a reader's thread.

    Without a vector there is no `nearest`.
    """

    snapshot: Snapshot
    nearest: VectorSearches | None
    scope: Scope
    now: datetime

    def rows(self, wanted: AbstractSet[str] = frozenset()) -> CandidateRows:
        """What may be considered; pieces of notes are cut around the stems that are `wanted`."""
        return CandidateRows(self.snapshot, self.scope, self.now, wanted)

    def hits(self, collection: Collection, limit: int) -> Sequence[Hit]:
        """The nearest `limit` entries of a collection, as soon as they are known.

        Raises:
            ReadTooLate: the deadline came first.
            VectorStoreUnavailable: the store did not answer.

        """
        if self.nearest is None:
            return ()
        try:
            return self.nearest.begin(collection, limit).result(self.snapshot.left_s)
        except TimeoutError as error:
            raise ReadTooLate("The vector store did not answer in time.") from error


class ReadViews:
    """Opens read views: a reader's thread, and searches that begin before it does."""

    def __init__(self, readers: Readers, index: VectorSearch, clock: Clock) -> None:
        self._readers = readers
        self._index = index
        self._clock = clock

    async def make(
        self,
        work: Callable[[ReadView], T],
        scope: Scope,
        within_s: float | None = None,
        *,
        vector: Vectors | None = None,
        searches: Mapping[Collection, int] | None = None,
    ) -> T:
        """What `work` makes of a read view within its deadline, which it may set anew.

        `searches` are begun at once, each for so many entries near to the vector.

        Raises:
            ReadTooLate: the database did not answer by the deadline.
            StorageFailed: the file is damaged or cannot be read.

        """
        nearest = None if vector is None else VectorSearches(self._index, vector, scope)
        now = self._clock.now()

        def view(snapshot: Snapshot) -> T:
            return work(ReadView(snapshot=snapshot, nearest=nearest, scope=scope, now=now))

        if nearest is None:
            return await self._readers.read(view, within_s)
        for collection, limit in (searches or {}).items():
            nearest.begin(collection, limit)
        try:
            return await self._readers.read(view, within_s)
        finally:
            nearest.end()
