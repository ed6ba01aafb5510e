"""Moves the index to another vector store: that is filled while the one in use answers."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Protocol

import structlog

from memory.model.errors import MoveRefused, StorageFailed, VectorStoreUnavailable
from memory.model.shown import Shown
from memory.model.stores import Collection
from memory.model.vector_place import VectorPlace
from memory.ports import Embedder
from memory.storage.search.outbox import Outbox
from memory.storage.search.vector_place import VectorPlaces
from memory.upkeep.comparing import compared, nothing_more
from memory.upkeep.filling import IndexFiller
from memory.upkeep.indexer import OUTAGES, longer
from memory.upkeep.reembedding import Reembedding
from memory.vectorstores.in_use import SpaceInUse, VectorSpace

log = structlog.get_logger()

SAMPLE = 200
"""Entries of each collection that are uploaded for an estimate: a second or two."""

_FLOAT_BYTES = 4


class VectorStores(Protocol):
    """Opens vector stores by their place, "edge" or the address of a server."""

    def open(self, place: str, embedder: Embedder) -> AbstractAsyncContextManager[VectorSpace]:
        """The index of an embedder there, until the body ends."""
        ...

    async def empty(self, place: str, embedder: Embedder) -> None:
        """Remove all that this pet has there.

        Raises:
            VectorStoreUnavailable: some may be left; call again.

        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveEstimate:
    """What a move would take: entries, those of them without an embedding, bytes and seconds.

    Bytes are vectors and payloads as a server keeps them, without its graphs and copies; seconds
    are those of the sample, multiplied, and tell nothing of what is embedded on the way.
    """

    entries: Shown[int]
    unembedded: Shown[int]
    size_bytes: Shown[int]
    seconds: Shown[float]
    sampled: Shown[int]


