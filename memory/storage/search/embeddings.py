"""Embeddings beside the rows they belong to, so that no rebuild of an index computes them again."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager
from functools import partial
from hashlib import blake2b
from typing import Any
from uuid import UUID

from memory.model.stores import Collection
from memory.ports import Clock, EmbedderInUse, Fingerprint, Vectors
from memory.storage.sqlite.database import Database, TimedTable, Transaction
from memory.storage.sqlite.readers import Snapshot
from memory.storage.sqlite.rows import blob_vectors, json_list, millis, queries, vector_blob

_SQL = queries("search/embeddings")

_DROPPED_AT_ONCE = 1_000
"""Embeddings forgotten in one transaction: a few milliseconds for which other writes wait."""


class Embeddings(TimedTable):
    """The embeddings of the embedder in use; others are as if they were not there."""

    def __init__(self, database: Database, embedder: EmbedderInUse, clock: Clock) -> None:
        super().__init__(database, clock)
        self._embedder = embedder

    @property
    def fingerprint(self) -> Fingerprint:
        """What the embeddings are made with."""
        return self._embedder.fingerprint

    def held(self) -> AbstractContextManager[None]:
        """These embeddings, and the index of them, stay in use until the body ends."""
        return self._embedder.held()

    async def of(self, collection: Collection, ids: Sequence[UUID]) -> Mapping[UUID, Vectors]:
        """The embeddings kept for these entries."""
        return await self._database.read(lambda snapshot: self.read(snapshot, collection, ids))

    def read(
        self, snapshot: Snapshot, collection: Collection, ids: Sequence[UUID]
    ) -> Mapping[UUID, Vectors]:
        """The embeddings kept for these entries, from a snapshot."""
        values = {
            "collection": collection,
            "ids": json_list(map(str, ids)),
            "fingerprint": str(self.fingerprint),
        }
        rows = snapshot.all(_SQL["embeddings_of"], values) if ids else []
        vectors = blob_vectors([row["vector"] for row in rows])
        return {UUID(row["point_id"]): one for row, one in zip(rows, vectors, strict=True)}

    async def sample(self, collection: Collection, size: int) -> Vectors | None:
        """Up to `size` different embeddings of a collection, shape (n, dimension); None if none.

        See `spots`.
        """

        def work(snapshot: Snapshot) -> Vectors | None:
            return self.at(snapshot, collection, self.spots(snapshot, collection, size))

        return await self._database.read(work)

    def spots(self, snapshot: Snapshot, collection: Collection, size: int) -> tuple[int, ...]:
        """Which embeddings are the sample of a collection: those with the lowest hashes.

        So it depends on what is kept and on nothing else, neither on chance nor on when it is
        taken, and it changes little as the store grows (a bottom-k sample, Cohen and Kaplan 2007).
        """
        values = {
            "collection": collection,
            "fingerprint": str(self.fingerprint),
            "now": millis(self._clock.now()),
            "size": size,
        }
        return tuple(row["spot"] for row in snapshot.all(_SQL["spots"], values))

    def at(
        self, snapshot: Snapshot, collection: Collection, spots: Sequence[int]
    ) -> Vectors | None:
        """The embeddings with these hashes, shape (n, dimension); None if there are none."""
        if not spots:
            return None
        values = {
            "collection": collection,
            "fingerprint": str(self.fingerprint),
            "spots": json_list(spots),
            "last": max(spots),
        }
        rows = snapshot.all(_SQL["at_spots"], values)
        return blob_vectors([row["vector"] for row in rows]) if rows else None

    async def among(self, collection: Collection, ids: AbstractSet[UUID]) -> frozenset[UUID]:
        """Those of these entries that have an embedding."""
        values = {
            "collection": collection,
            "ids": json_list(map(str, ids)),
            "fingerprint": str(self.fingerprint),
        }
        rows = await self._database.all(_SQL["embedded"], values)
        return frozenset(UUID(row["point_id"]) for row in rows)

    async def drop_others(self) -> None:
        """Forget the embeddings of other embedders, a few at a time: people go on writing."""
        for collection in Collection:
            values = {"collection": collection, "fingerprint": str(self.fingerprint)}
            while await self._database.write(partial(_dropped, values)):
                pass


async def _dropped(values: Mapping[str, str], transaction: Transaction) -> bool:
    """Forget some embeddings of another embedder; whether there were any."""
    rows = await transaction.all(_SQL["others"], {**values, "most": _DROPPED_AT_ONCE})
    spots = json_list(row["rowid"] for row in rows)
    await transaction.run(_SQL["drop_rows"], {"rows": spots})
    return bool(rows)


async def keep_embedding(
    transaction: Transaction,
    collection: Collection,
    entry: UUID,
    fingerprint: Fingerprint,
    vector: Vectors,
) -> None:
    """Keep an embedding that is known already, with the row it belongs to."""
    await transaction.run(_SQL["embed"], _row(collection, entry, fingerprint, vector))


async def keep_embeddings(
    transaction: Transaction,
    collection: Collection,
    vectors: Mapping[UUID, Vectors],
    fingerprint: Fingerprint,
) -> None:
    """Keep many embeddings of a collection at once."""
    await transaction.many(
        _SQL["embed"],
        [_row(collection, entry, fingerprint, vector) for entry, vector in vectors.items()],
    )


async def drop_embeddings(
    transaction: Transaction, collection: Collection, ids: Sequence[UUID]
) -> None:
    """Forget the embeddings of entries whose text is gone or another one now."""
    values = {"collection": collection, "ids": json_list(map(str, ids))}
    await transaction.run(_SQL["unembed"], values)


def _row(
    collection: Collection, entry: UUID, fingerprint: Fingerprint, vector: Vectors
) -> dict[str, Any]:
    blob = vector_blob(vector)
    return {
        "collection": collection,
        "id": str(entry),
        "fingerprint": str(fingerprint),
        # Half of what SQLite can hold, since hashes have no sign.
        "spot": int.from_bytes(blake2b(blob, digest_size=8).digest()) >> 1,
        "vector": blob,
    }
