"""The changes that the vector store does not have yet, and the entries it should have."""

import json
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from uuid import UUID

from memory.model.conversations import words_found
from memory.model.stores import Collection
from memory.ports import FIRST_ID, Clock, Fingerprint, Payload, Vectors
from memory.storage.search.embeddings import Embeddings, drop_embeddings, keep_embeddings
from memory.storage.sqlite.database import Database, TimedTable, Transaction
from memory.storage.sqlite.rows import Row, json_list, millis, queries

_SQL = queries("search/outbox")
_FINGERPRINT = "embedder"
_INT_IDS = frozenset({Collection.LIVE})

_LAST_ROW = 2**63 - 1
"""The highest number of a row that there can be."""


@dataclass(frozen=True, slots=True)
class Change:
    """One entry of the index that may differ from the database."""

    seq: int
    collection: Collection
    id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What the database says an entry of the index should be; `vector` is None until embedded."""

    id: UUID
    text: str
    payload: Payload
    vector: Vectors | None = None


async def announce(
    transaction: Transaction, collection: Collection, ids: Sequence[UUID], *, changed: bool = False
) -> None:
    """Record, inside a transaction, that these entries of the index may have changed.

    `changed` also drops the embeddings kept for them, because their text is another one now.
    """
    if changed:
        await drop_embeddings(transaction, collection, ids)
    await transaction.many(
        _SQL["announce"], [{"collection": collection, "id": str(id_)} for id_ in ids]
    )


async def filled_by(database: Database) -> str | None:
    """The fingerprint of the embedder that the index was last filled with."""
    row = await database.one(_SQL["get_meta"], {"key": _FINGERPRINT})
    return None if row is None else str(row["value"])


class Outbox(TimedTable):
    """Reads the changes and the entries, and deletes changes that the index has taken."""

    def __init__(self, database: Database, embeddings: Embeddings, clock: Clock) -> None:
        super().__init__(database, clock)
        self._embeddings = embeddings

    async def waiting(self) -> int:
        """How many changes the index does not have yet."""
        row = await self._database.one(_SQL["waiting"])
        return int(row["waiting"]) if row else 0

    async def waiting_in(self, collection: Collection, start: UUID, end: UUID) -> frozenset[UUID]:
        """The entries from one id to another that the index does not have as they are now."""
        values = {"collection": collection, "start": str(start), "end": str(end)}
        rows = await self._database.all(_SQL["waiting_in"], values)
        return frozenset(UUID(row["id"]) for row in rows)

    async def committed(self) -> None:
        """Wait until something was written since the last call."""
        await self._database.changed.wait()
        self._database.changed.clear()

    async def head(self, limit: int) -> list[Change]:
        """The oldest `limit` changes, in order."""
        return await self._database.all_as(Change, _SQL["head"], {"limit": limit})

    async def entries(self, collection: Collection, ids: Sequence[UUID]) -> list[Entry]:
        """These entries as they should be now; ids without a result should not be in the index."""
        values = {"ids": json_list(_keys(collection, ids)), "now": millis(self._clock.now())}
        rows = await self._database.all(_entries_query(collection), values)
        vectors = await self._embeddings.of(collection, ids)
        return [_entry(collection, row, vectors) for row in rows]

    async def embedded(self, collection: Collection, entries: Sequence[Entry]) -> None:
        """Store the embeddings of entries whose text is still the one that was embedded.

        A text that changed meanwhile is in the outbox again and is embedded then.
        """
        keys = {"ids": json_list(_keys(collection, [entry.id for entry in entries]))}

        async def work(transaction: Transaction) -> None:
            values = {**keys, "now": millis(self._clock.now())}
            rows = await transaction.all(_entries_query(collection), values)
            texts = {entry.id: entry.text for entry in (_entry(collection, r, {}) for r in rows)}
            unchanged = {
                entry.id: entry.vector
                for entry in entries
                if entry.vector is not None and texts.get(entry.id) == entry.text
            }
            await keep_embeddings(transaction, collection, unchanged, self._embeddings.fingerprint)

        await self._database.write(work)

    async def applied(self, changes: Sequence[Change]) -> None:
        """Delete changes that the index has taken."""
        seqs = json_list(change.seq for change in changes)
        await self._database.run(_SQL["clear"], {"seqs": seqs})

    async def expected(
        self, collection: Collection, *, start: UUID = FIRST_ID, limit: int | None = None
    ) -> frozenset[UUID]:
        """The lowest ids from `start` on that should be in this collection, or all of them."""
        values = {
            "collection": collection,
            "now": millis(self._clock.now()),
            "start": min(start.int, _LAST_ROW) if collection in _INT_IDS else str(start),
            "most": -1 if limit is None else limit,
        }
        rows = await self._database.all(_ids_query(collection), values)
        if collection in _INT_IDS:
            return frozenset(UUID(int=row["id"]) for row in rows)
        return frozenset(UUID(row["id"]) for row in rows)

    async def embedded_among(
        self, collection: Collection, ids: AbstractSet[UUID]
    ) -> frozenset[UUID]:
        """Those of these entries whose embedding is kept."""
        return await self._embeddings.among(collection, ids)

    async def drop_other_embeddings(self) -> None:
        """Delete the embeddings of other embedders."""
        await self._embeddings.drop_others()

    async def announce_all(self) -> None:
        """Put every entry of every collection into the outbox, for a new or repaired index."""

        async def work(transaction: Transaction) -> None:
            for name in (
                "announce_live",
                "announce_memories",
                "announce_turns",
                "announce_knowledge",
            ):
                await transaction.run(_SQL[name])

        await self._database.write(work)

    async def announce_ids(self, collection: Collection, ids: Sequence[UUID]) -> None:
        """Put single entries into the outbox again."""
        await self._database.write(lambda transaction: announce(transaction, collection, ids))

    async def fingerprint(self) -> str | None:
        """The fingerprint the index was last filled with."""
        return await filled_by(self._database)

    async def set_fingerprint(self, fingerprint: Fingerprint) -> None:
        """Record what the index is filled with from now on."""
        values = {"key": _FINGERPRINT, "value": str(fingerprint)}
        await self._database.run(_SQL["set_meta"], values)


def _keys(collection: Collection, ids: Sequence[UUID]) -> list[int] | list[str]:
    if collection in _INT_IDS:
        return [id_.int for id_ in ids]
    return [str(id_) for id_ in ids]


_TABLES = {
    Collection.LIVE: "live",
    Collection.CONVERSATIONS: "turn",
    Collection.KNOWLEDGE: "knowledge",
}
"""What the queries of a collection begin with; the three stores of statements share theirs."""


def _entries_query(collection: Collection) -> str:
    table = _TABLES.get(collection, "memory")
    return _SQL[f"{table}_entries"]


def _ids_query(collection: Collection) -> str:
    table = _TABLES.get(collection, "memory")
    return _SQL[f"{table}_ids"]


def _entry(collection: Collection, row: Row, vectors: Mapping[UUID, Vectors]) -> Entry:
    match collection:
        case Collection.LIVE:
            id_, text, payload = UUID(int=row["id"]), row["text"], _live_payload(row)
        case Collection.CONVERSATIONS:
            id_, text, payload = UUID(row["id"]), _exchange_text(row), _turn_payload(row)
        case Collection.KNOWLEDGE:
            id_, text, payload = UUID(row["id"]), row["content"], _knowledge_payload(row)
        case _:
            id_, text, payload = UUID(row["id"]), row["content"], _memory_payload(row)
    return Entry(id=id_, text=text, payload=payload, vector=vectors.get(id_))


def _exchange_text(row: Row) -> str:
    found = words_found(row["text"], row["reply"], failed=row["error"] is not None)
    return f"{row['speaker']}: {found}"


def _live_payload(row: Row) -> Payload:
    return {
        "content": row["text"],
        "author": row["author"],
        "author_id": row["person_id"],
        "room": row["room_id"],
        "space": row["space"],
        "timestamp": row["sent_at"],
        "message_id": row["external_id"],
        "audience": row["audience"],
    }


def _turn_payload(row: Row) -> Payload:
    return {
        "role": "exchange",
        "channel": row["channel"],
        "room": row["room_id"],
        "space": row["space"],
        "person": row["person_id"],
        "user_message": row["text"],
        "assistant_message": row["reply"],
        "timestamp": row["at"],
        "visibility": row["visibility"],
        "audience": row["audience"],
    }


def _knowledge_payload(row: Row) -> Payload:
    return {
        "type": row["kind"],
        "key": row["title"],
        "channel": row["channel"],
        "content": row["content"],
        "person": row["about_person"],
        "room": row["room_id"],
        "space": row["space"],
        "visibility": row["visibility"],
        "timestamp": row["at"],
        "audience": row["audience"],
    }


def _memory_payload(row: Row) -> Payload:
    return {
        "content": row["content"],
        "category": row["category"],
        "subjects": json.loads(row["subjects"]),
        "memory_type": row["memory_type"],
        "importance": row["importance"],
        "source": row["source"],
        "person": row["person_id"],
        "room": row["room_id"],
        "space": row["space"],
        "visibility": row["visibility"],
        "timestamp": row["created_at"],
        "expires_at": row["expires_at"],
        "audience": row["audience"],
    }
