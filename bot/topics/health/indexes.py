"""What `eko verify` and `eko reindex` do, in the daemon or in a process of its own."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Literal

from bot.surfaces.operations import TopicOperations, operation
from bot.surfaces.requests import OperationRequest
from bot.surfaces.values import Event
from memory.model.errors import VectorStoreUnavailable
from memory.storage.sqlite.health import Checkup
from memory.upkeep.indexer import Difference

_AT_ONCE = 256
"""Changes indexed between two signs of progress."""


class VerifyRequest(OperationRequest):
    """Compare the database, its full-text indexes and the vector store.

    `trust_clock` follows a machine whose clock is behind all that was seen, and corrects the dates.
    """

    repair: bool = False
    trust_clock: bool = False


class ReindexRequest(OperationRequest):
    """Fill the vector store from the database again."""


class IdentityRequest(OperationRequest):
    """Say which pet this is to a shared vector server; or be a new one, or take the pet over."""

    choice: Literal["new", "keep"] | None = None


@dataclass(frozen=True, slots=True)
class _Compared:
    problems: tuple[str, ...]
    differences: tuple[Difference, ...]

    @property
    def wrong(self) -> int:
        """How many entries the vector store has too little or too much."""
        return sum(len(one.missing) + len(one.surplus) for one in self.differences)


class IndexOperations(TopicOperations):
    """The operations that compare the indexes with the database, and mend them."""

    @operation("verify")
    async def verify(self, request: VerifyRequest) -> AsyncIterator[Event]:
        """Compare and maybe repair; the result says what differs and whether all is sound."""
        if request.trust_clock:
            yield {"progress": {"state": "dating anew"}}
            await self._app.services.clock_watch.settle(trusting=True)
        yield {"progress": {"state": "reading the database"}}
        checkup = await self._app.storage.health.checkup()
        yield {"progress": {"state": "comparing the vector store"}}
        if not self._app.embedder.fingerprint.embeds:
            yield {"progress": {"warning": "There is no embedder: nothing is kept as vectors."}}
        await self._app.storage.memories.sweep()  # what has expired since the last one is no fault
        found, repaired = await self._compared(checkup, discarding=request.repair), 0
        if request.repair and (found.wrong or checkup.broken_text):
            yield {"progress": {"state": "repairing"}}
            await self._app.storage.health.rebuild_text(checkup.broken_text)
            repaired = await self._app.services.indexer.repair(found.differences)
            checkup = await self._app.storage.health.checkup()
            found = await self._compared(checkup, discarding=False)
        yield {
            "result": {
                "counts": checkup.counts,
                "problems": list(found.problems),
                "vectors": {
                    one.collection.value: {
                        "expected": one.expected,
                        "missing": len(one.missing),
                        "surplus": len(one.surplus),
                    }
                    for one in found.differences
                },
                "repaired": repaired,
                "sound": not found.problems and not found.wrong,
            }
        }

    async def _compared(self, checkup: Checkup, *, discarding: bool) -> _Compared:
        """How the vector store differs, also by what it cannot read, which may be discarded."""
        damaged = await self._app.index.damaged(thorough=True)
        if discarding and damaged:
            await self._app.services.indexer.discard_damaged()
            damaged = []
        differences = await self._app.services.indexer.differences()
        unread = [f"The vector store cannot read its files of {one}" for one in damaged]
        return _Compared((*checkup.problems, *unread), tuple(differences))

    @operation("reindex")
    async def reindex(self, request: ReindexRequest) -> AsyncIterator[Event]:
        """Bring every entry to the vector store again; the result says how many.

        What the store cannot read of its files is let go of first, or once it turns out.
        """
        del request
        indexer, outbox = self._app.services.indexer, self._app.storage.outbox
        await indexer.discard_damaged(thorough=True)
        await outbox.announce_all()
        total = left = await outbox.waiting()
        while left:
            yield {"progress": {"done": total - left, "total": total}}
            try:
                await indexer.settle(at_most=_AT_ONCE)
            except VectorStoreUnavailable:
                if not await indexer.discard_damaged():
                    raise
            left = await outbox.waiting()
        await indexer.mend()
        yield {"result": {"indexed": total}}

    @operation("identity")
    async def identity(self, request: IdentityRequest) -> AsyncIterator[Event]:
        """Which pet this folder is to a vector server that others use; and settle it, if asked."""
        lease = self._app.services.lease
        if lease is None:
            yield {"result": {"pet": None}}
            return
        if request.choice is not None:
            await (lease.keep() if request.choice == "keep" else lease.begin_anew())
            yield {"progress": {"state": "comparing the vector store"}}
            await self._app.services.indexer.mend()
        yield {"result": {"pet": (await lease.pet()).hex}}
