"""Lets another embedder take over: its index is filled while the one in use answers."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Self
from uuid import UUID

import structlog

from memory.model.errors import VectorStoreUnavailable
from memory.ports import Embedder
from memory.storage.search.outbox import Outbox
from memory.storage.search.vector_place import VectorPlaces
from memory.upkeep.comparing import Difference, Still, compared, nothing_more
from memory.upkeep.filling import IndexFiller, emptied
from memory.upkeep.indexer import OUTAGES, Indexer, longer
from memory.vectorstores.in_use import SpaceInUse, VectorSpace

log = structlog.get_logger()

BATCH = 16
"""Entries embedded between two looks at what people write: a quarter of a second with a small model
of this machine, for which the index in use falls behind."""


MOVED = 256
"""The same where every embedding is known: one upload to a server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderChange:
    """How far another embedder is with what is kept, or the move of the index."""

    to: Embedder
    done: int
    entries: int


class Reembedding:
    """Fills the index beside the one in use, and has it take over once nothing is missing there.

    `outbox` keeps what the new embedder makes; `prepare` is asked for whatever else a question
    needs of it. Each vector is kept as it is made, so that a restart goes on.
    """

    def __init__(
        self,
        spaces: SpaceInUse,
        to: VectorSpace,
        outbox: Outbox,
        indexer: Indexer,
        prepare: Callable[[Embedder], Awaitable[None]],
    ) -> None:
        self._spaces = spaces
        self._to = to
        self._outbox = outbox
        self._indexer = indexer
        self._prepare = prepare
        self._places: VectorPlaces | None = None
        self._filler = IndexFiller(outbox, to.embedder, to.index)
        self.finished = asyncio.Event()
        """Set once it has taken over, or was given up."""
        self._done = self._entries = 0
        same = spaces.now.embedder.fingerprint == to.embedder.fingerprint
        self._batch = MOVED if same else BATCH
        indexer.beside = self._filler

    def at_another_place(self, places: VectorPlaces) -> Self:
        """The same where the index moves: `places` keeps whether what is there may be wrong.

        It also says whether the move was given up meanwhile, and is told that it is done.
        """
        self._places = places
        self._filler.missed = self._spoil
        return self

    @property
    def change(self) -> EmbedderChange | None:
        """What is under way; None once it is done."""
        if self._spaces.beside is None:
            return None
        return EmbedderChange(to=self._to.embedder, done=self._done, entries=self._entries)

    async def run(self) -> None:
        """Fill and take over, waiting outages out; afterwards nothing, until cancelled."""
        await self.complete()
        await asyncio.Event().wait()

    async def complete(self) -> None:
        """Fill and take over, waiting outages out."""
        before, now = self._spaces.now.embedder.fingerprint, self._to.embedder.fingerprint
        if before != now:
            log.info("embedder.begun", before=str(before), now=str(now))
        wait_s = 0.0
        while self._spaces.beside is not None:
            try:
                if await self._is_given_up():
                    self._indexer.beside = None
                    await self._spaces.drop_beside()
                    log.info("index_move.dropped", place=self._to.place)
                    break
                await self._take_over()
            except OUTAGES as error:
                if not wait_s:
                    log.warning("embedder.awaited", now=str(now), reason=str(error))
                wait_s = longer(wait_s)
                await asyncio.sleep(wait_s)
        self.finished.set()

    async def _is_given_up(self) -> bool:
        return self._places is not None and (await self._places.kept()).to != self._to.place

    async def _spoil(self) -> None:
        """Note that a change did not reach what is being filled, so that it is filled anew."""
        if self._places is not None:
            await self._places.change(lambda kept: replace(kept, spoilt=True))
        self._indexer.drop_beside()

    async def _clean(self) -> None:
        """Empty what is to be filled, if it may hold what is no more.

        Never the index that answers, which another spelling of its address leads to.
        """
        if self._places is None or not (await self._places.kept()).spoilt:
            return
        self._indexer.beside = self._filler
        now = self._spaces.now
        shared = await self._to.shares_store_with(now)
        if not shared or now.embedder.fingerprint != self._to.embedder.fingerprint:
            await emptied(self._to.index, outdated=not shared)
        async with self._indexer.paused():
            self._check_nothing_missed()
            await self._places.change(lambda kept: replace(kept, spoilt=False))

    def _check_nothing_missed(self) -> None:
        if self._indexer.beside is not self._filler:
            raise VectorStoreUnavailable("Changes were missed where the index moves to.")

    async def _take_over(self) -> None:
        await self._clean()
        await self._to.index.damaged()
        await self._to.index.discard_damaged()
        for _ in range(2):  # the second one finds what changed while nothing embedded
            await self._fill()
        async with self._indexer.paused():
            self._check_nothing_missed()
            if await self._is_given_up():
                return
            async for part, ids in self._compared(nothing_more):
                await self._filler.bring(part.collection, ids)
            await self._prepare(self._to.embedder)
            await self._outbox.set_fingerprint(self._to.embedder.fingerprint)
            if self._places is not None:
                await self._to.index.flush()
                await self._places.change(lambda kept: kept.switched())
            former = await self._spaces.replace()
            self._indexer.beside = None
        before, now = former.embedder.fingerprint, self._to.embedder.fingerprint
        if before != now:
            log.info("embedder.changed", before=str(before), now=str(now), entries=self._entries)
        if self._places is not None:
            log.info("index.moved", place=self._to.place, entries=self._entries)
        await self._spaces.close_retired()
        await self._indexer.drop_outdated()

    async def _fill(self) -> None:
        """Embed what is there now, a few at a time; what comes meanwhile the indexer brings."""
        expected = wrong = 0
        async for part, ids in self._compared(self._indexer.paused):
            expected, wrong = expected + part.expected, wrong + len(ids)
        self._entries, self._done = expected, expected - wrong
        async for part, ids in self._compared(self._indexer.paused):
            for start in range(0, len(ids), self._batch):
                batch = ids[start : start + self._batch]
                async with self._indexer.paused():
                    await self._filler.bring(part.collection, batch)
                self._done += len(batch)

    async def _compared(self, still: Still) -> AsyncIterator[tuple[Difference, Sequence[UUID]]]:
        """The parts of the new index, each with the entries that it has too little or too much."""
        async for part in compared(self._outbox, self._to.index, still):
            made = await self._outbox.embedded_among(part.collection, part.agreeing)
            yield part, sorted(part.missing | part.surplus | (part.agreeing - made))
