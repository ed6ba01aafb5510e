"""Which embedder and which index are in use: both change places with others at one moment."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Literal, Self
from uuid import UUID

from memory.model.audience import Scope
from memory.model.stores import Collection
from memory.model.vector_place import EMBEDDED
from memory.ports import (
    FIRST_ID,
    Embedder,
    Fingerprint,
    Hit,
    Point,
    VectorIndex,
    VectorLease,
    Vectors,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorSpace:
    """An embedder, and the index of what it has embedded."""

    embedder: Embedder
    index: VectorIndex
    place: str = EMBEDDED
    lease: VectorLease | None = None
    """What settles whose the entries are; None where they are in the data folder."""

    async def shares_store_with(self, other: Self) -> bool:
        """Whether both are on one server; not where the other one's does not answer.

        Raises:
            VectorStoreUnavailable: the server of this one did not answer.

        """
        if self.lease is None or other.lease is None:
            return False
        return bool(await self.lease.shares_store_with(other.lease))


class SpaceInUse:
    """The space that questions are answered from, and one beside it while that is being filled.

    What embeds a text and compares it afterwards holds the space meanwhile. It is replaced at a
    moment when nothing holds it, so nothing waits for that, and no vector is ever compared with
    those of another embedder. Belongs to the event loop.
    """

    def __init__(self, space: VectorSpace, beside: VectorSpace | None = None) -> None:
        self.now = space
        self.beside = beside
        self._retired: list[VectorIndex] = []
        self._holders = 0
        self._replacing: asyncio.Future[None] | None = None

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep the space in use until the body ends."""
        self._holders += 1
        try:
            yield
        finally:
            self._holders -= 1
            if not self._holders and self._replacing is not None:
                self._replace()
                self._replacing.set_result(None)
                self._replacing = None

    async def replace(self) -> VectorSpace:
        """Put what is beside in use as soon as nothing holds what is; what was in use before."""
        before = self.now
        if not self._holders:
            self._replace()
            return before
        self._replacing = asyncio.get_running_loop().create_future()
        try:
            await self._replacing
        finally:
            self._replacing = None
        return before

    def _replace(self) -> None:
        if self.beside is not None:
            self._retired.append(self.now.index)
            self.now, self.beside = self.beside, None

    async def drop_beside(self) -> None:
        """Give up what is beside, and release its index."""
        if self.beside is not None:
            self._retired.append(self.beside.index)
            self.beside = None
        await self.close_retired()

    async def close_retired(self) -> None:
        """Release the indexes that were replaced."""
        while self._retired:
            await self._retired[0].close()
            del self._retired[0]

    async def close(self) -> None:
        """Flush and release every index that is open."""
        await self.close_retired()
        if self.beside is not None:
            await self.beside.index.close()
        await self.now.index.close()


class EmbedderOfSpace:
    """The Embedder that is in use."""

    def __init__(self, spaces: SpaceInUse) -> None:
        self._spaces = spaces

    @property
    def fingerprint(self) -> Fingerprint:
        """What the space in use is made with."""
        return self._spaces.now.embedder.fingerprint

    def held(self) -> AbstractContextManager[None]:
        """The space stays in use until the body ends."""
        return self._spaces.held()

    async def embed(self, texts: Sequence[str], kind: Literal["query", "document"]) -> Vectors:
        """One unit vector per text, by the embedder that is in use when it is asked."""
        return await self._spaces.now.embedder.embed(texts, kind)


class IndexOfSpace:
    """The VectorIndex that is in use; what must be gone goes from the one beside it too."""

    def __init__(self, spaces: SpaceInUse) -> None:
        self._spaces = spaces

    @property
    def used(self) -> VectorIndex:
        """The index that is in use now."""
        return self._spaces.now.index

    async def search(
        self, collection: Collection, vector: Vectors, *, limit: int, scope: Scope
    ) -> Sequence[Hit]:
        """The nearest entries the scope allows, best first."""
        return await self.used.search(collection, vector, limit=limit, scope=scope)

    async def upsert(self, collection: Collection, points: Sequence[Point]) -> None:
        """Insert or replace entries by id."""
        await self.used.upsert(collection, points)

    async def delete(self, collection: Collection, ids: Sequence[UUID]) -> None:
        """Remove entries by id."""
        await self.used.delete(collection, ids)

    async def ids(
        self, collection: Collection, *, start: UUID = FIRST_ID, limit: int | None = None
    ) -> frozenset[UUID]:
        """The lowest ids from `start` on, at most `limit` of them, or all."""
        return await self.used.ids(collection, start=start, limit=limit)

    async def count(self, collection: Collection) -> int:
        """How many entries the collection has."""
        return await self.used.count(collection)

    async def scrub(self, collections: Sequence[Collection]) -> bool:
        """Leave no byte of what was deleted, in the index that is being filled either."""
        beside = self._spaces.beside
        filled = beside is None or await beside.index.scrub(collections)
        return await self.used.scrub(collections) and filled

    async def damaged(self, *, thorough: bool = False) -> Sequence[str]:
        """What of its files the index cannot read."""
        return await self.used.damaged(thorough=thorough)

    async def discard_damaged(self) -> int:
        """Let go of what was found damaged; how many parts."""
        return await self.used.discard_damaged()

    async def drop_outdated(self) -> None:
        """Remove what earlier embedders filled, unless one of them is in use still."""
        if self._spaces.beside is None:
            await self.used.drop_outdated()

    async def flush(self) -> None:
        """Make everything accepted so far survive a power cut."""
        await self.used.flush()

    async def close(self) -> None:
        """Flush and release every index that is open."""
        await self._spaces.close()
