"""Readers beside the writer: a thread and a plain connection for each, one snapshot at a time.

A read is a plain function over a snapshot, so that it reads top to bottom, sees the database as it
was at one moment, and costs one way to a thread and back however much it asks.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from math import inf
from pathlib import Path
from threading import Lock
from time import perf_counter
from typing import Any, Literal, TypeVar

from memory.model.errors import ReadTooLate, StorageFailed
from memory.storage.sqlite.rows import Row

T = TypeVar("T")
Values = Mapping[str, Any]

READERS = 4
"""Two people who are answered at once, and what looks on beside them; each reader is a thread."""

LOOK_AGAIN_S = 0.02
"""Until it is looked again whether a reader is late, and one that is is interrupted again: it may
have been between two statements."""

ABANDONED_AFTER_S = 1.0
"""How much later a reader that no interruption reaches is left alone, on a disk that hangs."""

_MOST_DISTURBED = 3
"""How often the end of a transaction is tried: one interruption may hit it, a second hardly."""

PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA busy_timeout = 5000",
    "PRAGMA temp_store = MEMORY",
    "PRAGMA secure_delete = ON",
)
"""What every connection is opened with."""

_READER_PRAGMAS = (
    "PRAGMA query_only = ON",
    # Copying pages was a third of a look-up's time. This is the most SQLite maps: addresses, not
    # memory, and at a million memories a quarter less work than with an eighth of it.
    "PRAGMA mmap_size = 2147418112",
)


class Snapshot:
    """The database as it was at one moment: a connection inside a read transaction.

    Its functions are plain ones, for the thread that the reader runs in.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._until: float | None = None
        self._deadline = Lock()
        """So that no interruption meant for what was late hits what a new deadline allows."""

    def all(self, sql: str, values: Values | None = None) -> list[Row]:
        """Every row of a query.

        Raises:
            ReadTooLate: the deadline has passed, before the query or while it ran.
            StorageFailed: the file is damaged or cannot be read.

        """
        if self.is_late():
            raise ReadTooLate("The database was asked after the deadline.")
        try:
            return self._connection.execute(sql, values or {}).fetchall()
        except sqlite3.Error as error:
            if self.is_late() and isinstance(error, sqlite3.OperationalError):
                raise ReadTooLate("The database did not answer in time.") from error
            translated = in_words(error, "read")
            raise translated from (None if translated is error else error)

    def one(self, sql: str, values: Values | None = None) -> Row | None:
        """The first row of a query, or None.

        Raises:
            StorageFailed: see `all`.

        """
        rows = self.all(sql, values)
        return rows[0] if rows else None

    @contextmanager
    def opened(self) -> Iterator[None]:
        """The transaction, begun and ended."""
        self.all("BEGIN")
        try:
            yield
        finally:
            self._end()

    def interrupt_if_late(self) -> None:
        """Stop the query that is under way if the deadline has passed, from any thread."""
        with self._deadline:
            if self.is_late():
                self._connection.interrupt()

    def give_up(self) -> None:
        """Stop the query that is under way, and begin no other; from any thread."""
        with self._deadline:
            self._until = -inf
            self._connection.interrupt()

    def allow(self, seconds: float) -> None:
        """Set the deadline anew: so many seconds from now."""
        with self._deadline:
            if self._until != -inf:
                self._until = perf_counter() + seconds

    @property
    def left_s(self) -> float | None:
        """Seconds until the deadline, below 0 once it has passed; None without one."""
        return None if self._until is None else self._until - perf_counter()

    def is_late(self) -> bool:
        """Whether the deadline has passed."""
        return self._until is not None and perf_counter() > self._until

    def _end(self) -> None:
        """Leave the transaction, which an error may have ended and an interruption may disturb."""
        for _ in range(_MOST_DISTURBED):
            if not self._connection.in_transaction:
                return
            with suppress(sqlite3.OperationalError):
                self._connection.execute("ROLLBACK")


