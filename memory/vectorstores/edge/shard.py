"""One Qdrant Edge shard on disk: created whole, opened patiently, searched without a graph.

Imported by the worker process only: Edge holds the interpreter lock while it works.
"""

import math
import shutil
import time
from array import array
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from uuid import UUID

import qdrant_edge as edge

from memory.vectorstores.edge.pages import release_pages

_LOCK_PATIENCE_S = 5.0
"""A previous worker that lost its daemon flushes before it exits, which takes seconds at most."""

_LOCK_RETRY_S = 0.05
"""Short beside the time a person notices, long beside the cost of a try."""

_NEVER_INDEX_KB = 10**9
"""No HNSW graph: filtered it was measured at 0.83, and building it would block the worker for
minutes. A scan of 4-bit codes needs no building and costs 0.8 ms at 100k x 256, 7 ms at a million;
an exact one of the float16 vectors behind them costs 3 and 29 ms."""

_SMALL = 20_000
"""Entries up to which the scan is exact: half a millisecond, and nothing to gain."""

_RESCORED = 200
"""Entries the codes propose at least, for the float16 vectors to put in order: 200 for the best 20
give a recall of 1.000 over a million, 80 give 0.992, 40 give 0.978."""

_RESCORED_PER_HIT = 5
"""The same for long answers: 5 for each entry asked for."""

_VACUUM_AFTER = 10_000
"""Deleted entries keep their place on disk; below this the space is not worth a copy."""

ID_BYTES = 16
"""An id is a UUID."""

_EVERY = 1_000_000
"""More audiences than there can be: a facet without a limit lists ten."""

_SOILED = "soiled"
"""A file in a shard's folder that says so; the engine leaves files it does not know alone."""

FILTER_FIELD = "audience"
"""The only field searches filter by; every further payload index costs 8 MB at 100k entries."""


_UNIT_WITHIN = 0.05
"""How far from one the length of a vector may be that was rounded to half precision."""


class EntryDamaged(Exception):
    """An entry is read and cannot be what was written."""


class Shard:
    """The entries of one collection, made with one embedder."""

    def __init__(self, path: Path, dimension: int) -> None:
        if not path.exists():
            _create(path, dimension)
        self._edge = _opened(path)
        self._log = path / "wal"
        self._soiled = path / _SOILED
        self._deleted = 0
        self._dimension = dimension
        self.dirty = False
        self._edge.optimize()  # copies the shard if a fifth of it is deleted, else does nothing
        release_pages(self._log)
        self._audiences = self._known_audiences()
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
        if self.present(ids):
            self._soil()  # what an entry replaces stays in the files
        # Before the entries: a search that takes this shard for wholly allowed must know them all.
        self._audiences.update(payload[FILTER_FIELD] for payload in payloads)
        self._edge.update(edge.UpdateOperation.upsert_points(points))
        self.dirty = True

    def delete(self, ids: bytes) -> None:
        """Remove entries by id."""
        identifiers: list[int | UUID | str] = list(_identifiers(ids))
        self._soil()
        self._edge.update(edge.UpdateOperation.delete_points(identifiers))
        self._deleted += len(identifiers)
        self.dirty = True

    def copy(self, other: "Shard", after: bytes | None, limit: int) -> bytes | None:
        """Add a page of entries to another shard; where the next page starts, if there is one."""
        records, following = self._page(after, limit)
        other.take(records)
        return following

    def check(self, after: bytes | None, limit: int) -> bytes | None:
        """Read a page of entries whole; where the next page starts, if there is one.

        Raises:
            EntryDamaged: one has no audience, or a vector that is not of unit length.

        """
        records, following = self._page(after, limit)
        for record in records:
            _check(record)
        return following

    def _page(self, after: bytes | None, limit: int) -> tuple[list[edge.Record], bytes | None]:
        records, following = self._edge.scroll(
            edge.ScrollRequest(
                offset=None if after is None else UUID(bytes=after),
                limit=limit,
                with_payload=True,
                with_vector=True,
            )
        )
        return records, None if following is None else _uuid(following).bytes

    def take(self, records: list[edge.Record]) -> None:
        """Take entries of another shard as they are; nothing that was here is replaced by them.

        Raises:
            EntryDamaged: see `check`.

        """
        for record in records:
            _check(record)
        points = [
            edge.Point(record.id, record.vector or [], record.payload or {}) for record in records
        ]
        self._audiences.update(str((record.payload or {})[FILTER_FIELD]) for record in records)
        self._edge.update(edge.UpdateOperation.upsert_points(points))
        self.dirty = True

    def present(self, ids: bytes) -> bytes:
        """Those of the ids that are in the shard."""
        records = self._edge.retrieve(
            list(_identifiers(ids)), with_payload=False, with_vector=False
        )
        return b"".join(_uuid(record.id).bytes for record in records)

    def search(
        self, vector: bytes, limit: int, audiences: frozenset[str] | None
    ) -> list[tuple[bytes, float]]:
        """The nearest entries as (id, cosine), best first, among these audiences."""
        allowed = self._audiences if audiences is None else self._audiences & audiences
        if not allowed:
            return []
        is_whole = len(allowed) == len(self._audiences)
        request = edge.QueryRequest(
            limit=limit,
            query=edge.Query.Nearest(array("f", vector).tolist()),
            filter=None if is_whole else _among(allowed),
            params=self._scan(limit),
        )
        return [(_uuid(hit.id).bytes, hit.score) for hit in self._edge.query(request)]

    def _scan(self, limit: int) -> edge.SearchParams:
        if self._edge.info().points_count <= _SMALL:
            return edge.SearchParams(exact=True)
        rescored = max(_RESCORED, _RESCORED_PER_HIT * limit)
        return edge.SearchParams(
            quantization=edge.QuantizationSearchParams(rescore=True, oversampling=rescored / limit)
        )

    def ids(self, start: bytes, limit: int) -> tuple[bytes, bytes | None]:
        """A page of ids in order, and where the next page starts, if there is one."""
        first = UUID(bytes=start)
        records, following = self._edge.scroll(
            edge.ScrollRequest(offset=first, limit=limit, with_payload=False, with_vector=False)
        )
        page = b"".join(_uuid(record.id).bytes for record in records)
        return page, None if following is None else _uuid(following).bytes

    def count(self) -> int:
        """How many entries there are."""
        return self._edge.count(edge.CountRequest(exact=True))

    def flush(self) -> None:
        """Write everything to disk, and give back the space of the deleted when that is cheap."""
        if self._deleted >= max(_VACUUM_AFTER, self._edge.info().points_count):
            self._edge.optimize()
            self._deleted = 0
        self._edge.flush()
        release_pages(self._log)
        self.dirty = False

    def _soil(self) -> None:
        if not self._soiled.exists():
            self._soiled.touch()

    def _known_audiences(self) -> set[str]:
        """Every audience that an entry has, and perhaps some that only deleted ones had."""
        found = self._edge.facet(edge.FacetRequest(key=FILTER_FIELD, limit=_EVERY))
        return {str(hit.value) for hit in found.hits}

    def _read_in_order(self) -> None:
        """Have the vectors read from front to back, 70 ms at 100k entries, before a search does.

        The first one with a filter would read them at random: 530 ms, and every search of the
        first questions would wait behind it.
        """
        anywhere = edge.Query.Nearest([1.0] * self._dimension)
        for scan in (edge.SearchParams(exact=True), self._scan(1)):
            self._edge.query(edge.QueryRequest(limit=1, query=anywhere, params=scan))

    def close(self) -> None:
        """Write everything to disk and release the lock."""
        self._edge.flush()
        self._edge.close()


