"""Summaries, core facts and notes: stored by derived ids, and found within a scope."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from memory.language.synonyms import knowledge_words
from memory.language.text import search_text
from memory.model.audience import Origin, Scope, audience_of
from memory.model.clock import not_later
from memory.model.knowledge import Knowledge, KnowledgeId, KnowledgeKind, NewKnowledge
from memory.model.people import PersonId
from memory.model.statements import RowState
from memory.model.stores import Collection
from memory.storage.search.outbox import announce
from memory.storage.sqlite.database import Table, Transaction, Work
from memory.storage.sqlite.rows import (
    Row,
    audiences,
    columns_of,
    json_list,
    millis,
    queries,
    row_as,
)

_SQL = queries("statements/knowledge")
T = TypeVar("T")


class KnowledgeRows(Table):
    """The knowledge table. Every reading method takes the scope of the reader."""

    async def write(self, work: Work[T]) -> T:
        """Run work on knowledge in one transaction, see `keep_knowledge`."""
        return await self._database.write(work)

    async def visible(self, ids: Sequence[UUID], scope: Scope) -> list[Knowledge]:
        """Those of `ids` that are found at all and that the scope allows."""
        return await self._read("visible", scope, ids=json_list(map(str, ids)))

    async def gone(self, ids: Sequence[UUID], scope: Scope) -> dict[UUID, RowState]:
        """What became of those of `ids` that were retired, where the scope allows them."""
        values = {"ids": json_list(map(str, ids)), "audiences": audiences(scope)}
        rows = await self._database.all(_SQL["gone"], values)
        return {UUID(row["id"]): RowState(row["fate"]) for row in rows}

    async def about(
        self, person: PersonId, kind: KnowledgeKind, scope: Scope, limit: int
    ) -> list[Knowledge]:
        """The knowledge of one kind about a person, newest first."""
        return await self._read("about", scope, about=person, kind=kind, limit=limit)

    async def _read(self, query: str, scope: Scope, **values: Any) -> list[Knowledge]:
        bound = {**values, "audiences": audiences(scope)}
        return [_knowledge(row) for row in await self._database.all(_SQL[query], bound)]


async def keep_knowledge(
    transaction: Transaction, news: Iterable[NewKnowledge], now: datetime
) -> list[KnowledgeId]:
    """Insert or replace rows by id inside a transaction; returns the ids that changed.

    A row that is the same as before changes nothing. A changed row gets a new revision, and its
    embedding is made again.
    """
    changed = []
    for each in news:
        new = replace(each, at=not_later(each.at, now))
        changed += await transaction.all(_SQL["keep"], _columns(new, millis(now)))
    return await _announced(transaction, changed)


async def retire_knowledge(
    transaction: Transaction, ids: Sequence[KnowledgeId], now: datetime
) -> None:
    """Retire rows inside a transaction: searches do not find them, history keeps them."""
    values = {"ids": json_list(map(str, ids)), "now": millis(now)}
    await _announced(transaction, await transaction.all(_SQL["retire"], values))


async def drop_knowledge(transaction: Transaction, ids: Sequence[KnowledgeId]) -> None:
    """Delete rows, inside a transaction, once nothing refers to them any more."""
    values = {"ids": json_list(map(str, ids))}
    await _announced(transaction, await transaction.all(_SQL["drop"], values))


async def _announced(transaction: Transaction, rows: Sequence[Row]) -> list[KnowledgeId]:
    ids = [KnowledgeId(UUID(row["id"])) for row in rows]
    await announce(transaction, Collection.KNOWLEDGE, ids, changed=True)
    return ids


def _columns(new: NewKnowledge, now: int) -> dict[str, Any]:
    return {
        **columns_of(new),
        **columns_of(new.origin),
        "search_text": search_text(knowledge_words(new.kind, new.title, new.content)),
        "audience": audience_of(new.origin),
        "now": now,
    }


def _knowledge(row: Row) -> Knowledge:
    origin = row_as(Origin, row, person=row["person_id"], room=row["room_id"])
    about, words = row["about_person"], row["search_text"]
    return row_as(Knowledge, row, origin=origin, about=about, words=words)
