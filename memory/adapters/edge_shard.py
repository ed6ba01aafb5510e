"""One Qdrant Edge shard on disk: created whole, opened patiently, searched exactly.

Imported by the worker process only: Edge holds the interpreter lock while it works.
"""

import shutil
import time
from array import array
from pathlib import Path
from typing import Any
from uuid import UUID

import qdrant_edge as edge

from memory.adapters.edge_pages import release_pages

_LOCK_PATIENCE_S = 5.0
"""A previous worker that lost its daemon flushes before it exits, which takes seconds at most."""

_LOCK_RETRY_S = 0.05
"""Short beside the time a person notices, long beside the cost of a try."""

_NEVER_INDEX_KB = 10**9
"""No HNSW graph: an exact scan has recall 1.0 and costs 4 ms at 100k x 256 in float16, while
filtered HNSW was measured at 0.83, and building it would block the worker for minutes."""

_VACUUM_AFTER = 10_000
"""Deleted entries keep their place on disk; below this the space is not worth a copy."""

FILTER_FIELD = "audience"
"""The only field searches filter by; every further payload index costs 8 MB at 100k entries."""


class Shard:
    """The entries of one collection, made with one embedder."""

    def __init__(self, path: Path, dimension: int) -> None:
        if not path.exists():
            _create(path, dimension)
        self._edge = _opened(path)
        self._log = path / "wal"
        self._deleted = 0
        self._dimension = dimension
        self.dirty = False
        self._edge.optimize()  # copies the shard if a fifth of it is deleted, else does nothing
        release_pages(self._log)
        self._read_in_order()

    def upsert(self, ids: bytes, vectors: bytes, payloads: list[dict[str, Any]]) -> None:
        """Insert or replace entries; `ids` are 16 bytes each and `vectors` float32, end to end."""
        numbers, size = array("f", vectors), self._dimension
        points = [
            edge.Point(identifier, numbers[row * size : (row + 1) * size].tolist(), payload)
            for row, (identifier, payload) in enumerate(
                zip(_identifiers(ids), payloads, strict=True)
            )
        ]
        self._edge.update(edge.UpdateOperation.upsert_points(points))
        self.dirty = True

    def delete(self, ids: bytes) -> None:
        """Remove entries by id."""
        identifiers: list[int | UUID | str] = list(_identifiers(ids))
        self._edge.update(edge.UpdateOperation.delete_points(identifiers))
        self._deleted += len(identifiers)
        self.dirty = True

    def search(
        self, vector: bytes, limit: int, audiences: list[str] | None
    ) -> list[tuple[bytes, float]]:
        """The nearest entries as (id, cosine), best first, among these audiences."""
        request = edge.QueryRequest(
            limit=limit,
            query=edge.Query.Nearest(array("f", vector).tolist()),
            filter=None if audiences is None else _among(audiences),
            params=edge.SearchParams(exact=True),
        )
        return [(_uuid(hit.id).bytes, hit.score) for hit in self._edge.query(request)]

    def ids(self, after: bytes | None, limit: int) -> tuple[bytes, bytes | None]:
        """A page of ids, and where the next page starts, if there is one."""
        start = None if after is None else UUID(bytes=after)
        records, following = self._edge.scroll(
            edge.ScrollRequest(offset=start, limit=limit, with_payload=False, with_vector=False)
        )
        page = b"".join(_uuid(record.id).bytes for record in records)
        return page, None if following is None else _uuid(following).bytes

    def flush(self) -> None:
        """Write everything to disk, and give back the space of the deleted when that is cheap."""
        if self._deleted >= max(_VACUUM_AFTER, self._edge.info().points_count):
            self._edge.optimize()
            self._deleted = 0
        self._edge.flush()
        release_pages(self._log)
        self.dirty = False

    def _read_in_order(self) -> None:
        """Have the vectors read from front to back, 70 ms at 100k entries, before a search does.

        The first one with a filter would read them at random: 530 ms, and every search of the
        first questions would wait behind it.
        """
        self.search(array("f", [1.0] * self._dimension).tobytes(), 1, None)

    def close(self) -> None:
        """Write everything to disk and release the lock."""
        self._edge.flush()
        self._edge.close()


def _create(path: Path, dimension: int) -> None:
    """Make an empty shard with its payload index, whole or not at all."""
    unfinished = path.with_name(f"{path.name}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    shard = edge.EdgeShard.create(str(unfinished), _configuration(dimension))
    shard.update(
        edge.UpdateOperation.create_field_index(FILTER_FIELD, edge.PayloadSchemaType.Keyword)
    )
    shard.flush()
    shard.close()
    unfinished.rename(path)


def _configuration(dimension: int) -> edge.EdgeConfig:
    return edge.EdgeConfig(
        vectors=edge.EdgeVectorParams(
            size=dimension,
            distance=edge.Distance.Cosine,
            datatype=edge.VectorStorageDatatype.Float16,
            memory=edge.Memory.Cold,  # else each file of 32 MB is read whole, however empty
        ),
        optimizers=edge.EdgeOptimizersConfig(
            indexing_threshold=_NEVER_INDEX_KB, default_segment_number=1
        ),
        wal_enabled=True,
    )


def _opened(path: Path) -> edge.EdgeShard:
    """The shard, as soon as whoever still holds its lock lets go."""
    deadline = time.monotonic() + _LOCK_PATIENCE_S
    while True:
        try:
            return edge.EdgeShard.load(str(path))
        except Exception as error:  # Edge raises nothing narrower
            if "WouldBlock" not in str(error) or time.monotonic() > deadline:
                raise
        time.sleep(_LOCK_RETRY_S)


def _among(audiences: list[str]) -> edge.Filter:
    condition = edge.FieldCondition(FILTER_FIELD, match=edge.MatchAny(audiences))
    return edge.Filter(must=[condition])


def _identifiers(ids: bytes) -> list[UUID]:
    return [UUID(bytes=ids[start : start + 16]) for start in range(0, len(ids), 16)]


def _uuid(identifier: int | UUID | str) -> UUID:
    return identifier if isinstance(identifier, UUID) else UUID(str(identifier))
