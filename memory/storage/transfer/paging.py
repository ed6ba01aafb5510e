"""Reads the rows of a query page by page, beside whatever else waits."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from memory.storage.sqlite.database import Database
from memory.storage.sqlite.rows import Row

_PAGE = 2_000
"""Rows that are read at once: some megabytes at most."""

_BREATH = 50
"""Rows after which other tasks may run: 10 ms of writing."""


async def paged(
    database: Database,
    sql: str,
    values: Mapping[str, Any],
    place: Callable[[Row], Mapping[str, Any]],
    first: str | int,
) -> AsyncIterator[Row]:
    """The rows of a query page by page; `place` is where the next page begins, behind a row."""
    after: Mapping[str, Any] = {"after": first, "after_id": "", "after_last": ""}
    while True:
        rows = await database.all(sql, {**values, **after, "limit": _PAGE})
        for number, row in enumerate(rows):
            if not number % _BREATH:
                await asyncio.sleep(0)
            yield row
        if len(rows) < _PAGE:
            return
        after = place(rows[-1])
