"""Folders of versions whose migrations were numbered, or read, otherwise when they landed.

For an hour migrations 2 to 5 were numbered with gaps, in the order in which they came together;
for two hours migration 7 gave no index. Both have folders.
"""

import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from bot.data_folder import DATABASE
from bot.topics.upgrades.rehearsal import rehearsed
from bot.transfer.upgrading import switch, upgrade_state
from memory.model.errors import DatabaseRefused
from memory.storage.backups.copies import sound
from memory.storage.sqlite import schema
from memory.storage.sqlite.database import open_database
from memory.storage.sqlite.rows import migrations
from tests.flow.lived_in import ASKED_AT, of_schema, settings_of
from tests.flow.test_upgrade_rehearsal import names_in, rules_of
from tests.rows import rows_by_table

LATEST = migrations()[-1][0]

CLOSED = {
    1: "e3152d54a7b444ac",
    2: "7201cd091c78fc14",
    3: "c689bffb1537f2c3",
    4: "5bedb35d3eba3eb4",
    5: "9743183e336c3c9d",
    6: "7dd2a557616fecae",
    7: "5b0db8fc2c2ee75c",
    8: "f39de87a4eed4e24",
    9: "c4d46f3a8699c82c",
    10: "e63ca402451bc275",
    11: "953963584c5fe12a",
    12: "eab866d4cad89dec",
    13: "a27f53945b9bd687",
    14: "9f3926625e666820",
    15: "feaedb9a4566300d",
}
"""How each migration begins by its SHA-256: folders have it as it was when it landed."""

NUMBERED_AT_FIRST = {6: 2, 8: 3, 12: 4, 14: 5}
"""What migrations were called for an hour, and what they are called."""


def test_each_migration_is_closed() -> None:
    """What changes the schema is a new file; with it comes its line above."""
    folder = Path(schema.__file__).parents[1] / "migrations"
    found = {int(file.name[:4]): sha256(file.read_bytes()).hexdigest() for file in folder.iterdir()}
    assert {number: digest[:16] for number, digest in found.items()} == CLOSED


def numbered_at_first(folder: Path, numbers: Sequence[int]) -> Path:
    """A folder whose migrations came in this order, with numbers of then."""
    path, scripts = of_schema(folder, 1), dict(migrations())
    with closing(schema.connected(path)) as raw:
        for number in numbers:
            raw.executescript(scripts[NUMBERED_AT_FIRST[number]])
            raw.execute("INSERT INTO schema_migrations (number) VALUES (?)", [number])
    return path


def without_its_index(folder: Path) -> Path:
    """A folder of schema 7 as it was at first."""
    path = of_schema(folder, 7)
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("DROP INDEX claims_slot")
    return path


@pytest.mark.parametrize(
    ("numbers", "known"),
    [((12,), 4), ((12, 6), 4), ((12, 6, 14), 5), ((12, 6, 14, 8), 5), ((6, 8, 12, 14), 5), ((), 7)],
)
async def test_a_folder_of_an_hour_is_rehearsed_and_switched(
    tmp_path: Path, numbers: Sequence[int], known: int
) -> None:
    """As any other: left as it is, then as every folder of this version."""
    data = tmp_path / "data"
    database = numbered_at_first(data, numbers) if numbers else without_its_index(data)
    before = database.read_bytes()
    assert upgrade_state(rules_of(data)).schema == known
    done = await rehearsed(settings_of(data), 3)
    assert (done["schema"], done["latest"], len(done["questions"])) == (known, LATEST, 3)
    assert database.read_bytes() == before
    assert await switch(rules_of(data), ASKED_AT) is not None
    assert rows_by_table(database) == rows_by_table(of_schema(tmp_path / "usual", LATEST))
    async with open_database(database) as opened:
        assert await sound(opened) == ()


async def test_an_index_that_went_later_is_still_missed(tmp_path: Path) -> None:
    """Only the version that never had it goes without."""
    database = of_schema(tmp_path / "data", LATEST)
    with closing(sqlite3.connect(database)) as raw, raw:
        raw.execute("DROP INDEX claims_slot")
    with pytest.raises(DatabaseRefused, match="index claims_slot is missing"):
        async with open_database(database):
            raise AssertionError("opened without an index")


async def test_a_rehearsal_leaves_the_log_of_a_killed_process_as_it_is(tmp_path: Path) -> None:
    """The database is not written to; what the log says is switched to."""
    database, killed = of_schema(tmp_path / "data", 1), tmp_path / "killed"
    with closing(sqlite3.connect(database, isolation_level=None)) as raw:
        raw.execute("PRAGMA journal_mode = WAL")
        raw.execute("INSERT INTO meta (key, value) VALUES ('said', 'late')")
        shutil.copytree(database.parent, killed)
    files = [killed / DATABASE, killed / f"{DATABASE}-wal"]
    before = [file.read_bytes() for file in files]
    assert all(before)
    await rehearsed(settings_of(killed), 3)
    assert [file.read_bytes() for file in files] == before
    await switch(rules_of(killed), ASKED_AT)
    assert names_in(killed) == ["before-upgrade", DATABASE]
    with closing(sqlite3.connect(files[0])) as raw:
        assert raw.execute("SELECT value FROM meta WHERE key = 'said'").fetchall() == [("late",)]


async def test_what_is_wrong_with_many_rows_is_said_once(tmp_path: Path) -> None:
    """The sentence can be read, whatever size the folder has."""
    database = of_schema(tmp_path / "data", 1)
    with closing(sqlite3.connect(database)) as raw, raw:
        raw.execute("DELETE FROM turns")
    with pytest.raises(DatabaseRefused, match="is damaged") as refused:
        await rehearsed(settings_of(database.parent), 3)
    assert str(refused.value).count("A row of messages refers to a row of turns") == 1
