"""Kills a backup or a restore at each of its steps: python -m tests.flow.killed_steps WHAT FOLDER.

FOLDER holds `data` and `kept`, as the tests of backups make them. For each step that touches a
file in a copy of it a child is forked and killed there with -9; what it leaves must be whole. It
prints how many steps there were.
"""

import asyncio
import logging
import os
import shutil
import signal
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import structlog

from bot.transfer.archive import unpack
from bot.transfer.backups import BackupRules, Backups, BackupTables
from bot.transfer.restoring import BackupToRestore, prepare, put_in_place
from memory.clock import FrozenClock
from memory.storage.backups.copies import DatabaseCopies
from memory.storage.backups.erasures import Erasures
from memory.storage.backups.records import BackupRecords
from memory.storage.sqlite.database import open_database
from tests.cast import NOON

_STEPS = frozenset(
    {"open", "os.rename", "os.link", "os.remove", "os.mkdir", "os.rmdir", "sqlite3.connect"}
)
"""Python's audit events of what touches a file by its name."""

BEFORE, SINCE = 1, 2
"""Statements in the backup, and in the database that it would take the place of."""


def main() -> None:
    """Kill at the first step, at the second, and so on until it gets through."""
    what, folder = sys.argv[1], Path(sys.argv[2])
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    for step in count(1):
        with _copied(folder) as copy:
            if not _killed(what, copy, step):
                sys.stdout.write(f"{step}\n")
                return
            _check(copy)


@contextmanager
def _copied(folder: Path) -> Iterator[Path]:
    with TemporaryDirectory(dir=folder) as temporary:
        copy = Path(temporary)
        for name in ("data", "kept"):
            shutil.copytree(folder / name, copy / name)
        yield copy


def _killed(what: str, folder: Path, step: int) -> bool:
    """Whether a child was killed at a step; it may have had fewer."""
    child = os.fork()
    if not child:
        left = iter(range(step - 1, -1, -1))

        def watch(event: str, arguments: tuple[object, ...]) -> None:
            named = arguments and str(arguments[0]).startswith(str(folder))
            if event in _STEPS and named and not next(left, 0):
                os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(watch)
        asyncio.run({"backup": _backup, "restore": _restore}[what](folder))
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return True
    assert os.WEXITSTATUS(status) == 0, "it failed by itself"
    return False


async def _backup(folder: Path) -> None:
    clock = FrozenClock(NOON.replace(year=NOON.year + 1))
    rules = BackupRules(
        data_dir=folder / "data", folder=folder / "kept", daily=1, weekly=0, recipients=()
    )
    async with open_database(folder / "data" / "eko.sqlite3") as database:
        tables = BackupTables(
            copies=DatabaseCopies(database, clock),
            erasures=Erasures(database),
            records=BackupRecords(database),
        )
        async for _ in Backups(tables, rules, clock).make():
            pass


async def _restore(folder: Path) -> None:
    (archive,) = (folder / "kept").glob("*.tar.gz")
    request = BackupToRestore(archive=archive, data_dir=folder / "data")
    ready = await prepare(request, FrozenClock(NOON))
    put_in_place(ready, folder / "data", NOON, replacing=True)


def _check(folder: Path) -> None:
    """The database is the one of before or the restored one, and every backup is whole."""
    assert _statements(folder / "data" / "eko.sqlite3") in {BEFORE, SINCE}
    archives = list((folder / "kept").glob("*.tar.gz"))
    assert archives, "every backup is gone"
    for number, archive in enumerate(archives):
        (work := folder / f"unpacked-{number}").mkdir()
        _, database = unpack(archive, work, None)
        assert _statements(database) in {BEFORE, SINCE}


def _statements(database: Path) -> int:
    assert database.stat().st_size
    with closing(sqlite3.connect(database)) as opened:
        assert opened.execute("PRAGMA quick_check").fetchall() == [("ok",)]
        found: int = opened.execute("SELECT count(*) FROM memories").fetchone()[0]
        return found


if __name__ == "__main__":
    main()
