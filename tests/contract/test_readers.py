"""A read is one moment in one thread; it ends at its deadline, and its reader serves the next."""

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, TypeVar

import pytest

from memory.model.errors import ReadTooLate, StorageFailed
from memory.storage.sqlite import readers as readers_module
from memory.storage.sqlite.database import Database, Transaction, Work, open_database
from memory.storage.sqlite.readers import READERS, Snapshot, open_readers
from memory.storage.sqlite.rows import Row
from tests.storage import ENDLESS

T = TypeVar("T")

FILE = "eko.sqlite3"

IN_TIME_S = 60
"""What a busy machine may take for something that happens at once."""

SOON_S = 0.02
"""A deadline that passes while a test looks on."""


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    """A new database."""
    async with open_database(tmp_path / FILE) as opened:
        yield opened


def put(key: str) -> Work[int]:
    """A write of one row."""

    async def work(transaction: Transaction) -> int:
        return await transaction.run(
            "INSERT INTO meta (key, value) VALUES (:key, '')", {"key": key}
        )

    return work


def keys_in(snapshot: Snapshot) -> set[str]:
    """The keys that a test wrote; those of the pet's own have a dot in them."""
    return {row["key"] for row in snapshot.all("SELECT key FROM meta WHERE key NOT LIKE '%.%'")}


def under_way(snapshot: Snapshot, begun: Callable[[], object]) -> list[Row]:
    """A query that nothing but an interruption ends; `begun` is called from inside it."""

    def told() -> int:
        begun()
        return 1

    snapshot._connection.create_function("told", 0, told)
    return snapshot.all(ENDLESS.replace("SELECT 1", "SELECT told()"))


def soon_late(snapshot: Snapshot) -> list[Row]:
    """Such a query, whose deadline passes while it is under way."""
    return under_way(snapshot, lambda: snapshot.allow(SOON_S))


def past(seconds: float, snapshot: Snapshot) -> int:
    """Query after query until so much time has passed; how many."""
    until, queries = perf_counter() + seconds, 0
    while perf_counter() < until:
        snapshot.all("SELECT 1")
        queries += 1
    return queries


async def read(
    database: Database, work: Callable[[Snapshot], T], within_s: float | None = None
) -> T:
    """A read that fails when nothing ends it."""
    async with asyncio.timeout(IN_TIME_S):
        return await database.read(work, within_s)


async def happened(event: threading.Event) -> None:
    """Wait for what another thread says."""
    assert await asyncio.to_thread(event.wait, IN_TIME_S)


async def read_together(database: Database, readers: int = READERS) -> None:
    """So many reads at once: each ends when all the others are under way too."""
    together = threading.Barrier(readers)

    def work(snapshot: Snapshot) -> Row | None:
        together.wait(IN_TIME_S)
        return snapshot.one("SELECT 7")

    rows = await asyncio.gather(*(read(database, work) for _ in range(readers)))
    assert [row and row[0] for row in rows] == [7] * readers


async def keeps_no_old_state(database: Database) -> bool:
    """Whether no reader holds a snapshot that a checkpoint would have to wait for."""
    await database.write(put("newer"))
    await database._writer.execute("PRAGMA busy_timeout = 0")
    (row,) = await database._writer.execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)")
    return bool(row[0] == 0)


async def test_a_read_sees_one_moment_though_a_write_commits_in_between(database: Database) -> None:
    """The next read sees the write."""
    begun, written = threading.Event(), threading.Event()

    def work(snapshot: Snapshot) -> tuple[set[str], set[str]]:
        before = keys_in(snapshot)
        begun.set()
        assert written.wait(IN_TIME_S)
        return before, keys_in(snapshot)

    await database.write(put("before"))
    reading = asyncio.ensure_future(read(database, work))
    await happened(begun)
    await database.write(put("between"))
    written.set()
    assert await reading == ({"before"}, {"before"})
    assert await read(database, keys_in) == {"before", "between"}


async def test_readers_cannot_write(database: Database) -> None:
    """Nothing is lost by a query that writes by mistake, and its reader works on."""
    await database.write(put("kept"))
    for _ in range(2 * READERS):
        with pytest.raises(StorageFailed, match="readonly"):
            await read(database, lambda snapshot: snapshot.all("DELETE FROM meta"))
    assert await read(database, keys_in) == {"kept"}


async def test_a_read_keeps_no_old_state_once_it_has_ended(database: Database) -> None:
    """Whether it brought something, failed or was late: a scrub would wait for it."""

    def failing(_: Snapshot) -> None:
        raise ValueError("changed my mind")

    await read(database, keys_in)
    for _ in range(2 * READERS):
        with pytest.raises(ValueError, match="changed my mind"):
            await read(database, failing)
        with pytest.raises(ReadTooLate):
            await read(database, soon_late, IN_TIME_S)
    assert await keeps_no_old_state(database)
    await read_together(database)


