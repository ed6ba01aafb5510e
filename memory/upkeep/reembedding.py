"""Lets another embedder take over: its index is filled while the one in use answers."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

import structlog

from memory.model.stores import Collection
from memory.ports import Embedder
from memory.storage.search.outbox import Outbox
from memory.upkeep.filling import IndexFiller
from memory.upkeep.indexer import OUTAGES, Indexer, longer
from memory.vectorstores.in_use import SpaceInUse, VectorSpace

log = structlog.get_logger()

BATCH = 16
"""Entries embedded between two looks at what people write: a quarter of a second with a small model
of this machine, for which the index in use falls behind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderChange:
    """How far another embedder is with what is kept."""

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
        self._filler = IndexFiller(outbox, to.embedder, to.index)
        self._done = self._entries = 0
        indexer.beside = self._filler

    @property
    def change(self) -> EmbedderChange | None:
        """What is under way; None once it is done."""
        if self._spaces.beside is None:
            return None
        return EmbedderChange(to=self._to.embedder, done=self._done, entries=self._entries)

    async def run(self) -> None:
        """Fill and take over, waiting outages out; afterwards nothing, until cancelled."""
        before, now = self._spaces.now.embedder.fingerprint, self._to.embedder.fingerprint
        log.info("embedder.begun", before=str(before), now=str(now))
        wait_s = 0.0
        while self._spaces.beside is not None:
            try:
                await self._take_over()
            except OUTAGES as error:
                if not wait_s:
                    log.warning("embedder.awaited", now=str(now), reason=str(error))
                wait_s = longer(wait_s)
                await asyncio.sleep(wait_s)
        await asyncio.Event().wait()

    async def _take_over(self) -> None:
        await self._to.index.damaged()
        await self._to.index.discard_damaged()
        for _ in range(2):  # the second one finds what changed while nothing embedded
            await self._fill()
        async with self._indexer.paused():
            for collection in Collection:
                await self._filler.bring(collection, await self._wrong(collection))
            await self._prepare(self._to.embedder)
            await self._outbox.set_fingerprint(self._to.embedder.fingerprint)
            former = await self._spaces.replace()
            self._indexer.beside = None
        before, now = former.embedder.fingerprint, self._to.embedder.fingerprint
        log.info("embedder.changed", before=str(before), now=str(now), entries=self._entries)
        await self._spaces.close_retired()
        await self._indexer.drop_outdated()

    async def _fill(self) -> None:
        """Embed what is there now, a few at a time; what comes meanwhile the indexer brings."""
        wrong = {collection: await self._wrong(collection) for collection in Collection}
        expected = [await self._outbox.expected(collection) for collection in Collection]
        self._entries = sum(map(len, expected))
        self._done = self._entries - sum(map(len, wrong.values()))
        for collection, ids in wrong.items():
            for start in range(0, len(ids), BATCH):
                batch = ids[start : start + BATCH]
                async with self._indexer.paused():
                    await self._filler.bring(collection, batch)
                self._done += len(batch)

    async def _wrong(self, collection: Collection) -> Sequence[UUID]:
        """The entries that the new index has too little or too much; those waiting come anyway."""
        expected = await self._outbox.expected(collection)
        there = await self._to.index.ids(collection)
        embedded = await self._outbox.embedded_ids(collection)
        waiting = await self._outbox.waiting_in(collection)
        return sorted((expected - (there & embedded) | (there - expected)) - waiting)
