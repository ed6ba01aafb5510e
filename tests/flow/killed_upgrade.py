"""Kills an upgrade at ten of its statements: python -m tests.flow.killed_upgrade FOLDER.

For each a child is forked that upgrades a folder of an earlier version in FOLDER and is killed
with -9; another then has to come through. It prints the statements at which one was killed. The
backup before the upgrade counts as a statement.
"""

import os
import signal
import sqlite3
import sys
from contextlib import closing
from itertools import count
from pathlib import Path

from bot.data_folder import DATABASE
from bot.transfer.backups import BackupRules
from bot.transfer.upgrade_copies import back_up_before_upgrade
from memory.storage.sqlite import schema
from memory.storage.sqlite.rows import migrations
from tests.flow.lived_in import ASKED_AT, unpack_into
from tests.rows import rows_by_table

KILLS = 10

NEXT = (
    9_000,
    """
    ALTER TABLE messages ADD COLUMN heard_in TEXT;
    UPDATE messages SET heard_in = room_id;
    CREATE TABLE moods (
        person_id TEXT NOT NULL REFERENCES people (id), at INTEGER NOT NULL, mood TEXT NOT NULL
    ) STRICT;
    INSERT INTO moods (person_id, at, mood) SELECT id, 0, 'glad' FROM people;
    CREATE INDEX moods_by_person ON moods (person_id);
    CREATE TABLE new_quiet_topics AS SELECT * FROM quiet_topics;
    DROP TABLE new_quiet_topics;
    """,
)
"""A migration of each kind: a column that is filled, a table with rows, an index, one replaced."""


def main() -> None:
    """Count the statements of an upgrade, then kill it at ten of them."""
    folder, known = Path(sys.argv[1]), [*migrations(), NEXT]
    setattr(schema, "migrations", lambda: known)  # noqa: B010 - as monkeypatch would
    whole = unpack_into(folder / "whole")
    steps = _upgrade(whole.parent, None)
    killed = [round(place * steps / KILLS) for place in range(1, KILLS)] + [1]
    for step in killed:
        database = unpack_into(folder / f"killed-{step}")
        assert _killed(database.parent, step), f"it was over before statement {step}"
        _upgrade(database.parent, None)
        assert rows_by_table(database) == rows_by_table(whole)
        assert _problems(database) == []
    sys.stdout.write(f"{sorted(killed)}\n")


def _killed(folder: Path, step: int) -> bool:
    """Whether a child was killed at a step."""
    child = os.fork()
    if not child:
        _upgrade(folder, step)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


def _upgrade(folder: Path, step: int | None) -> int:
    """Upgrade a folder, or as much of it as comes before a step; how many there were."""
    steps, connect, done = count(1), schema.connected, [0]

    def next_step(_statement: str = "") -> None:
        done[0] = next(steps)
        if done[0] == step:
            os.kill(os.getpid(), signal.SIGKILL)

    def traced(path: Path) -> sqlite3.Connection:
        connection = connect(path)
        if path.name == DATABASE:
            connection.set_trace_callback(next_step)
        return connection

    def beforehand() -> None:
        rules = BackupRules(data_dir=folder, folder=None, daily=1, weekly=1, recipients=())
        back_up_before_upgrade(rules, ASKED_AT)
        next_step()

    schema.connected = traced
    schema.migrate(folder / DATABASE, beforehand)
    schema.connected = connect
    return done[0]


def _problems(database: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(database)) as raw:
        found = raw.execute("PRAGMA foreign_key_check").fetchall()
        return found + [row for row in raw.execute("PRAGMA quick_check") if row != ("ok",)]


if __name__ == "__main__":
    main()
