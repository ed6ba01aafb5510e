"""One writer that commits in groups, readers beside it, and numbered migrations."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

import aiosqlite

from memory.adapters.sqlite.columns import row_json
from memory.adapters.sqlite.queries import migrations
from memory.errors import DatabaseRefused, StorageFailed
from memory.lane import lane

T = TypeVar("T")
Row = sqlite3.Row
Values = Mapping[str, Any]

READERS = 3
"""Enough for the sources of one pre-hook to run side by side; each reader is a thread."""

GROUP = 64
"""Writes that may share one commit: past this the gain per write is lost in the noise."""

_PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA busy_timeout = 5000",
    "PRAGMA temp_store = MEMORY",
    "PRAGMA secure_delete = ON",
)

_READER_PRAGMAS = (
    "PRAGMA query_only = ON",
    # Copying pages was a third of a look-up's time. This is the most SQLite maps: addresses, not
    # memory, and at a million memories a quarter less work than with an eighth of it.
    "PRAGMA mmap_size = 2147418112",
)


class Connection:
    """A connection that answers in rows; every value is bound."""

    def __init__(self, raw: aiosqlite.Connection) -> None:
        self._raw = raw

    async def all(self, sql: str, values: Values | None = None) -> list[Row]:
        """Every row of a query."""
        return list(await self._raw.execute_fetchall(sql, values or {}))

    async def one(self, sql: str, values: Values | None = None) -> Row | None:
        """The first row of a query, or None."""
        rows = await self.all(sql, values)
        return rows[0] if rows else None


class Transaction(Connection):
    """A connection inside a transaction, which may also write."""

    async def run(self, sql: str, values: Values | None = None) -> int:
        """Execute one statement; the number of rows it changed."""
        async with self._raw.execute(sql, values or {}) as cursor:
            return cursor.rowcount

    async def many(self, sql: str, rows: Sequence[Values]) -> int:
        """Execute one statement for each of `rows`; the number of rows it changed in all."""
        if not rows:
            return 0
        async with self._raw.executemany(sql, rows) as cursor:
            return cursor.rowcount


Work = Callable[[Transaction], Awaitable[T]]


@dataclass(frozen=True, slots=True)
class _Waiting:
    work: Work[Any]
    done: asyncio.Future[Any]

    def settle(self, result: Any = None, error: BaseException | None = None) -> None:
        if self.done.done():  # its caller was cancelled meanwhile
            return
        if error is not None:
            self.done.set_exception(error)
        else:
            self.done.set_result(result)


class Database:
    """The SQLite file: `write` for transactions, `all` and `one` for reads."""

    def __init__(
        self, path: Path, writer: aiosqlite.Connection, readers: Iterable[aiosqlite.Connection]
    ) -> None:
        self.path = path
        self.changed = asyncio.Event()
        """Set whenever something was committed; the indexer clears it."""
        self._writer = writer
        self._waiting: asyncio.Queue[_Waiting] = asyncio.Queue()
        self._committing = asyncio.Lock()
        self._readers: asyncio.Queue[Connection] = asyncio.Queue()
        for reader in readers:
            self._readers.put_nowait(Connection(reader))

    async def write(self, work: Work[T]) -> T:
        """Run `work` in a transaction and return its result once it is on disk.

        Waiting writes share one commit. When one of them fails the group is rolled back and each
        runs alone, so `work` may be called twice and must have no effect outside its transaction.

        Raises:
            StorageFailed: the disk is full or the file cannot be written.

        """
        waiting: _Waiting = _Waiting(work, asyncio.get_running_loop().create_future())
        self._waiting.put_nowait(waiting)
        result: T = await waiting.done
        return result

    async def all(self, sql: str, values: Values | None = None) -> list[Row]:
        """Every row of a query, read beside the writer.

        Raises:
            StorageFailed: the file is damaged or cannot be read.

        """
        reader = await self._readers.get()
        try:
            return await reader.all(sql, values)
        except sqlite3.Error as error:
            translated = in_words(error, "read")
            raise translated from (None if translated is error else error)
        finally:
            self._readers.put_nowait(reader)

    async def one(self, sql: str, values: Values | None = None) -> Row | None:
        """The first row of a query, or None, read beside the writer.

        Raises:
            StorageFailed: see `all`.

        """
        rows = await self.all(sql, values)
        return rows[0] if rows else None

    async def commit_groups(self) -> None:
        """Serve waiting writes until cancelled."""
        while True:
            group = [await self._waiting.get()]
            while len(group) < GROUP and not self._waiting.empty():
                group.append(self._waiting.get_nowait())
            async with self._committing:
                await self._commit(group)

    @asynccontextmanager
    async def still(self) -> AsyncIterator[None]:
        """Nothing is written while the body runs; writes wait for its end, reads go on."""
        async with self._committing:
            yield

    async def _commit(self, group: Sequence[_Waiting]) -> None:
        try:
            results = await self._in_transaction([waiting.work for waiting in group])
        except Exception as error:  # noqa: BLE001 - handed to the caller whose work it was
            if len(group) == 1:
                group[0].settle(error=in_words(error, "written"))
                return
            for waiting in group:
                await self._commit([waiting])
            return
        self.changed.set()
        for waiting, result in zip(group, results, strict=True):
            waiting.settle(result)

    async def _in_transaction(self, works: Sequence[Work[Any]]) -> list[Any]:
        await self._writer.execute("BEGIN IMMEDIATE")
        transaction = Transaction(self._writer)
        try:
            results = [await work(transaction) for work in works]
            await self._writer.execute("COMMIT")
        except BaseException:
            if self._writer.in_transaction:
                await self._writer.execute("ROLLBACK")
            raise
        return results


@asynccontextmanager
async def open_database(path: Path) -> AsyncIterator[Database]:
    """The database at `path`, created or migrated to this version, until the body ends.

    Raises:
        DatabaseRefused: the file is corrupt, newer than this version, or cannot be opened.

    """
    async with AsyncExitStack() as stack:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # aiosqlite leaves a thread behind that may outlive the loop when it cannot open.
            sqlite3.connect(path).close()
            writer = await _connect(stack, path)
            await writer.create_function("row_json", -1, row_json, deterministic=True)
            await _migrate(writer, path)
            readers = [await _connect(stack, path, read_only=True) for _ in range(READERS)]
        except (sqlite3.Error, OSError) as error:
            raise DatabaseRefused(_refusal(path, error)) from error
        database = Database(path, writer, readers)
        await stack.enter_async_context(lane(database.commit_groups(), name="sqlite-writer"))
        yield database


async def _connect(
    stack: AsyncExitStack, path: Path, *, read_only: bool = False
) -> aiosqlite.Connection:
    connection = await stack.enter_async_context(aiosqlite.connect(path, isolation_level=None))
    connection.row_factory = sqlite3.Row
    for pragma in _PRAGMAS:
        await connection.execute(pragma)
    if read_only:
        for pragma in _READER_PRAGMAS:
            await connection.execute(pragma)
    return connection


async def _migrate(writer: aiosqlite.Connection, path: Path) -> None:
    await writer.execute(
        "CREATE TABLE IF NOT EXISTS schema_migrations (number INTEGER PRIMARY KEY) STRICT"
    )
    rows = await writer.execute_fetchall("SELECT number FROM schema_migrations")
    applied = {row["number"] for row in rows}
    known = migrations()
    if applied and max(applied) > known[-1][0]:
        raise DatabaseRefused(
            f"{path} was written by a newer Eko (schema {max(applied)}, this one knows "
            f"{known[-1][0]}): upgrade Eko, or choose another data folder with EKO_DATA_DIR."
        )
    for number, script in known:
        if number not in applied:
            await writer.executescript(
                f"BEGIN IMMEDIATE;\n{script}\n"
                f"INSERT INTO schema_migrations (number) VALUES ({number});\nCOMMIT;"
            )


def _refusal(path: Path, error: Exception) -> str:
    if "not a database" in str(error) or "malformed" in str(error):
        return (
            f"{path} is damaged or is not an Eko database ({error}): put a backup in its place, "
            f'or rescue what is readable with: sqlite3 "{path}" .recover'
        )
    return f"{path} cannot be opened ({error}): check that the folder exists and is writable."


def in_words(error: Exception, done: Literal["read", "written"]) -> Exception:
    """An error of SQLite as one of ours, or as it is when it is a mistake of this program."""
    # A damaged full-text index comes as a bare DatabaseError; its other kinds are our mistakes.
    if isinstance(error, sqlite3.OperationalError) or type(error) is sqlite3.DatabaseError:
        if "disk is full" in str(error):
            return StorageFailed("The disk is full: nothing was stored; free some space.")
        return StorageFailed(f"The database could not be {done} ({error}).")
    return error
