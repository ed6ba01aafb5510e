"""Takes out of the database's files what its tables no longer hold.

Three places keep it after a row is blanked or deleted. Full text keeps the stems until the
segments they stand in are merged. The write-ahead log keeps pages as they were. And although
`secure_delete` overwrites what it frees, a page that was split or balanced keeps copies of rows
that moved away in the room between its cells: one in a thousand was found there. `slack.py` takes
that out, some pages at a time.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import aiosqlite
import structlog

from memory.child_processes import environment, python_of
from memory.model.errors import ScrubPostponed
from memory.storage.sqlite import slack
from memory.storage.sqlite.database import Table, Transaction
from memory.storage.sqlite.readers import in_words
from memory.storage.sqlite.rows import queries
from memory.storage.sqlite.slack import MOST_PAGES

log = structlog.get_logger()

_SQL = queries("sqlite/vacuum")

_TABLES = ("messages", "memories", "turns", "knowledge")
"""Tables with a full-text index of their own."""

_PAGES = 64
"""Pages of full text merged in one transaction: 7 ms each, 30 of them at 200,000 messages."""

_NOTHING_MERGED = 2
"""Fewer changes than this and a merge found nothing to do, says the manual of FTS5."""

_CLEANED_PAGES = 1024
"""Pages overwritten while writes wait: 4 MB, read and looked through in some 10 ms."""

_KEPT_FREE = 10

_INCREMENTAL = 2

_PATIENCE_MS = 100
"""How long a writer may wait for readers at a time; each of ours reads for some milliseconds."""

_STEP_S = 30
"""Seconds for one step: a disk that takes longer is left for the next time."""

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
    """Cleans full text, file and log; cut short anywhere, it is simply done again."""

    async def scrub(self) -> Scrubbed:
        """Leave no byte of what was blanked or deleted before the call in the database's files.

        Writes wait some milliseconds at a time; reads go on. A file that was made before free
        pages were given back in steps is rewritten whole instead, once (VACUUM: 11 s a gigabyte,
        in which writes wait), as is one whose pages `slack.py` refuses.

        Raises:
            StorageFailed: the disk is full, or another program writes; call again.
            ScrubPostponed: another program reads an old state of it; call again.

        """
        before = _size(self._database.path)
        merges = sum([await self._merge(table) for table in _TABLES])
        async with _connected(self._database.path) as connection:
            ((mode,),) = await connection.execute_fetchall(_SQL["auto_vacuum"])
            if mode != _INCREMENTAL or not await self._cleaned(connection):
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

    async def _cleaned(self, connection: aiosqlite.Connection) -> bool:
        """Give free pages back and overwrite unused room, step by step; False if that is refused.

        A tenth of the file may stay free: the next writes need it.
        """
        while await self._database.write(_shrunk):
            pass
        await self._database.run(_SQL["count_steps"])
        ((pages,),) = await connection.execute_fetchall(_SQL["page_count"])
        if pages >= MOST_PAGES:
            return False
        async with _cleaner(self._database.path) as ask:
            for first in range(1, pages + 1, _CLEANED_PAGES):
                step = f"{first} {min(first + _CLEANED_PAGES - 1, pages)}\n"
                if not await self._step(connection, partial(ask, step)):
                    log.warning("pages.refused", first=first)
                    return False
        return True

    async def _step(
        self, connection: aiosqlite.Connection, ask: Callable[[], Awaitable[str]]
    ) -> bool:
        """Have some pages overwritten while the log is empty and nothing is written."""
        for _ in range(_TRIES):
            async with self._database.still():
                ((busy, *_),) = await connection.execute_fetchall(_SQL["empty_log"])
                answer = "busy" if busy else await ask()
            if not answer:
                raise ScrubPostponed("The process that cleans the database has ended.")
            if answer != "busy":
                return answer == "done"
            await asyncio.sleep(_PATIENCE_MS / 1000)
        raise ScrubPostponed("Another program uses the database: its pages were not cleaned.")

    async def _rewrite(self, connection: aiosqlite.Connection) -> None:
        async with self._database.still():
            try:
                await connection.execute(_SQL["give_back_later"])
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


async def _shrunk(transaction: Transaction) -> bool:
    """Give some free pages back, if more than a tenth are; whether there may be more."""
    ((free,),) = await transaction.all(_SQL["free_pages"])
    ((pages,),) = await transaction.all(_SQL["page_count"])
    if free * _KEPT_FREE <= pages:
        return False
    await transaction.all(_SQL["give_back"])
    return True


@asynccontextmanager
async def _cleaner(path: Path) -> AsyncIterator[Callable[[str], Awaitable[str]]]:
    """The process of `slack.py`, as what asks it for a step; ended in the end."""
    process = await asyncio.create_subprocess_exec(
        *python_of(slack.__name__, str(path)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env=environment(),
    )

    async def ask(step: str) -> str:
        process.stdin.write(step.encode())  # type: ignore[union-attr] # both are pipes
        async with asyncio.timeout(_STEP_S):
            return (await process.stdout.readline()).decode().strip()  # type: ignore[union-attr]

    try:
        await process.stdout.readline()  # type: ignore[union-attr] # it is there: no write waits for that
        yield ask
    except TimeoutError as error:
        raise ScrubPostponed("The process that cleans the database does not answer.") from error
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


@asynccontextmanager
async def _connected(path: Path) -> AsyncIterator[aiosqlite.Connection]:
    async with aiosqlite.connect(path, isolation_level=None) as connection:
        for pragma in _PRAGMAS:
            await connection.execute(pragma)
        yield connection


def _size(path: Path) -> int:
    return path.stat().st_size