def is_soiled(path: Path) -> bool:
    """Whether the files of a shard may hold what is no entry any more: deleted, or replaced."""
    return (path / _SOILED).exists()


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
            # The one kind of codes that is written with each entry, not by an optimizer later.
            quantization_config=edge.TurboQuantQuantizationConfig(
                bits=edge.TurboQuantBitSize.Bits4
            ),
        ),
        optimizers=edge.EdgeOptimizersConfig(
            indexing_threshold=_NEVER_INDEX_KB, default_segment_number=1
        ),
        max_search_threads=1,  # there is one segment to search
        wal_enabled=True,
    )


def _opened(path: Path) -> edge.EdgeShard:
    """The shard, as soon as the process that still holds its lock lets go."""
    deadline = time.monotonic() + _LOCK_PATIENCE_S
    while True:
        try:
            return edge.EdgeShard.load(str(path))
        except Exception as error:  # Edge raises nothing narrower
            if "WouldBlock" not in str(error) or time.monotonic() > deadline:
                raise
        time.sleep(_LOCK_RETRY_S)


def _among(audiences: Iterable[str]) -> edge.Filter:
    """A filter for any of these: one condition each is a quarter quicker than one for all."""
    return edge.Filter(
        should=[
            edge.FieldCondition(FILTER_FIELD, match=edge.MatchValue(each)) for each in audiences
        ]
    )


def _check(record: edge.Record) -> None:
    payload, vector = record.payload or {}, record.vector
    if not isinstance(payload.get(FILTER_FIELD), str):
        raise EntryDamaged(f"The entry {record.id} has no audience.")
    length = math.hypot(*vector) if isinstance(vector, list) else 0.0
    if not abs(length - 1) < _UNIT_WITHIN:
        raise EntryDamaged(f"The vector of the entry {record.id} is not of unit length.")


def _identifiers(ids: bytes) -> list[UUID]:
    return [UUID(bytes=ids[start : start + ID_BYTES]) for start in range(0, len(ids), ID_BYTES)]


def _uuid(identifier: int | UUID | str) -> UUID:
    return identifier if isinstance(identifier, UUID) else UUID(str(identifier))
