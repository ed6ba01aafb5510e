"""Kills a switch to a new version at ten points: python -m tests.flow.killed_switch FOLDER.

For each a child is forked that switches a folder of an earlier version in FOLDER and is killed
with -9 at something it does with files (an audit event of Python). Then there is one whole
database, the old one or the new one, and another switch comes through. It prints which there were.
"""

import asyncio
import json
import os
import signal
import sqlite3
import sys
from contextlib import closing
from itertools import count
from pathlib import Path

from bot.data_folder import DATABASE, UPGRADING
from bot.transfer.backups import BackupRules
from bot.transfer.upgrading import switch, upgrade_state
from tests.flow.lived_in import ASKED_AT, unpack_into
from tests.rows import rows_by_table

KILLS = 10

FILES = frozenset({"open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "sqlite3.connect"})
"""Audit events that count as something done with files."""


def main() -> None:
    """Count what a switch does with files, then kill it at ten of these, around the rename too."""
    folder = Path(sys.argv[1])
    whole = unpack_into(folder / "whole")
    old = rows_by_table(whole)
    steps, renamed = _counted(whole.parent)
    new = rows_by_table(whole)
    spread = {round(place * steps / (KILLS - 2)) for place in range(1, KILLS - 2)}
    found = [_killed(folder, step, old, new) for step in sorted(spread | {1, renamed, renamed + 1})]
    sys.stdout.write(f"{json.dumps(found)}\n")


def _counted(folder: Path) -> tuple[int, int]:
    """How much a whole switch does with files, and which of it puts the database in its place."""
    steps, renamed = count(1), [0]
    last = [0]

    def heard(event: str, arguments: tuple[object, ...]) -> None:
        if event in FILES and _is_own(arguments, folder):
            last[0] = next(steps)
            if event == "os.rename" and str(arguments[1]) == str(folder / DATABASE):
                renamed[0] = last[0]

    sys.addaudithook(heard)
    _switch(folder)
    return last[0], renamed[0]


def _killed(folder: Path, step: int, old: dict[str, int], new: dict[str, int]) -> str:
    """Kill a switch at a step; which database there is then."""
    database = unpack_into(folder / f"killed-{step}")
    child = os.fork()
    if not child:
        _switch_until(database.parent, step)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), f"it was over before step {step}"
    assert os.WTERMSIG(status) == signal.SIGKILL
    there = "old" if upgrade_state(_rules(database.parent)).is_due else "new"
    assert rows_by_table(database) == (old if there == "old" else new)
    _switch(database.parent)
    assert rows_by_table(database) == new
    assert _problems(database) == []
    assert not (database.parent / UPGRADING).exists()
    return there


def _switch_until(folder: Path, step: int) -> None:
    steps = count(1)

    def heard(event: str, arguments: tuple[object, ...]) -> None:
        if event in FILES and _is_own(arguments, folder) and next(steps) == step:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(heard)
    _switch(folder)


def _is_own(arguments: tuple[object, ...], folder: Path) -> bool:
    return any(str(one).startswith(f"{folder}/") for one in arguments)


def _switch(folder: Path) -> None:
    asyncio.run(switch(_rules(folder), ASKED_AT))


def _rules(folder: Path) -> BackupRules:
    return BackupRules(data_dir=folder, folder=None, daily=1, weekly=1, recipients=())


def _problems(database: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(database)) as raw:
        found = raw.execute("PRAGMA foreign_key_check").fetchall()
        return found + [row for row in raw.execute("PRAGMA quick_check") if row != ("ok",)]


if __name__ == "__main__":
    main()