class Readers:
    """A few readers, each of which serves one read at a time; made with `open_readers`."""

    def __init__(self, connections: list[sqlite3.Connection], threads: ThreadPoolExecutor) -> None:
        self._threads = threads
        self._free: asyncio.Queue[sqlite3.Connection] = asyncio.Queue()
        for connection in connections:
            self._free.put_nowait(connection)

    async def read(self, work: Callable[[Snapshot], T], within_s: float | None = None) -> T:
        """What `work` makes of a snapshot, in a thread.

        `within_s` is its deadline, which it may set anew with `Snapshot.allow`: a query that is
        under way then is interrupted.

        Raises:
            ReadTooLate: no reader was free in time, or not even interrupted did the work end.
            StorageFailed: the file is damaged or cannot be read.

        """
        connection = await self._one_free(within_s)
        snapshot = Snapshot(connection)
        if within_s is not None:
            snapshot.allow(within_s)
        running = asyncio.get_running_loop().run_in_executor(
            self._threads, _in_transaction, snapshot, work
        )
        running.add_done_callback(partial(self._ended, connection))
        try:
            await _ended_or_abandoned(running, snapshot)
        except asyncio.CancelledError:
            _stop(running, snapshot)
            raise
        return running.result()

    async def _one_free(self, within_s: float | None) -> sqlite3.Connection:
        try:
            async with asyncio.timeout(within_s):
                return await self._free.get()
        except TimeoutError as error:
            raise ReadTooLate("Every reader of the database is taken.") from error

    def _ended(self, connection: sqlite3.Connection, running: "asyncio.Future[Any]") -> None:
        """Let the next read have the connection; a cancelled one keeps it until its work ends."""
        self._free.put_nowait(connection)
        if not running.cancelled():
            running.exception()  # it counts as retrieved, also when the caller has gone


@asynccontextmanager
async def open_readers(
    path: Path, count: int = READERS, kind: type[sqlite3.Connection] = sqlite3.Connection
) -> AsyncIterator[Readers]:
    """Readers of the database at `path`, until the body ends; `kind` is what they read with.

    Raises:
        sqlite3.Error: the file cannot be opened.

    """
    threads = ThreadPoolExecutor(count, thread_name_prefix="sqlite-reader")
    connections = [open_plain(path, kind) for _ in range(count)]
    try:
        yield Readers(connections, threads)
    finally:
        for connection in connections:
            connection.interrupt()
        await asyncio.to_thread(threads.shutdown)
        for connection in connections:
            connection.close()


def in_words(error: Exception, done: Literal["read", "written"]) -> Exception:
    """An error of SQLite as one of ours, or as it is when it is a mistake of this program."""
    # A damaged full-text index comes as a bare DatabaseError; its other kinds are our mistakes.
    if isinstance(error, sqlite3.OperationalError) or type(error) is sqlite3.DatabaseError:
        if "disk is full" in str(error):
            return StorageFailed("The disk is full: nothing was stored; free some space.")
        return StorageFailed(f"The database could not be {done} ({error}).")
    return error


def open_plain(
    path: Path, kind: type[sqlite3.Connection] = sqlite3.Connection
) -> sqlite3.Connection:
    """A connection that only reads, as a reader has it.

    Raises:
        sqlite3.Error: the file cannot be opened.

    """
    # Whichever thread of the pool is free takes the next read: one at a time, as the queue says.
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, factory=kind)
    connection.row_factory = sqlite3.Row
    for pragma in (*PRAGMAS, *_READER_PRAGMAS):
        connection.execute(pragma)
    return connection


def _in_transaction(snapshot: Snapshot, work: Callable[[Snapshot], T]) -> T:
    with snapshot.opened():
        return work(snapshot)


async def _ended_or_abandoned(running: "asyncio.Future[Any]", snapshot: Snapshot) -> None:
    """Wait for work to end, and interrupt it for as long as it is late."""
    while not running.done():
        left = snapshot.left_s
        if left is not None and left < -ABANDONED_AFTER_S:
            raise ReadTooLate("The database does not answer.")
        snapshot.interrupt_if_late()
        # The work may set its deadline anew meanwhile, also sooner.
        await asyncio.wait({running}, timeout=LOOK_AGAIN_S)


def _stop(running: "asyncio.Future[Any]", snapshot: Snapshot) -> None:
    """Stop work whose caller has gone, however often it takes."""
    if not running.done():
        snapshot.give_up()
        asyncio.get_running_loop().call_later(LOOK_AGAIN_S, _stop, running, snapshot)
