"""Qdrant Edge, the embedded vector store, in a child process of its own.

The engine holds the interpreter lock while it works; in a process of its own it costs the daemon's
event loop nothing but the bytes of a pipe.
"""

import asyncio
import shutil
from asyncio import Lock
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Self
from uuid import UUID

from memory.model.audience import Scope
from memory.model.errors import VectorStoreUnavailable
from memory.model.stores import Collection
from memory.ports import FIRST_ID, Fingerprint, Hit, Point, Vectors
from memory.vectors import checked, checked_points, collection_names, is_ours
from memory.vectorstores.edge.process import EdgeProcess, worker_command

_BATCH = 256
"""Points per request: 11 ms of the worker's time, so a search never waits longer behind one."""

_CHECKED_PAGE = 128
"""Entries read whole per request: 8 ms of the worker's time."""

_IDS_PAGE = 10_000
"""Ids per request: 20 ms of the worker's time, for the same reason."""

_ID_BYTES = 16
"""An id is a UUID; what knows of the engine is imported by the worker only."""


class EdgeIndex:
    """A VectorIndex in a folder on this machine, made with `open`."""

    def __init__(
        self, process: EdgeProcess, folder: Path, fingerprint: Fingerprint, prefix: str
    ) -> None:
        self._process = process
        self._folder = folder
        self._prefix = prefix
        self._dimension = fingerprint.dimension
        self._names = collection_names(prefix, fingerprint)
        self._writing: defaultdict[Collection, Lock] = defaultdict(Lock)
        self._scrubbing = Lock()

    @classmethod
    async def open(
        cls, folder: Path, fingerprint: Fingerprint, *, prefix: str = "eko_", timeout_s: float = 10
    ) -> Self:
        """Start the worker, which opens what the folder holds while the daemon starts.

        Raises:
            VectorStoreUnavailable: the worker cannot be started.

        """
        names = collection_names(prefix, fingerprint).values()
        command = worker_command(folder, fingerprint.dimension, tuple(names))
        process = EdgeProcess(command, timeout_s=timeout_s)
        await process.start()
        return cls(process, folder, fingerprint, prefix)

    @property
    def worker_pid(self) -> int | None:
        """The process id of the worker, None while there is none."""
        return self._process.pid

    async def search(
        self, collection: Collection, vector: Vectors, *, limit: int, scope: Scope
    ) -> Sequence[Hit]:
        """The nearest entries the scope allows, best first, by a scan of all of those."""
        query = checked(vector, self._dimension).tobytes()
        audiences = None if scope.audiences is None else sorted(scope.audiences)
        found = await self._process.request(
            "search", self._names[collection], query, limit, audiences
        )
        return [Hit(id=UUID(bytes=each), similarity=similarity) for each, similarity in found]

    async def upsert(self, collection: Collection, points: Sequence[Point]) -> None:
        """Insert or replace entries; once accepted they survive the death of either process."""
        vectors = checked_points(points, self._dimension)
        async with self._writing[collection]:
            for start in range(0, len(points), _BATCH):
                batch = points[start : start + _BATCH]
                await self._process.request(
                    "upsert",
                    self._names[collection],
                    _packed([point.id for point in batch]),
                    vectors[start : start + _BATCH].tobytes(),
                    [dict(point.payload) for point in batch],
                )

    async def delete(self, collection: Collection, ids: Sequence[UUID]) -> None:
        """Remove entries by id."""
        async with self._writing[collection]:
            for start in range(0, len(ids), _BATCH):
                packed = _packed(ids[start : start + _BATCH])
                await self._process.request("delete", self._names[collection], packed)

    async def ids(
        self, collection: Collection, *, start: UUID = FIRST_ID, limit: int | None = None
    ) -> frozenset[UUID]:
        """The lowest ids from `start` on, at most `limit` of them, or all."""
        pages, at = bytearray(), start.bytes
        while at is not None and (limit is None or len(pages) < limit * _ID_BYTES):
            page, at = await self._process.request("ids", self._names[collection], at, _IDS_PAGE)
            pages += page
        found = _unpacked(bytes(pages))
        return frozenset(found if limit is None else sorted(found)[:limit])

    async def count(self, collection: Collection) -> int:
        """How many entries the collection has."""
        held: int = await self._process.request("count", self._names[collection])
        return held

    async def scrub(self, collections: Sequence[Collection]) -> bool:
        """Rewrite the shards that may hold what is no entry any more, a few entries at a time."""
        async with self._scrubbing:
            for name in (self._names[each] for each in collections):
                await self._process.request("plan_scrub", name)
                while await self._process.request("scrub_some", name):
                    pass
        return True

    async def damaged(self, *, thorough: bool = False) -> Sequence[str]:
        """The shards whose files cannot be read; `thorough` reads every entry, 6 s at 100k."""
        found = []
        for collection, name in self._names.items():
            while await self._process.request("open_next", name):
                pass
            after: object = None
            while thorough and (after := await self._checked(name, after)) is not None:
                pass
            shards = await self._process.request("damaged", name)
            found += [f"{collection.value} ({shard}): {damage}" for shard, damage in shards]
        return found

    async def _checked(self, name: str, after: object) -> object:
        return await self._process.request("check_some", name, after, _CHECKED_PAGE)

    async def discard_damaged(self) -> int:
        """Let go of the shards found damaged, to be filled anew from the database; how many."""
        return sum(
            [await self._process.request("discard_damaged", name) for name in self._names.values()]
        )

    async def drop_outdated(self) -> None:
        """Remove the folders with this prefix that belong to other fingerprints."""
        try:
            await asyncio.to_thread(
                remove_shards, self._folder, self._prefix, keeping=frozenset(self._names.values())
            )
        except OSError as error:
            raise VectorStoreUnavailable(
                f"An outdated collection cannot be removed ({error})."
            ) from error

    async def flush(self) -> None:
        """Make everything accepted so far survive a power cut."""
        await self._process.request("flush")

    async def close(self) -> None:
        """Flush and end the worker."""
        await self._process.close()


def remove_shards(folder: Path, prefix: str, *, keeping: frozenset[str] = frozenset()) -> None:
    """Remove the collections with this prefix that are no longer opened, with all they hold."""
    for path in folder.glob(f"{prefix}*"):
        if not is_ours(path.name, prefix) or path.name in keeping:
            continue
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()


def _packed(ids: Sequence[UUID]) -> bytes:
    return b"".join(each.bytes for each in ids)


def _unpacked(ids: bytes) -> list[UUID]:
    return [UUID(bytes=ids[start : start + _ID_BYTES]) for start in range(0, len(ids), _ID_BYTES)]
