"""What `eko verify` and `eko reindex` do, in the daemon or in a process of its own."""

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Literal

from bot.surfaces.operations import TopicOperations, operation
from bot.surfaces.requests import OperationRequest
from bot.surfaces.values import Event
from memory.model.errors import MoveRefused, VectorStoreUnavailable
from memory.model.vector_place import EMBEDDED
from memory.storage.sqlite.health import Checkup
from memory.upkeep.indexer import DifferenceCount

_LOOKED_AT_EVERY_S = 0.2

_PLACE = re.compile(rf"{EMBEDDED}|https?://[^\s/]\S*")

_AT_ONCE = 256
"""Changes indexed between two signs of progress."""


class VerifyRequest(OperationRequest):
    """Compare the database, its full-text indexes and the vector store.

    `trust_clock` follows a machine whose clock is behind all that was seen, and corrects the dates.
    """

    repair: bool = False
    trust_clock: bool = False


class ReindexRequest(OperationRequest):
    """Fill the vector store from the database again; or move to another one, `to`.

    `estimate` uploads a sample there, removes it again, and says what the move would take.
    """

    to: str | None = None
    estimate: bool = False


class IdentityRequest(OperationRequest):
    """Say which pet this is to a shared vector server; or be a new one, or take the pet over."""

    choice: Literal["new", "keep"] | None = None


@dataclass(frozen=True, slots=True)
class _Compared:
    problems: tuple[str, ...]
    differences: tuple[DifferenceCount, ...]

    @property
    def wrong(self) -> int:
        """How many entries the vector store has too little or too much."""
        return sum(one.missing + one.surplus for one in self.differences)


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
            repaired = await self._app.services.indexer.repair()
            checkup = await self._app.storage.health.checkup()
            found = await self._compared(checkup, discarding=False)
        yield {
            "result": {
                "counts": checkup.counts,
                "problems": list(found.problems),
                "vectors": {
                    one.collection.value: {
                        "expected": one.expected,
                        "missing": one.missing,
                        "surplus": one.surplus,
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
        if request.to is not None:
            async for event in self._moved(_place(request.to), estimate=request.estimate):
                yield event
            return
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

    async def _moved(self, to: str, *, estimate: bool) -> AsyncIterator[Event]:
        """Move the index, following it to its end; who stops following does not stop it."""
        if not self._app.embedder.fingerprint.embeds:
            raise MoveRefused("There is no embedder: nothing is kept as vectors.")
        move = self._app.services.index_move
        if estimate:
            yield {"result": {"estimate": await move.estimate(to, self._app.storage.outbox)}}
            return
        before = await move.places.kept()
        await move.begin(to)
        given_up = before.to if to == before.at else None
        entries = 0
        while (place := await move.places.kept()).to == to:
            if (change := self._app.services.change) is not None and change.entries:
                entries = change.entries
                yield {"progress": {"done": change.done, "total": entries}}
            await asyncio.sleep(_LOOKED_AT_EVERY_S)
        if place.at != to:
            raise MoveRefused(f"The move was given up: the index stays at {place.at}.")
        told = {"at": place.at, "settings": place.asked, "indexed": entries, "given_up": given_up}
        yield {"result": told}

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


def _place(told: str) -> str:
    """The place that is meant, spelled in one way.

    Raises:
        MoveRefused: it is neither "edge" nor an address.

    """
    place = told.strip().rstrip("/")
    if not _PLACE.fullmatch(place):
        raise MoveRefused(
            f'"{told}" is no place of an index: write {EMBEDDED}, or the address of a Qdrant '
            "server such as https://qdrant.example:6333"
        )
    return place
