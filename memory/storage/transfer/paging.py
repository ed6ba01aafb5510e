"""Reads the rows of a query page by page, beside whatever else waits."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from memory.storage.sqlite.database import Database
from memory.storage.sqlite.rows import Row

_PAGE = 2_000
"""Rows that are read at once: some megabytes at most."""

_BREATH = 50
"""Rows after which other tasks may run: 10 ms of writing."""


_PLACE = ("after", "after_id", "after_last")
"""What the columns that a query goes along are compared with, in their order."""


async def paged(
    database: Database,
    sql: str,
    values: Mapping[str, Any],
    along: Sequence[str],
    first: str | int,
) -> AsyncIterator[Row]:
    """The rows of a query page by page; it goes along some columns, from before `first`."""
    place: tuple[Any, ...] = (first, "", "")
    while True:
        after = dict(zip(_PLACE, place, strict=False))
        rows = await database.all(sql, {**values, **after, "limit": _PAGE})
        for number, row in enumerate(rows):
            if not number % _BREATH:
                await asyncio.sleep(0)
            yield row
        if len(rows) < _PAGE:
            return
        place = tuple(rows[-1][column] for column in along)
