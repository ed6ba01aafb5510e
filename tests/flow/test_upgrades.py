"""A folder of an earlier version comes through: nothing it knew is lost, whenever it is killed."""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

import pytest

from bot.data_folder import DATABASE
from bot.transfer import upgrade_copies
from bot.transfer.restoring import BackupToRestore, prepare, put_in_place
from bot.transfer.upgrade_copies import KEPT_FOR
from bot.wiring.app import open_app
from config.sections.backup import BackupSettings
from config.settings import Settings
from memory.clock import FrozenClock
from memory.model.errors import DatabaseRefused, StorageFailed
from memory.storage.backups.copies import sound
from memory.storage.sqlite import schema
from memory.storage.sqlite.database import open_database
from memory.storage.sqlite.rows import migrations
from tests.flow import killed_upgrade
from tests.flow.killed_upgrade import NEXT
from tests.flow.lived_in import (
    ASKED_AT,
    FORGOTTEN,
    QUESTIONS,
    answer,
    settings_of,
    unpack_into,
)
from tests.processes import ROOT
from tests.rows import rows_by_table

LIVED_IN = 1
"""The schema of the folder: how many of the migrations it has."""

FIRST = "e3152d54a7b444ac83add32e2e29e38e2d8568f3c3ba532c45ac4a10727891d4"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder that an earlier version lived in."""
    unpack_into(tmp_path / "data")
    return tmp_path / "data"


@pytest.fixture
def upgraded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A version with one more migration than this one."""
    known = [*migrations(), NEXT]
    monkeypatch.setattr(schema, "migrations", lambda: known)


def test_the_first_migration_is_closed() -> None:
    """Folders have it as it was: what changes the schema is a new file."""
    path = Path(schema.__file__).parents[1] / "migrations" / "0001_first.sql"
    assert sha256(path.read_bytes()).hexdigest() == FIRST


async def test_a_folder_of_an_earlier_version_is_sound_when_it_is_opened(folder: Path) -> None:
    """Full text, references and counts; and no row is lost."""
    before = rows_by_table(folder / DATABASE)
    async with open_database(folder / DATABASE) as opened:
        assert await sound(opened) == ()
    after = rows_by_table(folder / DATABASE)
    expected = before | {"meta": before["meta"] + 1}  # the pet's id on a Qdrant server
    assert {table: after.get(table, 0) for table in before} == expected


async def test_twenty_questions_are_answered_as_the_earlier_version_did(folder: Path) -> None:
    """In French and English, on linked accounts too; what was forgotten stays so."""
    async with open_app(settings_of(folder), FrozenClock(ASKED_AT)) as app:
        await app.services.recall.warm_up()
        wrong = []
        for number, (author, text, word) in enumerate(QUESTIONS):
            said = await answer(app, author, text, number)
            if word.casefold() not in said.casefold():
                wrong.append((text, word, said))
        assert wrong == []
        for number, (author, text, word) in enumerate(FORGOTTEN, len(QUESTIONS)):
            assert word not in await answer(app, author, text, number)


@pytest.mark.usefixtures("upgraded")
async def test_a_backup_is_made_before_an_upgrade_and_can_be_restored(folder: Path) -> None:
    """It holds the database as it was, without the keys of programs."""
    before = rows_by_table(folder / DATABASE)
    assert before["api_keys"] == 2
    async with open_app(settings_of(folder), FrozenClock(ASKED_AT)):
        pass
    (made,) = (folder / "before-upgrade").glob("*.tar.gz")
    elsewhere = folder.parent / "elsewhere"
    elsewhere.mkdir()
    request = BackupToRestore(archive=made, data_dir=elsewhere, unjournalled=True)
    ready = await prepare(request, FrozenClock(ASKED_AT))
    assert ready.made.copy.schema == LIVED_IN
    put_in_place(ready, elsewhere, ASKED_AT, replacing=False)
    after = rows_by_table(elsewhere / DATABASE)
    assert after["messages"] == before["messages"]
    assert after["memories"] == before["memories"]
    assert after["api_keys"] == 0


@pytest.mark.usefixtures("upgraded")
async def test_the_backup_before_an_upgrade_goes_where_the_others_are(folder: Path) -> None:
    """It goes after four weeks: it holds words that are forgotten meanwhile."""
    kept = folder.parent / "kept"
    settings = _with_backups(folder, kept)
    async with open_app(settings, FrozenClock(ASKED_AT)):
        pass
    (made,) = kept.glob("*-before-schema-*")
    for age, is_there in ((KEPT_FOR - timedelta(hours=1), True), (KEPT_FOR * 2, False)):
        long_ago = (ASKED_AT - age).timestamp()
        if made.exists():
            os.utime(made, (long_ago, long_ago))
        async with open_app(settings, FrozenClock(ASKED_AT)):
            assert made.exists() is is_there


