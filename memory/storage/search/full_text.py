"""Full text over every table at once: which rows say what a query asks for, newest first."""

import asyncio
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.model.audience import Scope
from memory.model.stores import Collection
from memory.rules.query_syntax import TextQuery, same_name
from memory.storage.sqlite.database import TimedTable
from memory.storage.sqlite.rows import Row, audiences, json_list, millis, moment, queries

_SQL = queries("search/full_text")

_MANY = 3
"""Messages looked for, for each row that is wanted: two of an exchange go with it."""

_ALWAYS = (-(2**62), 2**62)
"""Before and after every moment that is kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextMatch:
    """A row that was found; `turn` is the exchange it is, or belongs to."""

    collection: Collection
    id: UUID
    at: datetime
    turn: UUID | None


class TextIndex(TimedTable):
    """The full-text indexes of messages, exchanges, statements and knowledge, as one."""

    async def matches(self, query: TextQuery, scope: Scope, limit: int) -> list[TextMatch]:
        """The latest rows of each table that are what the query asks for, newest first."""
        values = {
            "wanted": query.wanted,
            "unwanted": query.unwanted,
            **await self._authors(query, scope),
            "rooms": await self._rooms(query),
            "after": millis(query.after) if query.after else _ALWAYS[0],
            "before": millis(query.before) if query.before else _ALWAYS[1],
            "audiences": audiences(scope),
            "now": millis(self._clock.now()),
        }
        tables = (("messages", _MANY * limit), ("turns", limit), ("memories", limit))
        found = await asyncio.gather(
            *(self._read(table, most, values) for table, most in (*tables, ("knowledge", limit)))
        )
        return sorted((one for rows in found for one in rows), key=lambda one: one.at, reverse=True)

    async def _read(self, table: str, limit: int, values: dict[str, Any]) -> list[TextMatch]:
        rows = await self._database.all(_SQL[table], {**values, "limit": limit})
        return [_text_match(table, row) for row in rows]

    async def _authors(self, query: TextQuery, scope: Scope) -> dict[str, str | None]:
        """Every name, and every person, that one of the names is in the scope."""
        if not query.authors:
            return {"authors": None, "persons": "[]"}
        rows = await self._database.all(_SQL["people"], {"audiences": audiences(scope)})
        persons = {
            row["id"]
            for row in rows
            if any(same_name(row["name"], author) for author in query.authors)
        }
        names = {row["name"] for row in rows if row["id"] in persons}
        return {
            "authors": json_list(sorted(names | set(query.authors))),
            "persons": json_list(sorted(persons)),
        }

    async def _rooms(self, query: TextQuery) -> str | None:
        if not query.rooms:
            return None
        rows = await self._database.all(_SQL["rooms"])
        return json_list(
            row["id"] for row in rows if any(same_name(row["name"], room) for room in query.rooms)
        )


def _text_match(table: str, row: Row) -> TextMatch:
    is_message = table == "messages"
    return TextMatch(
        collection=_collection(table, row),
        id=UUID(int=int(row["id"])) if is_message else UUID(row["id"]),
        at=moment(row["at"]),
        turn=UUID(row["turn"]) if row["turn"] else None,
    )


def _collection(table: str, row: Row) -> Collection:
    if table == "memories":
        return Collection(row["store"])
    return {
        "messages": Collection.LIVE,
        "turns": Collection.CONVERSATIONS,
        "knowledge": Collection.KNOWLEDGE,
    }[table]
