"""Statements: stored, freshened, archived, and found within a scope."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeVar
from uuid import UUID, uuid4

from memory.language.text import search_text
from memory.model.audience import Origin, Scope, audience_of
from memory.model.errors import HoldsNoMore
from memory.model.namesakes import Author
from memory.model.statements import (
    Memory,
    MemoryId,
    NewMemory,
    RowState,
    Statement,
)
from memory.model.stores import Collection, Store
from memory.ports import Clock, Fingerprint, Vectors
from memory.rules.forgetting.tombstones import IncomingText
from memory.rules.supersession import slot_of
from memory.statements.readings.subject import spoken_words
from memory.storage.forgotten.tombstones import refused
from memory.storage.forgotten.value_marks import marked_in
from memory.storage.people.aliases import keep_stated
from memory.storage.people.attribution import attributed
from memory.storage.search.embeddings import keep_embedding
from memory.storage.search.outbox import announce
from memory.storage.search.term_counts import Vocabulary
from memory.storage.sqlite.database import Check, Database, TimedTable, Transaction, Work
from memory.storage.sqlite.rows import (
    Row,
    columns_of,
    json_list,
    maybe_millis,
    millis,
    moment,
    queries,
    row_as,
)

_SQL = queries("statements/statements")
T = TypeVar("T")


class Added(StrEnum):
    """What became of a statement that was to be added."""

    NEW = "new"
    KNOWN = "known"
    FORGOTTEN = "forgotten"
    """It says what was forgotten after it was said, or a value of it: it is not kept."""


class Memories(TimedTable):
    """The memories table. Every reading method takes the scope of the reader."""

    def __init__(self, database: Database, clock: Clock) -> None:
        super().__init__(database, clock)
        self._vocabulary = Vocabulary(database, "memories")

    async def write(self, work: Work[T]) -> T:
        """Run work on statements in one transaction, see `add_memory` and `touch_memory`."""
        return await self._database.write(work)

    async def accessed(self, memories: Sequence[MemoryId]) -> None:
        """Count these statements as used now, because a tool has listed them."""
        now = millis(self._clock.now())
        await self._database.write(lambda transaction: count_accesses(transaction, memories, now))

    async def sweep(self) -> int:
        """Archive expired statements and take them out of the index; returns how many."""

        async def work(transaction: Transaction) -> int:
            rows = await transaction.all(_SQL["archive"], {"now": millis(self._clock.now())})
            for row in rows:
                await announce(
                    transaction, Collection(row["store"]), [UUID(row["id"])], changed=True
                )
            return len(rows)

        return await self._database.write(work)

    async def attributed(self, news: Sequence[NewMemory]) -> list[NewMemory]:
        """The statements with their authors, and with whom they are about as far as it is known."""
        return [await attributed(self._database, new) for new in news]

    async def rivals(
        self, new: Statement, near: Sequence[MemoryId], limit: int = 10
    ) -> list[Memory]:
        """Statements that the new one may repeat, replace or be tied to: near, alike, of one slot.

        Only statements of exactly its own audience, so that it cannot replace those of another. A
        stored statement is among its own rivals.
        """
        values = {
            "store": new.store,
            "audience": audience_of(new.origin),
            "ids": json_list(map(str, near)),
            "match": await self._vocabulary.match(new.content),
            "slot": slot_of(new),
            "author": new.author,
            "now": millis(self._clock.now()),
            "limit": limit,
        }
        rows = await self._database.all(_SQL["rivals"], values)
        if values["slot"]:
            rows += await self._database.all(_SQL["rivals_by_slot"], values)
        if values["match"]:
            rows += await self._database.all(_SQL["rivals_by_text"], values)
        return list({row["id"]: memory_of(row) for row in rows}.values())

    async def visible(self, ids: Sequence[UUID], scope: Scope) -> list[Memory]:
        """Those of `ids` that are recalled at all and that the scope allows."""
        return await self._read("visible", scope, ids=json_list(map(str, ids)))

    def unchanged(self, memory: Memory, scope: Scope) -> Check:
        """A check that raises HoldsNoMore unless a statement is recalled as it was read."""

        async def check(transaction: Transaction) -> None:
            bound = self._within(scope, ids=json_list([str(memory.id)]))
            rows = await transaction.all(_SQL["visible"], bound)
            if [memory_of(row).revision for row in rows] != [memory.revision]:
                raise HoldsNoMore("It was changed meanwhile.")

        return check

    async def contradicting(
        self, ids: Sequence[UUID], scope: Scope
    ) -> Mapping[UUID, tuple[Author, ...]]:
        """The other authors whose recalled statements contradict each of these."""
        values = self._within(scope, ids=json_list(map(str, ids)))
        found: dict[UUID, tuple[Author, ...]] = {}
        for row in await self._database.all(_SQL["contradicting"], values):
            author = (row["author_id"], row["said_by"])
            found[UUID(row["id"])] = (*found.get(UUID(row["id"]), ()), author)
        return found

    async def gone(self, ids: Sequence[UUID], scope: Scope) -> dict[UUID, RowState]:
        """What became of those of `ids` that are not recalled any more, without their words."""
        values = self._within(scope, ids=json_list(map(str, ids)))
        rows = await self._database.all(_SQL["gone"], values)
        return {UUID(row["id"]): RowState(row["fate"]) for row in rows}

    async def by_text(
        self,
        match: str,
        stores: Sequence[Store],
        scope: Scope,
        limit: int,
        *,
        category: str | None = None,
    ) -> list[Memory]:
        """Statements of these stores that an FTS5 query finds, best first (bm25)."""
        if not match:
            return []
        return await self._read(
            "by_text",
            scope,
            match=match,
            stores=json_list(stores),
            category=category,
            limit=limit,
        )

    async def alike(
        self, content: str, store: Store, scope: Scope, limit: int, *, category: str | None = None
    ) -> list[Memory]:
        """Statements that share words with a text, best first."""
        match = await self._vocabulary.match(content)
        return await self.by_text(match, [store], scope, limit, category=category)

    async def recent(self, store: Store, scope: Scope, since: datetime, limit: int) -> list[Memory]:
        """The latest statements since a moment, newest first."""
        return await self._read("recent", scope, store=store, since=millis(since), limit=limit)

    async def latest(self, store: Store | None, scope: Scope, limit: int) -> list[Memory]:
        """The latest statements of one store or of all, newest first."""
        return await self._read("latest", scope, store=store, limit=limit)

    async def _read(self, query: str, scope: Scope, **values: Any) -> list[Memory]:
        bound = self._within(scope, **values)
        return [memory_of(row) for row in await self._database.all(_SQL[query], bound)]


async def count_accesses(transaction: Transaction, memories: Sequence[UUID], now: int) -> None:
    """Count statements as used, inside a transaction: only what was injected or listed is."""
    if memories:
        await transaction.run(_SQL["accessed"], {"ids": json_list(map(str, memories)), "now": now})


async def add_memory(
    transaction: Transaction,
    new: NewMemory,
    now: datetime,
    *,
    embedding: tuple[Fingerprint, Vectors] | None = None,
) -> tuple[MemoryId, Added]:
    """Insert a statement inside a transaction; returns its id and what became of it.

    A statement whose given id exists, forgotten or not, is left as it is. One that was said before
    the same was forgotten is not stored.
    """
    memory = new.id or MemoryId(uuid4())
    if new.id and await transaction.one(_SQL["known"], {"id": str(memory)}):
        return memory, Added.KNOWN
    if await _is_forgotten(transaction, new, now):
        return memory, Added.FORGOTTEN
    await insert_memories(transaction, [(memory, new)], now)
    await keep_stated(transaction, memory, new)
    if embedding is not None:
        await keep_embedding(transaction, new.store.collection, memory, *embedding)
    await announce(transaction, new.store.collection, [memory])
    return memory, Added.NEW


async def _is_forgotten(transaction: Transaction, new: NewMemory, now: datetime) -> bool:
    said = IncomingText(text=new.content, audience=audience_of(new.origin), at=new.said_at or now)
    if (await refused(transaction, [said]))[0]:
        return True
    # What is stored by hand rests on no message, and is its author's to say anew.
    if not new.messages:
        return False
    # The name before the words of an author is not whom they speak of.
    words = spoken_words(new.content, new.said_by).words
    return bool(await marked_in(transaction, words, said.audience, new.author))


async def touch_memory(
    transaction: Transaction, memory: MemoryId, again: NewMemory, now: datetime
) -> bool:
    """Freshen a statement that was said again, inside a transaction; whether it still holds."""
    touched = await transaction.run(
        _SQL["touch"],
        {
            "id": str(memory),
            "said_at": millis(again.said_at or now),
            "importance": _importance(again),
            "expires_at": _expiry(again, now),
        },
    )
    if not touched:
        return False
    await transaction.many(
        _SQL["add_source"], [{"id": str(memory), "message": message} for message in again.messages]
    )
    await announce(transaction, again.store.collection, [memory])
    return True


async def insert_memories(
    transaction: Transaction, rows: Sequence[tuple[MemoryId, NewMemory]], now: datetime
) -> None:
    """Insert statements with their subjects and sources, inside a transaction, and no more."""
    await transaction.many(_SQL["add"], [_columns(memory, new, now) for memory, new in rows])
    await transaction.many(
        _SQL["add_subject"],
        [
            {"id": str(memory), "position": position, "subject": subject}
            for memory, new in rows
            for position, subject in enumerate(new.subjects)
        ],
    )
    await transaction.many(
        _SQL["add_source"],
        [
            {"id": str(memory), "message": message}
            for memory, new in rows
            for message in new.messages
        ],
    )


def _importance(new: NewMemory) -> float:
    return new.memory_type.default_importance if new.importance is None else new.importance


def _expiry(new: NewMemory, now: datetime) -> int | None:
    return maybe_millis((new.said_at or now) + new.ttl if new.ttl else None)


def _columns(memory: MemoryId, new: NewMemory, now: datetime) -> dict[str, Any]:
    return {
        **columns_of(new),
        **columns_of(new.origin),
        "id": str(memory),
        "search_text": search_text(" ".join((new.content, *new.subjects))),
        "importance": _importance(new),
        "audience": audience_of(new.origin),
        "now": millis(now),
        "said_at": millis(new.said_at or now),
        "expires_at": _expiry(new, now),
        "slot": slot_of(new),
    }


def memory_of(row: Row) -> Memory:
    """A statement from a row of `active_memories` or of another query with its subjects."""
    return row_as(
        Memory,
        row,
        author=row["author_id"],
        origin=row_as(Origin, row, person=row["person_id"], room=row["room_id"]),
        words=row["search_text"],
        uses=row["access_count"],
        said_at=moment(row["valid_from"]),
    )