@pytest.mark.usefixtures("upgraded")
async def test_without_room_for_a_backup_nothing_is_upgraded(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One sentence says why, and what to do; the database is as it was."""
    before = (folder / DATABASE).read_bytes()

    def full(_database: Path, _target: Path) -> None:
        raise StorageFailed("The disk is full: nothing was stored; free some space.")

    monkeypatch.setattr(upgrade_copies, "copy_as_it_is", full)
    with pytest.raises(DatabaseRefused, match=r"no backup of it could be made .* disk is full"):
        async with open_app(settings_of(folder), FrozenClock(ASKED_AT)):
            raise AssertionError("upgraded without a backup")
    assert (folder / DATABASE).read_bytes() == before


@pytest.mark.usefixtures("upgraded")
async def test_an_upgrade_that_fails_again_and_again_fills_no_disk(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The backup of each try takes the place of the one before."""
    broken = [*migrations()[:LIVED_IN], (998, "CREATE TABLE half (a); CREATE TABLE half (a);")]
    monkeypatch.setattr(schema, "migrations", lambda: broken)
    for _ in range(2):
        with pytest.raises(DatabaseRefused, match="migration 998"):
            async with open_app(settings_of(folder), FrozenClock(ASKED_AT)):
                raise AssertionError("upgraded by half a migration")
    assert len(list((folder / "before-upgrade").glob("*.tar.gz*"))) == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("DROP TABLE clock_jumps", "table clock_jumps is missing"),
        ("ALTER TABLE people ADD COLUMN age INTEGER", "table people is another"),
        ("CREATE TABLE moods (person_id TEXT)", "table moods is too much"),
        ("DROP INDEX people_name", "index people_name is missing"),
    ],
)
async def test_a_folder_with_another_schema_is_refused_and_untouched(
    folder: Path, change: str, said: str
) -> None:
    """As one of the versions before the first migration was closed; told is how it comes along."""
    with closing(sqlite3.connect(folder / DATABASE)) as raw, raw:
        raw.execute(change)
    before = (folder / DATABASE).read_bytes()
    with pytest.raises(DatabaseRefused, match=f"{said}.*eko export") as refused:
        async with open_database(folder / DATABASE):
            raise AssertionError("opened a database of another shape")
    assert "eko import" in str(refused.value)
    assert (folder / DATABASE).read_bytes() == before


async def test_what_sqlite_adds_by_itself_is_no_other_schema(folder: Path) -> None:
    """Its statistics, and the table of what its command .recover could not place."""
    with closing(sqlite3.connect(folder / DATABASE)) as raw, raw:
        raw.execute("ANALYZE")
        raw.execute("CREATE TABLE lost_and_found (rootpgno INTEGER, c0)")
    async with open_database(folder / DATABASE) as opened:
        assert await sound(opened) == ()


def test_killed_anywhere_an_upgrade_comes_through_at_the_next_start(tmp_path: Path) -> None:
    """With -9 at ten of its statements, spread over all of them; and no row is lost."""
    done = subprocess.run(
        [sys.executable, "-m", killed_upgrade.__name__, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout.splitlines()[-1])) == killed_upgrade.KILLS


def _with_backups(folder: Path, kept: Path) -> Settings:
    chosen = BackupSettings(folder=str(kept))
    return settings_of(folder).model_copy(update={"backup": chosen})


async def test_words_that_were_read_as_none_are_found_after_the_upgrade(folder: Path) -> None:
    """In what was said, exchanged, learnt and written down; the other rows stay as they were."""
    tables = ("messages", "turns", "memories", "knowledge")
    with closing(sqlite3.connect(folder / DATABASE)) as raw, raw:
        kept = {table: dict(raw.execute(_WORDS.format(table=table))) for table in tables}
        first = {
            table: min(seq for seq, words in rows.items() if words) for table, rows in kept.items()
        }
        raw.execute("UPDATE messages SET text = '我喜欢苹果' WHERE id = ?", [first["messages"]])
        raw.execute("UPDATE turns SET reply = 'AI is fun' WHERE rowid = ?", [first["turns"]])
        raw.execute(
            "UPDATE memories SET content = 'David works in IT' WHERE seq = ?", [first["memories"]]
        )
        raw.execute(
            "UPDATE knowledge SET content = 'une montre en or' WHERE seq = ?", [first["knowledge"]]
        )
    async with open_database(folder / DATABASE) as opened:
        assert await sound(opened) == ()
    with closing(sqlite3.connect(folder / DATABASE)) as raw:
        now = {table: dict(raw.execute(_WORDS.format(table=table))) for table in tables}
    changed = {table: now[table].pop(seq) for table, seq in first.items()}
    for table, word in zip(tables, ("苹果", "ai", "it", "or"), strict=True):
        assert word in changed[table].split()
        del kept[table][first[table]]
    assert now == kept


_WORDS = "SELECT rowid, search_text FROM {table}"
