"""A copy of the database, made while it is written to, that holds nothing of what was forgotten."""

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import aiosqlite

from memory.model.backups import DatabaseCopy
from memory.model.errors import DatabaseRefused
from memory.storage.backups.erasures import Erasures
from memory.storage.forgetting.requests import Forgettings
from memory.storage.sqlite.database import (
    Database,
    TimedTable,
    Transaction,
    open_database,
    refusal,
)
from memory.storage.sqlite.health import Health
from memory.storage.sqlite.readers import in_words
from memory.storage.sqlite.rows import queries, row_as
from memory.storage.sqlite.schema import connected, reading, schemas
from memory.storage.sqlite.vacuum import Vacuum

_SQL = queries("backups/copies")

_PASSING = (
    "drop_previews",
    "drop_codes",
    "drop_tries",
    "drop_links",
    "drop_sessions",
    "drop_keys",
)
"""What no copy holds: what was ended or revoked since would hold again after a restore."""


class DatabaseCopies(TimedTable):
    """Copies the database into files of their own."""

    async def make(self, target: Path) -> DatabaseCopy:
        """Copy the database, as it is at one moment, to a free path; writes go on meanwhile.

        Rows that could still be undone are purged in the copy, because they hold the forgotten
        words. One-time codes are left out.

        Raises:
            StorageFailed: the disk is full, or a file cannot be read or written.

        """
        try:
            async with aiosqlite.connect(self._database.path, isolation_level=None) as connection:
                await connection.execute(_SQL["copy_into"], {"target": str(target)})
        except aiosqlite.Error as error:
            raise in_words(error, "written") from error
        async with open_database(target) as copy:
            return await _purged(copy, Forgettings(copy, self._clock))


def copy_as_it_is(database: Path, target: Path) -> DatabaseCopy:
    """Copy a database of any version to a free path, without codes, links, sessions and keys.

    Rows that were forgotten and could still be undone are copied as they are.

    Raises:
        DatabaseRefused: it is damaged.
        StorageFailed: the disk is full, or a file cannot be read or written.

    """
    try:
        _copy(database, target)
        with closing(connected(target)) as copy:
            copy.execute("PRAGMA foreign_keys = ON")
            copy.row_factory = sqlite3.Row
            for name in _PASSING:
                copy.execute(_SQL[name])
            return _described(copy)
    except sqlite3.Error as error:
        raise _failure(database, error) from error


def schemas_of(database: Path) -> tuple[int, int]:
    """The number of a database's schema, and that of this version.

    Raises:
        DatabaseRefused: it is damaged, newer than this version, or not as its version left it.

    """
    try:
        return schemas(database)
    except sqlite3.Error as error:
        raise DatabaseRefused(refusal(database, error)) from error


async def upgraded_copy(database: Path, target: Path) -> None:
    """Copy a database whole to a free path, and bring the copy to the schema of this version.

    Raises:
        DatabaseRefused: it is damaged, or a migration failed.
        StorageFailed: the disk is full, or a file cannot be read or written.

    """
    try:
        await asyncio.to_thread(_copy, database, target)
    except sqlite3.Error as error:
        raise _failure(database, error) from error
    async with open_database(target) as copy:
        if problems := await sound(copy):
            raise DatabaseRefused(refusal(database, ValueError(f"malformed: {' '.join(problems)}")))


def close_log(database: Path) -> None:
    """Bring what stands in the log of a database into its file, so that it can be replaced.

    Raises:
        DatabaseRefused: another program has it open.
        StorageFailed: a file cannot be read or written.

    """
    try:
        with closing(sqlite3.connect(database, isolation_level=None)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.Error as error:
        raise in_words(error, "written") from error
    if database.with_name(f"{database.name}-wal").exists():
        raise DatabaseRefused(f"Another program has {database} open: close it, then try again.")


def _copy(database: Path, target: Path) -> None:
    """As it is at one moment, by a connection that leaves it as it is."""
    with closing(reading(database)) as connection:
        connection.execute(_SQL["copy_into"], {"target": str(target)})


def _failure(database: Path, error: Exception) -> Exception:
    """What copying a database failed of, in words."""
    if "malformed" in str(error):
        return DatabaseRefused(refusal(database, error))
    return in_words(error, "written")


def _described(copy: sqlite3.Connection) -> DatabaseCopy:
    row = copy.execute(_SQL["described"]).fetchone()
    counts = {"messages": row["messages"], "memories": row["memories"]}
    return row_as(DatabaseCopy, row, counts=counts)


async def _purged(copy: Database, forgettings: Forgettings) -> DatabaseCopy:
    erasures, health = Erasures(copy), Health(copy)
    last = await erasures.last()
    await copy.write(_drop_what_passes)
    for row in await copy.all(_SQL["in_force"]):
        await forgettings.begin_purge(row["id"])
    await forgettings.purged(await forgettings.in_purge())
    await copy.write(lambda transaction: _count_from(transaction, last))
    await Vacuum(copy).scrub()
    schema, _ = await health.version()
    return DatabaseCopy(
        pet=await erasures.pet(), schema=schema, erasures=last, counts=await health.counts()
    )


async def _drop_what_passes(transaction: Transaction) -> None:
    for name in _PASSING:
        await transaction.run(_SQL[name])


async def _count_from(transaction: Transaction, last: int) -> None:
    """Number the erasures of the copy as the pet does, without those that the purge added."""
    await transaction.run(_SQL["forget_after"], {"last": last})
    await transaction.run(_SQL["count_from"], {"last": last})


async def sound(copy: Database) -> Sequence[str]:
    """What is wrong with a copy, a sentence each."""
    return (await Health(copy).checkup()).problems
