"""Brings the vector store up to date: idempotent, resumable, woken by commits only."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Self

import structlog

from memory.model.errors import EmbeddingFailed, StorageFailed, VectorStoreUnavailable
from memory.model.stores import Collection
from memory.ports import Embedder, VectorIndex
from memory.storage.search.outbox import Outbox
from memory.upkeep.claim_pass import ClaimPass
from memory.upkeep.comparing import Difference, compared
from memory.upkeep.filling import IndexFiller

log = structlog.get_logger()

BATCH = 64
"""Changes applied at a time: one embedding call, one upsert, about 10 ms with the offline parts."""

LONGEST_WAIT_S = 30.0
"""Ceiling of the back-off while the vector store, the embedder or the disk is away: once that is
back, what waits is to be there within a minute, the try itself and its retries included."""

OUTAGES = (EmbeddingFailed, VectorStoreUnavailable, StorageFailed)
"""What passes by itself or once disk space is freed; no entry leaves the outbox undone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferenceCount:
    """How many entries of a collection the index should have, lacks, and has too many."""

    collection: Collection
    expected: int = 0
    missing: int = 0
    surplus: int = 0

    def and_of(self, part: Difference) -> Self:
        """The count with a part of the collection more."""
        return replace(
            self,
            expected=self.expected + part.expected,
            missing=self.missing + len(part.missing),
            surplus=self.surplus + len(part.surplus),
        )