class IndexMove:
    """Fills the index at another place, has it take over, and empties the former one.

    `make` makes what fills; `begun` is one that was under way when the process before ended.
    """

    def __init__(
        self,
        spaces: SpaceInUse,
        places: VectorPlaces,
        stores: VectorStores,
        make: Callable[[VectorSpace], Reembedding],
        begun: Reembedding | None,
    ) -> None:
        self.places = places
        self.work = begun
        """What fills now, or filled last."""
        self._spaces = spaces
        self._stores = stores
        self._make = make
        self._asked = asyncio.Event()
        self._deciding = asyncio.Lock()

    async def begin(self, to: str) -> None:
        """Begin to move to a place, unless that is under way; or give up, and stay.

        Raises:
            MoveRefused: the index is there, or something else is being filled or estimated.
            VectorStoreUnavailable: the store there does not answer.

        """
        async with self._alone():
            await self._begin(to)

    @asynccontextmanager
    async def _alone(self) -> AsyncIterator[None]:
        """One move is begun, or estimated, at a time."""
        if self._deciding.locked():
            raise MoveRefused("An estimate is under way, or a move begins: try again after it.")
        async with self._deciding:
            yield

    async def _begin(self, to: str) -> None:
        place = await self.places.kept()
        if to == place.at and place.to is None:
            raise MoveRefused(f"The index is at {to} already.")
        if to not in {place.at, place.to}:
            if place.to is not None:
                raise MoveRefused(
                    f"The index is moving to {place.to} already. To give that up: "
                    f"eko reindex --to {place.at}"
                )
            if self._spaces.beside is not None:
                raise MoveRefused("Another embedder is taking over: wait until it has.")
            async with self._stores.open(to, self._spaces.now.embedder) as space:
                await self._refuse_shared(space)
                await space.index.count(Collection.MEMORY)
        await self.places.change(lambda kept: kept.moving(to))
        self._asked.set()

    async def _refuse_shared(self, space: VectorSpace) -> None:
        """Refuse what is the store in use or being filled, before anything is claimed there."""
        for used in (self._spaces.now, self._spaces.beside):
            if used is not None and await space.shares_store_with(used):
                raise MoveRefused(f"{space.place} is another address of {used.place}, in use here.")

    async def run(self) -> None:
        """Move when asked, and empty what was left, until cancelled."""
        async with AsyncExitStack() as stack:
            if self.work is not None:
                await self.work.finished.wait()
            while True:
                await self._empty_left()
                await self._asked.wait()
                self._asked.clear()
                to = (await _patiently(self.places.kept)).to
                if to is None:
                    continue
                opened = self._stores.open(to, self._spaces.now.embedder)
                try:
                    space = await stack.enter_async_context(opened)
                except (VectorStoreUnavailable, OSError) as error:
                    log.warning("index_move.dropped", place=to, reason=str(error))
                    await _patiently(lambda: self.places.change(lambda kept: kept.moving(kept.at)))
                    continue
                self._spaces.beside = space
                self.work = self._make(space)
                await self.work.complete()

    async def _empty_left(self) -> None:
        """Empty the places that were left; what does not answer is tried at the next start."""
        for left in (await _patiently(self.places.kept)).leaving:
            await self._empty(left)

    async def _empty(self, left: str) -> None:
        try:
            await self._stores.empty(left, self._spaces.now.embedder)
            await self.places.change(lambda kept: kept.left(left))
        except (*OUTAGES, OSError) as error:
            log.warning("former_index.kept", place=left, reason=str(error))
            return
        log.info("former_index.emptied", place=left)

    async def estimate(self, to: str, outbox: Outbox) -> MoveEstimate:
        """What a move would take, by the upload of a sample, which is removed again.

        The place is to be emptied from before the upload on, so that a killed process leaves the
        sample to the next start.

        Raises:
            MoveRefused: the index is there, or on the way there, or a move begins.
            VectorStoreUnavailable: the store there does not answer.

        """
        async with self._alone():
            place = await self.places.kept()
            if to in {place.at, place.to}:
                raise MoveRefused(f"The index is at {to} already, or on the way there.")
            uploads = False
            try:
                async with self._stores.open(to, self._spaces.now.embedder) as space:
                    await self._refuse_shared(space)
                    await self.places.change(
                        lambda kept: replace(kept, leaving=(*kept.leaving, to))
                    )
                    uploads = True
                    return await _estimated(space, outbox)
            finally:
                if uploads:
                    await self._empty(to)


async def _patiently(work: Callable[[], Awaitable[VectorPlace]]) -> VectorPlace:
    """The place of the index, once the disk lets it be read and kept."""
    wait_s = 0.0
    while True:
        try:
            return await work()
        except StorageFailed as error:
            if not wait_s:
                log.warning("index_move.postponed", reason=str(error))
            wait_s = longer(wait_s)
            await asyncio.sleep(wait_s)


async def _estimated(space: VectorSpace, outbox: Outbox) -> MoveEstimate:
    filler = IndexFiller(outbox, space.embedder, space.index)
    entries = embedded = size = sampled = 0
    seconds, seen = 0.0, set[Collection]()
    async for part in compared(outbox, space.index, nothing_more):
        known = await outbox.embedded_among(part.collection, part.missing)
        entries, embedded = entries + part.expected, embedded + len(known) + len(part.agreeing)
        if part.collection in seen or not known:
            continue
        seen.add(part.collection)
        ids = sorted(known)[:SAMPLE]
        since = perf_counter()
        await filler.bring(part.collection, ids)
        seconds += perf_counter() - since
        sampled += len(ids)
        for entry in await outbox.entries(part.collection, ids):
            size += len(json.dumps(dict(entry.payload), ensure_ascii=False).encode())
            size += _FLOAT_BYTES * space.embedder.fingerprint.dimension
        await space.index.delete(part.collection, ids)
    share = entries / sampled if sampled else 0
    return MoveEstimate(
        entries=entries,
        unembedded=entries - embedded,
        size_bytes=round(size * share),
        seconds=seconds * share,
        sampled=sampled,
    )
