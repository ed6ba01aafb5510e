"""An upgrade on a copy of the database, which is asked first and then takes its place."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import structlog

from bot.data_folder import DATABASE, SIDECARS, UPGRADING, refuse_lost_database
from bot.errors import BotError
from bot.lock import LOCK, held, this_process
from bot.transfer.backups import BackupRules
from bot.transfer.files import settle_folder
from bot.transfer.upgrade_copies import back_up_before_upgrade, way_back
from memory.model.errors import DatabaseTooNew
from memory.storage.backups.copies import close_log, schemas_of, upgraded_copy

log = structlog.get_logger()

_COPIES = 4
"""How often the database must fit beside itself: a backup, a copy with its log, and vectors."""

_BESIDES = 64 * 1024 * 1024
"""Bytes that are needed besides, however little is kept."""

_ARCHIVING = f"{UPGRADING}/backup"


class NoRoom(BotError):
    """The disk has no room for an upgrade."""


class NothingToUpgrade(BotError):
    """There is no database."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UpgradeState:
    """The schema of a data folder, and the one that this version gives."""

    schema: int
    latest: int

    @property
    def is_due(self) -> bool:
        """Whether this version changes the schema."""
        return self.schema < self.latest


def upgrade_state(rules: BackupRules) -> UpgradeState:
    """How far a data folder is; nothing is changed.

    Raises:
        NothingToUpgrade: it has no database.
        DatabaseRefused: it is damaged, newer than this version, or not as its version left it.

    """
    refuse_lost_database(rules.data_dir)
    database = rules.data_dir / DATABASE
    if not database.exists() or not database.stat().st_size:
        raise NothingToUpgrade(f"{rules.data_dir} has no database: there is nothing to upgrade.")
    try:
        schema, latest = schemas_of(database)
    except DatabaseTooNew as refused:
        raise way_back(rules, refused) from refused
    return UpgradeState(schema=schema, latest=latest)


def refuse_without_room(data_dir: Path, what: str = "An upgrade") -> None:
    """Refuse before anything is written, where a copy or a backup would not fit.

    Raises:
        NoRoom: it would not; the sentence says how much is needed.

    """
    files = [data_dir / f"{DATABASE}{end}" for end in ("", *SIDECARS)]
    size = sum(path.stat().st_size for path in files if path.exists())
    needed, free = _COPIES * size + _BESIDES, shutil.disk_usage(data_dir).free
    if free < needed:
        raise NoRoom(
            f"{what} needs {_megabytes(needed)} MB free in {data_dir}, for a backup and a "
            f"copy; there are {_megabytes(free)} MB. Nothing was changed: free some space."
        )


@contextmanager
def copies_folder(
    data_dir: Path, now: datetime, *, name: str = UPGRADING, command: str = "eko upgrade"
) -> Iterator[Path]:
    """A folder for copies beside the database, gone with all that is in it when the body ends.

    Raises:
        AlreadyRunning: the same command uses it in another process.

    """
    folder = data_dir / name
    with held(folder, this_process(command, now)):
        _clear(folder)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


async def copied(rules: BackupRules, folder: Path, now: datetime) -> Path | None:
    """Make a backup if the schema changes, then a copy of this version's schema in the folder.

    The path is that of the backup. The database may be written to meanwhile.

    Raises:
        DatabaseRefused: it cannot be copied, or not upgraded.
        StorageFailed: the disk is full, or a file cannot be read or written.

    """
    backup = None
    if upgrade_state(rules).is_due:
        backup = back_up_before_upgrade(rules, now, _ARCHIVING)
    await upgraded_copy(rules.data_dir / DATABASE, folder / DATABASE)
    return backup


async def switch(rules: BackupRules, now: datetime) -> Path | None:
    """Put an upgraded copy in the place of the database, after a backup; the data folder is held.

    Killed anywhere, there is one whole database: the old one before the rename, the new one after.

    Raises:
        DatabaseRefused: it cannot be copied or upgraded, or another program has it open.
        NoRoom: the disk has no room for it.
        StorageFailed: the disk is full, or a file cannot be read or written.

    """
    database = rules.data_dir / DATABASE
    refuse_without_room(rules.data_dir)
    with copies_folder(rules.data_dir, now) as folder:
        backup = await copied(rules, folder, now)
        close_log(folder / DATABASE)
        _settle(folder / DATABASE)
        close_log(database)
        (folder / DATABASE).replace(database)
        settle_folder(rules.data_dir)
    log.info("schema.switched", backup=str(backup))
    return backup


def _settle(file: Path) -> None:
    """Have the bytes of a file on disk before its name is."""
    handle = os.open(file, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _clear(folder: Path) -> None:
    """Remove what a killed upgrade left, but not the lock that is held there."""
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path.name != LOCK:
            path.unlink()


def _megabytes(size: int) -> int:
    return -(-size // (1024 * 1024))
