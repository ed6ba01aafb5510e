"""Statements by the thousand, for stores that are to be large."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID, uuid4

from memory.model.statements import MemoryId, NewMemory
from memory.model.stores import Store
from memory.ports import Fingerprint, Vectors
from memory.storage.people.aliases import keep_stated
from memory.storage.search.embeddings import keep_embeddings
from memory.storage.search.outbox import announce
from memory.storage.sqlite.database import Transaction
from memory.storage.statements.statements import insert_memories


async def add_memories(
    transaction: Transaction,
    news: Sequence[NewMemory],
    now: datetime,
    embeddings: tuple[Fingerprint, Vectors],
) -> list[MemoryId]:
    """Insert statements that are all new, inside a transaction; returns their ids in order.

    `embeddings` holds one row for each of them, shape (len(news), dimension). This costs a tenth of
    inserting them one by one.
    """
    rows = [(new.id or MemoryId(uuid4()), new) for new in news]
    await insert_memories(transaction, rows, now)
    for memory, new in rows:
        await keep_stated(transaction, memory, new)
    fingerprint, vectors = embeddings
    of_store: dict[Store, dict[UUID, Vectors]] = {}
    for (memory, new), vector in zip(rows, vectors, strict=True):
        of_store.setdefault(new.store, {})[memory] = vector
    for store, embedded in of_store.items():
        await keep_embeddings(transaction, store.collection, embedded, fingerprint)
        await announce(transaction, store.collection, list(embedded))
    return [memory for memory, _ in rows]