async def test_a_query_under_way_at_the_deadline_is_interrupted(database: Database) -> None:
    """And its reader serves the next read."""
    for _ in range(2 * READERS):
        started = perf_counter()
        with pytest.raises(ReadTooLate, match="did not answer in time"):
            await read(database, soon_late, 5 * IN_TIME_S)
        assert SOON_S <= perf_counter() - started < IN_TIME_S
    await read_together(database)


async def test_no_query_begins_after_the_deadline(database: Database) -> None:
    """Work that did something else until then is told so too."""

    def work(snapshot: Snapshot) -> None:
        snapshot.all("SELECT 1")
        snapshot.allow(SOON_S)
        while not snapshot.is_late():
            pass
        snapshot.all("SELECT 1")

    with pytest.raises(ReadTooLate, match="asked after the deadline"):
        await read(database, work, IN_TIME_S)
    await read_together(database)


async def test_a_deadline_set_anew_gives_more_time(database: Database) -> None:
    """Queries go on past the first one."""

    def work(snapshot: Snapshot) -> tuple[float, int]:
        snapshot.allow(2 * IN_TIME_S)
        queries = past(0.7, snapshot)
        return snapshot.left_s or 0.0, queries

    left, queries = await read(database, work, 0.5)
    assert IN_TIME_S < left < 2 * IN_TIME_S
    assert queries > 0


@pytest.mark.parametrize("within_s", [None, 5 * IN_TIME_S])
async def test_a_deadline_set_anew_may_come_sooner(
    database: Database, within_s: float | None
) -> None:
    """Nobody waits for the first one any more, or for ever where there was none."""

    def work(snapshot: Snapshot) -> list[Row]:
        past(0.05, snapshot)  # the caller waits for the first deadline by now
        return soon_late(snapshot)

    started = perf_counter()
    with pytest.raises(ReadTooLate, match="did not answer in time"):
        await read(database, work, within_s)
    assert perf_counter() - started < IN_TIME_S
    await read_together(database)


async def test_what_is_late_may_go_on_with_a_new_deadline(database: Database) -> None:
    """A step is given up, the next one has its own time."""

    def work(snapshot: Snapshot) -> int:
        with pytest.raises(ReadTooLate):
            soon_late(snapshot)
        snapshot.allow(IN_TIME_S)
        return past(0.05, snapshot)

    for _ in range(2 * READERS):
        assert await read(database, work, 5 * IN_TIME_S) > 0


async def test_a_read_without_a_deadline_is_never_late(database: Database) -> None:
    """It takes the time that it needs."""

    def work(snapshot: Snapshot) -> tuple[float | None, bool, int]:
        return snapshot.left_s, snapshot.is_late(), past(0.05, snapshot)

    left, is_late, queries = await read(database, work)
    assert (left, is_late) == (None, False)
    assert queries > 0


async def test_when_every_reader_is_taken_a_read_waits_no_longer_than_its_deadline(
    database: Database,
) -> None:
    """One without a deadline waits until a reader is free."""
    taken, free = threading.Barrier(READERS + 1), threading.Event()

    def taking(_: Snapshot) -> None:
        taken.wait(IN_TIME_S)
        assert free.wait(IN_TIME_S)

    holders = [asyncio.ensure_future(read(database, taking)) for _ in range(READERS)]
    await asyncio.to_thread(taken.wait, IN_TIME_S)
    patient = asyncio.ensure_future(read(database, lambda snapshot: snapshot.one("SELECT 7")))
    with pytest.raises(ReadTooLate, match="taken"):
        await read(database, keys_in, SOON_S)
    assert not patient.done()
    free.set()
    row = await patient
    assert row is not None
    assert row[0] == 7
    await asyncio.gather(*holders)
    await read_together(database)


async def test_the_reader_of_a_cancelled_caller_comes_back(database: Database) -> None:
    """Its query is interrupted, though it had no deadline."""
    for _ in range(2 * READERS):
        begun = threading.Event()
        caller = asyncio.ensure_future(read(database, partial(under_way, begun=begun.set)))
        await happened(begun)
        caller.cancel()
        with pytest.raises(asyncio.CancelledError):
            await caller
    await read_together(database)
    assert await keeps_no_old_state(database)


