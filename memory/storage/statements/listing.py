"""Statements page by page, their sources and associations, within a scope."""

import asyncio
from collections.abc import Sequence
from typing import Any

from memory.model.audience import Scope
from memory.model.listing import (
    SourceLine,
    StatementFilter,
    StatementPage,
    StatementPosition,
    Tied,
)
from memory.model.statements import Association, MemoryId
from memory.model.stores import Store
from memory.storage.sqlite.database import TimedTable
from memory.storage.sqlite.rows import (
    Row,
    audiences,
    columns_of,
    maybe_millis,
    millis,
    queries,
    row_as,
)
from memory.storage.statements.statements import memory_of

_SQL = queries("statements/listing")

_EVER = 2**62
"""Later than every moment in the database; its negative is earlier than every one."""


class StatementList(TimedTable):
    """Statements for looking through: filtered, in pages, with their sources."""

    async def page(
        self, wanted: StatementFilter, scope: Scope, limit: int, after: StatementPosition | None
    ) -> StatementPage:
        """The latest of the wanted statements, or the next ones after a page.

        A statement keeps its place, so pages are complete and do not overlap, whatever is learnt
        meanwhile.
        """
        stores = [wanted.store] if wanted.store else list(Store)
        values = self._values(wanted, scope, limit + 1, after)
        name = "page" if wanted.person is None else "page_of_person"
        found = await asyncio.gather(*(self._rows(name, store, values) for store in stores))
        rows = sorted(
            (row for rows in found for row in rows),
            key=lambda row: (row["valid_from"], row["seq"]),
            reverse=True,
        )
        shown = rows[:limit]
        ended = StatementPosition(shown[-1]["valid_from"], shown[-1]["seq"]) if shown else None
        return StatementPage(
            statements=tuple(memory_of(row) for row in shown),
            next=ended if len(rows) > limit else None,
        )

    async def sources(self, memory: MemoryId, scope: Scope, limit: int) -> list[SourceLine]:
        """The messages that a statement rests on, oldest first."""
        rows = await self._of(memory, "sources", scope, limit)
        return [row_as(SourceLine, row) for row in rows]

    async def ties(self, memory: MemoryId, scope: Scope, limit: int) -> list[Tied]:
        """The recalled statements that a statement is associated with, closest first."""
        rows = await self._of(memory, "ties", scope, limit)
        return [Tied(memory=memory_of(row), tie=row_as(Association, row)) for row in rows]

    async def _of(self, memory: MemoryId, name: str, scope: Scope, limit: int) -> Sequence[Row]:
        values = self._within(scope, id=str(memory), limit=limit)
        return await self._database.all(_SQL[name], values)

    async def _rows(self, name: str, store: Store, values: dict[str, Any]) -> list[Row]:
        return await self._database.all(_SQL[name], {**values, "store": store})

    def _values(
        self, wanted: StatementFilter, scope: Scope, limit: int, after: StatementPosition | None
    ) -> dict[str, Any]:
        at, until = maybe_millis(wanted.at), maybe_millis(wanted.until)
        ends = [_EVER if until is None else until, _EVER if at is None else at + 1]
        return {
            **columns_of(wanted),
            "before_at": after.said_at if after else _EVER,
            "before_seq": after.seq if after else _EVER,
            "since": millis(wanted.since) if wanted.since else -_EVER,
            "until": min(ends),
            "now": millis(self._clock.now()),
            "audiences": audiences(scope),
            "limit": limit,
        }
