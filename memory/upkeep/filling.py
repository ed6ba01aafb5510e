"""Brings entries to one index as the database says they should be, embedded by one embedder."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from uuid import UUID

import structlog

from memory.model.errors import EmbeddingFailed, VectorRefused, VectorStoreUnavailable
from memory.model.stores import Collection
from memory.ports import Embedder, Point, VectorIndex
from memory.storage.search.outbox import Entry, Outbox

log = structlog.get_logger()

_EMPTIED = 10_000
"""Ids removed between two looks at what is left."""


class IndexFiller:
    """Upserts and deletes in one index; the outbox keeps what its embedder makes."""

    def __init__(self, outbox: Outbox, embedder: Embedder, index: VectorIndex) -> None:
        self._outbox = outbox
        self._embedder = embedder
        self._index = index
        self.missed: Callable[[], Awaitable[None]] | None = None
        """Told when a change cannot be brought; None where the change has to wait until it can."""

    async def bring(self, collection: Collection, ids: Sequence[UUID]) -> None:
        """Make these entries what they should be now.

        What should be gone goes first: no outage of the embedder may keep it.

        Raises:
            EmbeddingFailed: what has no vector yet is as it was.
            VectorStoreUnavailable: call again.

        """
        if not self._embedder.fingerprint.embeds:
            return  # the changes are struck off; a later embedder finds everything announced anew
        entries = await self._outbox.entries(collection, ids)
        wanted = {entry.id for entry in entries}
        gone = [id_ for id_ in ids if id_ not in wanted]
        if gone:
            await self._index.delete(collection, gone)
        if entries:
            embedded = await self._embedded(collection, entries)
            await self._upsert(collection, list(map(_point, embedded)))

    async def bring_or_drop(self, collection: Collection, ids: Sequence[UUID]) -> None:
        """Make these entries what they should be, or have none of them while nothing embeds.

        Raises:
            VectorStoreUnavailable: call again.

        """
        try:
            try:
                await self.bring(collection, ids)
            except EmbeddingFailed:
                await self._index.delete(collection, ids)
        except VectorStoreUnavailable:
            if self.missed is None:
                raise
            await self.missed()

    async def _upsert(self, collection: Collection, points: Sequence[Point]) -> None:
        """Upsert all but those the store will never take; `verify` shows what is missing."""
        try:
            await self._index.upsert(collection, points)
        except VectorRefused:
            if len(points) == 1:
                log.exception("point.refused", id=str(points[0].id))
                return
            for point in points:
                await self._upsert(collection, [point])

    async def _embedded(self, collection: Collection, entries: Sequence[Entry]) -> list[Entry]:
        new = [entry for entry in entries if entry.vector is None]
        if not new:
            return list(entries)
        vectors = await self._embedder.embed([entry.text for entry in new], "document")
        fresh = [replace(entry, vector=v) for entry, v in zip(new, vectors, strict=True)]
        await self._outbox.embedded(collection, fresh)
        return [entry for entry in entries if entry.vector is not None] + fresh


def _point(entry: Entry) -> Point:
    if entry.vector is None:  # pragma: no cover - _embedded has filled it
        raise EmbeddingFailed("An entry reached the index without its embedding.")
    return Point(id=entry.id, vector=entry.vector, payload=entry.payload)


async def emptied(index: VectorIndex, *, outdated: bool = True) -> None:
    """Remove every entry of an index, and with `outdated` what earlier embedders filled.

    Raises:
        VectorStoreUnavailable: some may be left; call again.

    """
    for collection in Collection:
        while ids := await index.ids(collection, limit=_EMPTIED):
            await index.delete(collection, sorted(ids))
    if outdated:
        await index.drop_outdated()