async def test_a_caller_that_is_cancelled_between_two_queries_gives_its_reader_back(
    database: Database,
) -> None:
    """There is nothing to interrupt then, and no further query begins."""
    for _ in range(2 * READERS):
        between, cancelled = threading.Event(), threading.Event()

        def work(
            snapshot: Snapshot,
            between: threading.Event = between,
            cancelled: threading.Event = cancelled,
        ) -> list[Row]:
            snapshot.all("SELECT 1")
            between.set()
            cancelled.wait(IN_TIME_S)
            return snapshot.all(ENDLESS)

        caller = asyncio.ensure_future(read(database, work))
        await happened(between)
        caller.cancel()
        with pytest.raises(asyncio.CancelledError):
            await caller
        cancelled.set()
    await read_together(database)


async def test_a_caller_that_is_cancelled_while_it_waits_takes_no_reader(
    database: Database,
) -> None:
    """The next one gets it."""
    taken, free = threading.Barrier(READERS + 1), threading.Event()

    def taking(_: Snapshot) -> None:
        taken.wait(IN_TIME_S)
        assert free.wait(IN_TIME_S)

    holders = [asyncio.ensure_future(read(database, taking)) for _ in range(READERS)]
    await asyncio.to_thread(taken.wait, IN_TIME_S)
    waiting = [asyncio.ensure_future(read(database, keys_in)) for _ in range(2 * READERS)]
    await asyncio.sleep(0)
    for one in waiting[::2]:
        one.cancel()
    free.set()
    found = await asyncio.gather(*waiting, return_exceptions=True)
    assert [isinstance(one, asyncio.CancelledError) for one in found] == [True, False] * READERS
    await asyncio.gather(*holders)
    await read_together(database)


async def test_a_reader_that_no_interruption_reaches_is_left_alone(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a disk that hangs: the others go on, and it comes back once the disk answers."""
    monkeypatch.setattr(readers_module, "ABANDONED_AFTER_S", 0.05)
    answers = threading.Event()

    def stuck(snapshot: Snapshot) -> None:
        snapshot.allow(SOON_S)
        answers.wait(3 * IN_TIME_S)

    try:
        for hanging in range(1, READERS + 1):
            with pytest.raises(ReadTooLate, match="does not answer"):
                await read(database, stuck, IN_TIME_S)
            if hanging < READERS:
                await read_together(database, READERS - hanging)
        with pytest.raises(ReadTooLate, match="taken"):
            await read(database, keys_in, SOON_S)
    finally:
        answers.set()
    await read_together(database)


class Damaged(sqlite3.Connection):
    """A connection to a disk that fails while `error` says how.

    SQLite ends the transaction by itself when the disk does not answer, and not for damage.
    """

    error: sqlite3.Error | None = None

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        """The rows, or the error."""
        if self.error is not None and sql.startswith("SELECT"):
            if "I/O" in str(self.error):
                super().execute("ROLLBACK")
            raise self.error
        return super().execute(sql, *values)


@pytest.mark.parametrize(
    "error",
    [
        sqlite3.OperationalError("disk I/O error"),
        sqlite3.DatabaseError("database disk image is malformed"),
    ],
)
async def test_a_file_that_cannot_be_read_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: sqlite3.Error
) -> None:
    """Whoever reads needs no word of SQLite, and every reader works on afterwards."""
    async with open_database(tmp_path / FILE), open_readers(tmp_path / FILE, 2, Damaged) as readers:
        with monkeypatch.context() as broken:
            broken.setattr(Damaged, "error", error)
            for _ in range(4):
                with pytest.raises(StorageFailed, match="could not be read") as failed:
                    await readers.read(keys_in)
                assert not isinstance(failed.value, ReadTooLate)
        assert await asyncio.gather(*(readers.read(keys_in) for _ in range(4))) == [set()] * 4


class Hurried(sqlite3.Connection):
    """A connection that is interrupted once while it ends a transaction."""

    hurried = False

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        """The rows, or the interruption."""
        if sql == "ROLLBACK" and not self.hurried:
            self.hurried = True
            raise sqlite3.OperationalError("interrupted")
        return super().execute(sql, *values)


async def test_an_interruption_that_comes_at_the_very_end_costs_nothing(tmp_path: Path) -> None:
    """What was read is there, and the reader serves the next read."""
    async with open_database(tmp_path / FILE), open_readers(tmp_path / FILE, 1, Hurried) as readers:
        for _ in range(2):
            assert await readers.read(keys_in) == set()


async def test_a_read_that_is_under_way_when_the_database_closes_is_interrupted(
    tmp_path: Path,
) -> None:
    """Closing waits for no query."""
    begun = threading.Event()
    async with asyncio.timeout(IN_TIME_S), open_database(tmp_path / FILE) as database:
        reading = asyncio.ensure_future(read(database, partial(under_way, begun=begun.set)))
        await happened(begun)
    with pytest.raises(StorageFailed, match="interrupted"):
        await reading
