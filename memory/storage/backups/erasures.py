"""The erasures table: which rows lost their words since a moment, without the words."""

from collections.abc import AsyncIterator, Iterable
from datetime import datetime
from functools import partial

from memory.model.backups import Erasure, ErasureKind, ErasureStone
from memory.model.rooms import SpaceId
from memory.storage.sqlite.database import Table
from memory.storage.sqlite.readers import Snapshot
from memory.storage.sqlite.rows import json_list, millis, queries, row_as

_SQL = queries("backups/erasures")

_PAGE = 1_000
"""Erasures that are read at once, which takes some milliseconds."""


class Erasures(Table):
    """Reads the erasures of one pet."""

    async def pet(self) -> str:
        """The id of the pet, made with its database."""
        row = await self._database.one(_SQL["pet"])
        return "" if row is None else str(row["value"])

    async def last(self) -> int:
        """The number of the last erasure; 0 where there was none."""
        row = await self._database.one(_SQL["last"])
        return 0 if row is None else int(row["last"])

    async def let_go(self, since: datetime) -> tuple[SpaceId, ...]:
        """The spaces that were let go of after a moment, because they had moved."""
        rows = await self._database.all(_SQL["let_go"], {"since": millis(since)})
        return tuple(SpaceId(row["target"]) for row in rows)

    async def after(self, last: int) -> AsyncIterator[list[Erasure]]:
        """The erasures after the one of this number, page by page."""
        while page := await self._database.read(partial(_page, after=last)):
            yield page
            last = page[-1].seq


def _page(rows: Snapshot, after: int) -> list[Erasure]:
    found = rows.all(_SQL["after"], {"after": after, "limit": _PAGE})
    stones = _stones(rows, [row["key"] for row in found if row["kind"] == ErasureKind.TOMBSTONE])
    return [
        row_as(
            Erasure,
            row,
            stone=stones.get(row["key"]) if row["kind"] == ErasureKind.TOMBSTONE else None,
        )
        for row in found
    ]


def _stones(rows: Snapshot, ids: Iterable[str]) -> dict[str, ErasureStone]:
    found = rows.all(_SQL["stones"], {"ids": json_list(map(int, ids))})
    return {str(row["id"]): row_as(ErasureStone, row) for row in found}
