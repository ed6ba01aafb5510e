"""One writer that commits in groups, and readers beside it."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import aiosqlite
import structlog

from memory.model.audience import Scope
from memory.model.errors import DatabaseRefused
from memory.ports import Clock
from memory.storage.sqlite.readers import PRAGMAS, Readers, Snapshot, Values, in_words, open_readers
from memory.storage.sqlite.rows import Row, audiences, millis, row_as, row_json
from memory.storage.sqlite.schema import migrate
from memory.tasks import background_task

T = TypeVar("T")

log = structlog.get_logger()

_LOCKED_TRIES = 24
"""Two minutes, with the busy timeout of `PRAGMAS`: a copy of the folder, or a look at it with
another program, takes less; past that people are told that nothing was stored."""

GROUP = 64
"""Writes that may share one commit: past this the gain per write is lost in the noise."""


class Transaction:
    """The writer's connection inside a transaction; every value is bound."""

    def __init__(self, raw: aiosqlite.Connection) -> None:
        self._raw = raw

    async def all(self, sql: str, values: Values | None = None) -> list[Row]:
        """Every row of a query."""
        return list(await self._raw.execute_fetchall(sql, values or {}))

    async def one(self, sql: str, values: Values | None = None) -> Row | None:
        """The first row of a query, or None."""
        rows = await self.all(sql, values)
        return rows[0] if rows else None

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

Check = Callable[[Transaction], Awaitable[None]]
"""What must hold for a change, asked in its transaction before it; what it raises ends it."""


async def no_check(_transaction: Transaction) -> None:
    """Let a change be made whatever there is."""


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
    """The SQLite file: `write` and `run` for transactions, `all` and `one` for reads."""

    def __init__(self, path: Path, writer: aiosqlite.Connection, readers: Readers) -> None:
        self.path = path
        self.changed = asyncio.Event()
        """Set whenever something was committed; the indexer clears it."""
        self._writer = writer
        self.readers = readers
        """What reads beside the writer."""
        self._waiting: asyncio.Queue[_Waiting] = asyncio.Queue()
        self._committing = asyncio.Lock()

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

    async def run(self, sql: str, values: Values | None = None) -> int:
        """Execute one statement in a transaction; the number of rows it changed.

        Raises:
            StorageFailed: see `write`.

        """
        return await self.write(lambda transaction: transaction.run(sql, values))

    async def read(self, work: Callable[[Snapshot], T], within_s: float | None = None) -> T:
        """What `work` makes of a snapshot, beside the writer; see `Readers.read`.

        Raises:
            ReadTooLate: it did not end within `within_s`.
            StorageFailed: the file is damaged or cannot be read.

        """
        return await self.readers.read(work, within_s)

    async def all(self, sql: str, values: Values | None = None) -> list[Row]:
        """Every row of a query, read beside the writer.

        Raises:
            StorageFailed: the file is damaged or cannot be read.

        """
        return await self.read(lambda snapshot: snapshot.all(sql, values))

    async def one(self, sql: str, values: Values | None = None) -> Row | None:
        """The first row of a query, or None, read beside the writer.

        Raises:
            StorageFailed: see `all`.

        """
        return await self.read(lambda snapshot: snapshot.one(sql, values))

    async def all_as(self, kind: type[T], sql: str, values: Values | None = None) -> list[T]:
        """The same as `all`, each row as a value of this kind, see `row_as`."""
        return [row_as(kind, row) for row in await self.all(sql, values)]

    async def one_as(self, kind: type[T], sql: str, values: Values | None = None) -> T | None:
        """The same as `one`."""
        row = await self.one(sql, values)
        return None if row is None else row_as(kind, row)

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
            if len(group) == 1 or _is_locked(error):  # one by one each would wait as long
                for waiting in group:
                    waiting.settle(error=in_words(error, "written"))
                return
            for waiting in group:
                await self._commit([waiting])
            return
        self.changed.set()
        for waiting, result in zip(group, results, strict=True):
            waiting.settle(result)

    async def _begin(self) -> None:
        """Begin to write; while another program does, what is to be written waits for it."""
        for left in reversed(range(_LOCKED_TRIES)):
            try:
                await self._writer.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if not _is_locked(error) or not left:
                    raise
                log.warning("database.locked", tries_left=left)
            else:
                return

    async def _in_transaction(self, works: Sequence[Work[Any]]) -> list[Any]:
        await self._begin()
        transaction = Transaction(self._writer)
        try:
            results = [await work(transaction) for work in works]
            await self._writer.execute("COMMIT")
        except BaseException:
            if self._writer.in_transaction:
                await self._writer.execute("ROLLBACK")
            raise
        return results


Rows = Database | Transaction
"""What rows are read from: the database, or a transaction on it."""


class Table:
    """One table of a database, or a few that belong together."""

    def __init__(self, database: Database) -> None:
        self._database = database


class TimedTable(Table):
    """A table whose rows are written, or read, by what time it is."""

    def __init__(self, database: Database, clock: Clock) -> None:
        super().__init__(database)
        self._clock = clock

    def _within(self, scope: Scope, **values: Any) -> dict[str, Any]:
        """These values, with what a scope allows and the present moment, to be bound in a query."""
        return {**values, "audiences": audiences(scope), "now": millis(self._clock.now())}


def _nothing() -> None:
    """Nothing needs to be done before a migration."""


def _is_locked(error: BaseException) -> bool:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK)
    return isinstance(error, sqlite3.OperationalError) and code & 0xFF == sqlite3.SQLITE_BUSY


@asynccontextmanager
async def open_database(
    path: Path,
    kind: type[sqlite3.Connection] = sqlite3.Connection,
    *,
    beforehand: Callable[[], object] = _nothing,
) -> AsyncIterator[Database]:
    """The database at `path`, created or migrated to this version, until the body ends.

    `kind` is what it is read and written with; `beforehand` is called in a thread before rows that
    an earlier version wrote are migrated.

    Raises:
        DatabaseRefused: the file is corrupt, newer than this version, not as its version left it,
            or cannot be opened.

    """
    async with AsyncExitStack() as stack:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # Before aiosqlite, which leaves a thread behind that may outlive the loop if it fails.
            await asyncio.to_thread(migrate, path, beforehand)
            writer = await _connect(stack, path, kind)
            await writer.create_function("row_json", -1, row_json, deterministic=True)
            readers = await stack.enter_async_context(open_readers(path, kind=kind))
        except (sqlite3.Error, OSError) as error:
            raise DatabaseRefused(refusal(path, error)) from error
        database = Database(path, writer, readers)
        await stack.enter_async_context(
            background_task(database.commit_groups(), name="sqlite-writer")
        )
        yield database


async def _connect(
    stack: AsyncExitStack, path: Path, kind: type[sqlite3.Connection]
) -> aiosqlite.Connection:
    opening = aiosqlite.connect(path, isolation_level=None, factory=kind)
    connection = await stack.enter_async_context(opening)
    connection.row_factory = sqlite3.Row
    for pragma in PRAGMAS:
        await connection.execute(pragma)
    return connection


def refusal(path: Path, error: Exception) -> str:
    """The sentence that says why a database cannot be opened, and what to do."""
    if "not a database" in str(error) or "malformed" in str(error):
        return (
            f"{path} is damaged or is not an Eko database ({error}): put a backup in its place "
            f'with: eko restore FILE, or rescue what is readable with: sqlite3 "{path}" .recover'
        )
    return f"{path} cannot be opened ({error}): check that the folder exists and is writable."