class Indexer:
    """Applies the outbox to the vector store and compares the two.

    What people claim is read after that, by `claims`.
    """

    def __init__(
        self, outbox: Outbox, embedder: Embedder, index: VectorIndex, claims: ClaimPass
    ) -> None:
        self._outbox = outbox
        self._claims = claims
        self._embedder = embedder
        self._index = index
        self._filler = IndexFiller(outbox, embedder, index)
        self.beside: IndexFiller | None = None
        """What fills an index of another embedder or place meanwhile; it gets every change too."""
        self._applying = asyncio.Lock()
        self._tidied = False
        self._paused_since: float | None = None

    @property
    def paused_s(self) -> float:
        """Seconds since the store, the embedder or the disk went away; 0 while all are there."""
        return 0.0 if self._paused_since is None else perf_counter() - self._paused_since

    async def run(self) -> None:
        """Apply what comes until cancelled; outages are waited out, nothing is skipped."""
        wait_s = 0.0
        while True:
            try:
                await self._notice_new_embedder()
                await self.settle()
                await self._drop_outdated_once()
                while await self._claims.read_batch():
                    await self.settle()
            except OUTAGES as error:
                if not wait_s:
                    self._paused_since = perf_counter()
                    log.warning("index.paused", error=type(error).__name__)
                    await self._mend_damage()
                wait_s = longer(wait_s)
                await asyncio.sleep(wait_s)
                continue
            if wait_s:
                log.info("index.resumed")
            wait_s, self._paused_since = 0.0, None
            await self._outbox.committed()

    async def settle(self, *, at_most: int | None = None) -> int:
        """Apply everything that waits now, or about `at_most` of it; how many changes that was.

        Raises:
            EmbeddingFailed: nothing of the current batch is lost, call again.
            VectorStoreUnavailable: the same.
            StorageFailed: the same.

        """
        applied = 0
        async with self._applying:
            while (at_most is None or applied < at_most) and (
                changes := await self._outbox.head(BATCH)
            ):
                for collection in dict.fromkeys(change.collection for change in changes):
                    ids = {one.id for one in changes if one.collection is collection}
                    await self._filler.bring(collection, list(ids))
                    if self.beside is not None:
                        await self.beside.bring_or_drop(collection, list(ids))
                await self._outbox.applied(changes)
                applied += len(changes)
        return applied

    async def settle_or_wait(self) -> int:
        """Apply what the vector store takes; how many changes wait after that, 0 in health."""
        with suppress(EmbeddingFailed, VectorStoreUnavailable):
            await self.settle()
        return await self._outbox.waiting()

    @asynccontextmanager
    async def paused(self) -> AsyncIterator[None]:
        """Nothing is applied until the body ends."""
        async with self._applying:
            yield

    async def differences(self) -> list[DifferenceCount]:
        """How index and truth differ, collection by collection, besides what waits to be applied.

        People go on talking meanwhile: nothing is applied while a part is compared, and what was
        written since then waits in the outbox and is no difference.
        """
        await self.settle()
        found = {one: DifferenceCount(collection=one) for one in Collection}
        async for part in self.compared():
            found[part.collection] = found[part.collection].and_of(part)
        return list(found.values())

    def compared(self) -> AsyncIterator[Difference]:
        """Where they differ, some ids at a time, so that no more of them are ever in memory."""
        embeds = self._embedder.fingerprint.embeds
        return compared(self._outbox, self._index, self.paused, embeds=embeds)

    async def mend(self) -> None:
        """Repair what a power cut, a new store or a deleted folder left different.

        Raises:
            EmbeddingFailed: call again, what is mended stays mended.
            VectorStoreUnavailable: the same.
            StorageFailed: the same.

        """
        await self.discard_damaged()
        if wrong := await self.repair():
            log.warning("index.mended", entries=wrong)

    async def try_mending(self) -> bool:
        """Mend, unless an outage is in the way; whether it was done."""
        try:
            await self.mend()
        except OUTAGES as error:
            log.warning("mending.postponed", error=type(error).__name__)
            return False
        return True

    async def mend_after_outage(self) -> None:
        """Mend what was put off: tries later and later, and says nothing until it is done."""
        wait_s = 0.0
        while True:
            wait_s = longer(wait_s)
            await asyncio.sleep(wait_s)
            with suppress(*OUTAGES):
                await self.mend()
                log.info("mending.finished")
                return

    async def discard_damaged(self, *, thorough: bool = False) -> int:
        """Let go of what the store cannot read of its files; how many parts are to be filled anew.

        Raises:
            VectorStoreUnavailable: call again.

        """
        async with self._applying:
            found = await self._index.damaged(thorough=thorough)
            if found:
                log.warning("index.discarded", parts=found)
            return await self._index.discard_damaged()

    async def _mend_damage(self) -> None:
        """Fill anew what turned out damaged while it ran, if that is why the store failed."""
        with suppress(*OUTAGES):
            if await self.discard_damaged():
                await self.repair()

    async def repair(self) -> int:
        """Bring every differing entry to what the database says; how many there were.

        Raises:
            VectorStoreUnavailable: call again, what is mended stays mended.

        """
        await self.settle()
        wrong = 0
        async for part in self.compared():
            if ids := [*part.missing, *part.surplus]:
                await self._outbox.announce_ids(part.collection, ids)
                wrong += len(ids)
                await self.settle()  # so that little waits while the next ids are compared
        return wrong

    async def _notice_new_embedder(self) -> None:
        if self.beside is not None:
            return  # the one that takes over is noted already when it does
        fingerprint = self._embedder.fingerprint
        known = await self._outbox.fingerprint()
        if known == str(fingerprint):
            return
        if known is not None:
            log.warning("embedder.changed", before=known, now=str(fingerprint))
            await self._outbox.announce_all()
        await self._outbox.set_fingerprint(fingerprint)

    async def _drop_outdated_once(self) -> None:
        """Once all that is known is in the index of this embedder, the earlier ones' can go."""
        if self._tidied or self.beside is not None:
            return
        self._tidied = True  # else a server that refuses it would hold up everything else
        await self.drop_outdated()

    def drop_beside(self) -> None:
        """Fill one index alone: a change did not reach the other, which is begun anew."""
        self.beside = None
        self._tidied = True  # whatever takes over tidies then

    async def drop_outdated(self) -> None:
        """Let go of what other embedders made, in the index and beside the rows."""
        try:
            await self._index.drop_outdated()
        except VectorStoreUnavailable:
            log.warning("outdated_collections.kept")
        if self._embedder.fingerprint.embeds:
            await self._outbox.drop_other_embeddings()


def longer(wait_s: float) -> float:
    """What to wait after a try that followed a wait of `wait_s`, which is 0 for the first."""
    return min(LONGEST_WAIT_S, 2 * wait_s or 1.0)
