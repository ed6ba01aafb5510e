"""Takes out of the database's files what its tables no longer hold.

Three places keep it after a row is blanked or deleted. Full text keeps the stems until the
segments they stand in are merged. The write-ahead log keeps pages as they were. And although
`secure_delete` overwrites what it frees, a page that was split or balanced keeps copies of rows
that moved away in the room between its cells: one in a thousand was found there, and only VACUUM
takes that out.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import aiosqlite
import structlog

from memory.model.errors import ScrubPostponed
from memory.storage.sqlite.database import Table, Transaction
from memory.storage.sqlite.readers import in_words
from memory.storage.sqlite.rows import queries

log = structlog.get_logger()

_SQL = queries("sqlite/vacuum")

_TABLES = ("messages", "memories", "turns", "knowledge")
"""Tables with a full-text index of their own."""

_PAGES = 64
"""Pages of full text merged in one transaction: 7 ms each, 30 of them at 200,000 messages."""

_NOTHING_MERGED = 2
"""Fewer changes than this and a merge found nothing to do, says the manual of FTS5."""

_PATIENCE_MS = 100
"""How long a writer may wait for readers at a time; each of ours reads for some milliseconds."""

_TRIES = 100
"""Ten seconds: a reader that still has the same state then is no look-up but another program."""

_PRAGMAS = (
    f"PRAGMA busy_timeout = {_PATIENCE_MS}",
    "PRAGMA secure_delete = ON",
    "PRAGMA synchronous = FULL",
    "PRAGMA temp_store = FILE",  # the copy that VACUUM makes may be larger than memory
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scrubbed:
    """What it took: steps of merging full text, and the bytes of the file before and after."""

    merges: int
    bytes_before: int
    bytes_after: int


class Vacuum(Table):
    """Rewrites full text, file and log; cut short anywhere, it is simply done again."""

    async def scrub(self) -> Scrubbed:
        """Leave no byte of what was blanked or deleted before the call in the database's files.

        Writes wait while the file is rewritten (VACUUM: 11 s a gigabyte), and some
        milliseconds at a time while full text is; reads go on.

        Raises:
            StorageFailed: the disk is full, or another program writes; call again.
            ScrubPostponed: another program reads an old state of it; call again.

        """
        before = _size(self._database.path)
        merges = sum([await self._merge(table) for table in _TABLES])
        async with _connected(self._database.path) as connection:
            await self._rewrite(connection)
            await self._empty_log(connection)
        done = Scrubbed(merges=merges, bytes_before=before, bytes_after=_size(self._database.path))
        log.info("database.scrubbed", merges=merges, size_bytes=done.bytes_after)
        return done

    async def _merge(self, table: str) -> int:
        """Merge all segments of a full-text index into one, step by step; how many steps."""
        steps = 1
        # A negative number begins a merge of everything, a positive one goes on with it.
        pages = -_PAGES
        while await self._merged_some(table, pages):
            pages = _PAGES
            steps += 1
        return steps

    async def _merged_some(self, table: str, pages: int) -> bool:
        async def work(transaction: Transaction) -> int:
            before = await transaction.all(_SQL["changes"])
            await transaction.run(_SQL[f"merge_{table}"], {"pages": pages})
            after = await transaction.all(_SQL["changes"])
            return int(after[0]["changes"] - before[0]["changes"])

        return await self._database.write(work) >= _NOTHING_MERGED

    async def _rewrite(self, connection: aiosqlite.Connection) -> None:
        async with self._database.still():
            try:
                await connection.execute(_SQL["vacuum"])
            except sqlite3.OperationalError as error:
                raise in_words(error, "written") from error

    async def _empty_log(self, connection: aiosqlite.Connection) -> None:
        """Bring the write-ahead log into the file, and cut it to none.

        Nothing is written meanwhile: before 3.51.3 SQLite can damage a file where one connection
        brings the log in while another writes to it (https://www.sqlite.org/wal.html#walresetbug).
        """
        for _ in range(_TRIES):
            async with self._database.still():
                ((busy, *_),) = await connection.execute_fetchall(_SQL["empty_log"])
            if not busy:
                return
            await asyncio.sleep(_PATIENCE_MS / 1000)
        raise ScrubPostponed("Another program reads the database: its log was not cleared.")


@asynccontextmanager
async def _connected(path: Path) -> AsyncIterator[aiosqlite.Connection]:
    async with aiosqlite.connect(path, isolation_level=None) as connection:
        for pragma in _PRAGMAS:
            await connection.execute(pragma)
        yield connection


def _size(path: Path) -> int:
    return path.stat().st_size
