"""Embeddings beside the rows they belong to, so that no rebuild of an index computes them again."""

import random
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

import numpy as np

from memory.adapters.sqlite.columns import blob_vector, json_list, vector_blob
from memory.adapters.sqlite.database import Database, Transaction
from memory.adapters.sqlite.queries import queries
from memory.model import Collection
from memory.ports import Fingerprint, Vectors

_SQL = queries("embeddings")


class Embeddings:
    """The embeddings made with one fingerprint; others are as if they were not there."""

    def __init__(self, database: Database, fingerprint: Fingerprint) -> None:
        self._database = database
        self.fingerprint = fingerprint

    async def of(self, collection: Collection, ids: Sequence[UUID]) -> Mapping[UUID, Vectors]:
        """The embeddings kept for these entries."""
        values = {
            "collection": collection,
            "ids": json_list(map(str, ids)),
            "fingerprint": str(self.fingerprint),
        }
        rows = await self._database.all(_SQL["embeddings_of"], values)
        return {UUID(row["point_id"]): blob_vector(row["vector"]) for row in rows}

    async def sample(self, collection: Collection, size: int) -> Vectors | None:
        """Up to `size` random embeddings of a collection, shape (n, dimension); None if none."""
        row = await self._database.one(_SQL["last_embedding"])
        last = int(row["last"]) if row else 0
        picked = random.sample(range(1, last + 1), min(last, 4 * size))
        values = {
            "rows": json_list(picked),
            "collection": collection,
            "fingerprint": str(self.fingerprint),
        }
        rows = await self._database.all(_SQL["sample"], values)
        vectors = [blob_vector(row["vector"]) for row in rows[:size]]
        return np.stack(vectors) if vectors else None


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
    return {
        "collection": collection,
        "id": str(entry),
        "fingerprint": str(fingerprint),
        "vector": vector_blob(vector),
    }
