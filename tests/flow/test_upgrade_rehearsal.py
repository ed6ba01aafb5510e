"""`eko upgrade`: a copy is upgraded and asked, what differs is shown, and one rename switches."""

import json
import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import SecretStr

from bot.data_folder import DATABASE
from bot.errors import AlreadyRunning
from bot.lock import held, this_process
from bot.topics.upgrades.rehearsal import Rehearsal, rehearsed
from bot.transfer.backups import BackupRules
from bot.transfer.restoring import BackupToRestore, prepare, put_in_place
from bot.transfer.upgrading import NoRoom, NothingToUpgrade, copies_folder, switch
from bot.wiring.app import open_app, open_still
from config.sections.model import ModelSettings
from config.sections.recall import RecallSettings
from config.sections.vectors import EmbedderSettings, VectorSettings
from config.settings import Settings
from memory.clock import FrozenClock
from memory.model.audience import OPERATOR
from memory.model.errors import DatabaseRefused
from memory.model.stores import Store
from memory.storage.backups.copies import sound
from memory.storage.backups.rewinding import Rewinding
from memory.storage.sqlite import schema
from memory.storage.sqlite.database import open_database
from memory.storage.sqlite.rows import migrations
from tests.flow import killed_switch
from tests.flow.killed_upgrade import NEXT
from tests.flow.lived_in import (
    ASKED_AT,
    MARIA,
    OTHER_LEA,
    TERMINAL,
    answer,
    of_schema,
    settings_of,
    unpack_into,
)
from tests.forgotten import forget_one
from tests.processes import ROOT, eko
from tests.rows import rows_by_table

LATEST = migrations()[-1][0]

HERE = (
    (MARIA, "Where does my brother live?"),
    (MARIA, "My brother moved to Lisbon."),
    (OTHER_LEA, "What am I allergic to?"),
    (MARIA, "Where does my brother live?"),
    (TERMINAL, "What am I afraid of?"),
    (OTHER_LEA, "What is my favourite film?"),
    (OTHER_LEA, "My favourite film is Ratatouille now."),
    (OTHER_LEA, "What is my favourite film?"),
)
"""What people of this machine ask and tell it, minutes apart: answers change meanwhile."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder that an earlier version lived in."""
    unpack_into(tmp_path / "data")
    return tmp_path / "data"


@contextmanager
def silent_server() -> Iterator[tuple[str, socket.socket]]:
    """An address that nothing may connect to, and its socket."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", listening


def rules_of(folder: Path) -> BackupRules:
    """The backups of a folder, which go into it."""
    return BackupRules(data_dir=folder, folder=None, daily=1, weekly=1, recipients=())


def names_in(folder: Path) -> list[str]:
    """What is in a folder."""
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("number", [one for one, _ in migrations()])
async def test_a_folder_of_every_schema_is_rehearsed_and_switched(
    tmp_path: Path, number: int
) -> None:
    """The rehearsal leaves it as it was; the switch gives what an upgrade in place does."""
    database = of_schema(tmp_path / "data", number)
    before = database.read_bytes()
    done = await rehearsed(settings_of(database.parent), 3)
    assert (done["schema"], done["latest"], len(done["questions"])) == (number, LATEST, 3)
    assert database.read_bytes() == before
    is_due = number < LATEST
    assert names_in(database.parent) == (["before-upgrade"] if is_due else []) + [DATABASE]

    backup = await switch(rules_of(database.parent), ASKED_AT)
    assert (backup is not None) is is_due
    in_place = of_schema(tmp_path / "in-place", LATEST)
    assert rows_by_table(database) == rows_by_table(in_place)
    async with open_database(database) as opened:
        assert await sound(opened) == ()


@pytest.mark.parametrize("embedder", ["none", "offline"])
async def test_the_same_version_answers_as_it_did_whatever_it_learnt_since(
    folder: Path, embedder: Literal["none", "offline"]
) -> None:
    """Each question is asked as of its moment: what replaced an answer later is not known then."""
    clock, chosen = FrozenClock(ASKED_AT), EmbedderSettings(kind=embedder)
    settings = settings_of(folder).model_copy(update={"embedder": chosen})
    async with open_app(settings, clock) as app:
        await app.services.indexer.mend()
        for number, (author, text) in enumerate(HERE):
            clock.advance(timedelta(minutes=7))
            await answer(app, author, text, number)
    done = await rehearsed(settings, 20)
    assert done["unembedded"] == 0
    asked = {text for _, text in HERE}
    own = [one for one in done["questions"] if one["asked"] in asked and one["at"] > "2026-11-20"]
    assert len(own) >= len(HERE) - 2  # what only tells something may not be looked up for
    assert [one for one in own if one["verdict"] != "same"] == []
    brother = [one["replies"] for one in own if "brother live" in one["asked"]]
    assert ["Porto" in one for one in brother] == [False, True]


async def test_what_differs_is_shown(folder: Path) -> None:
    """With the lines of then and now, the replies, and how many questions are how."""
    forgetful = settings_of(folder).model_copy(update={"recall": RecallSettings(enabled=False)})
    done = await rehearsed(forgetful, 20)
    assert sum(done["counts"].values()) == 20
    assert done["counts"]["same"] < 20
    porto = next(one for one in done["questions"] if one["asked"] == "Where does my brother live?")
    assert porto["verdict"] != "same"
    assert any("Porto" in line for line in porto["lost"])
    assert porto["gained"] == porto["kept"] == []


async def test_with_a_model_recall_alone_is_compared_and_nothing_is_called(folder: Path) -> None:
    """Neither the model nor the vector server of the pet is asked for anything."""
    with silent_server() as (model, asked), silent_server() as (vectors, searched):
        settings = settings_of(folder).model_copy(
            update={
                "model": ModelSettings(api_key=SecretStr("key"), base_url=model),
                "vectors": VectorSettings(kind="qdrant", url=vectors),
                "embedder": EmbedderSettings(kind="offline"),
            }
        )
        done = await rehearsed(settings, 5)
        for listening in (asked, searched):
            with pytest.raises(BlockingIOError):
                listening.accept()
    assert [one["replies"] for one in done["questions"]] == [None] * 5
    assert done["replies_compared"] is False
    assert done["unembedded"] > 0  # the version before had no embedder
    assert any(one["kept"] for one in done["questions"])


async def test_rewinding_leaves_a_sound_database(folder: Path) -> None:
    """No reference leads nowhere, and full text says what the tables do."""
    clock = FrozenClock(ASKED_AT)
    settings = settings_of(folder)
    async with open_still(settings, clock) as app:
        rehearsal = Rehearsal(app, clock, Rewinding(app.storage.database))
        assert len([one async for one in rehearsal.asked(20)]) == 20
        assert clock.at < ASKED_AT - timedelta(days=10)
        assert await sound(app.storage.database) == ()


async def test_nobody_asked_anything_yet(tmp_path: Path) -> None:
    """The copy is upgraded all the same, and there is nothing to compare."""
    async with open_database(tmp_path / DATABASE):
        pass
    done = await rehearsed(settings_of(tmp_path), 20)
    assert (done["questions"], sum(done["counts"].values())) == ([], 0)
    assert eko(tmp_path, "upgrade", "--rehearse").stdout.startswith("Nothing was asked yet")


async def test_a_question_whose_words_were_taken_back_is_left_out(folder: Path) -> None:
    """The rest is asked."""
    with closing(sqlite3.connect(folder / DATABASE)) as raw, raw:
        raw.execute(
            "UPDATE messages SET text = '', deleted_at = 1 WHERE author_kind = 'person'"
            " AND turn_id IN (SELECT id FROM turns WHERE text LIKE 'Where does my brother%')"
        )
    done = await rehearsed(settings_of(folder), 20)
    assert 0 < len(done["questions"]) < 20


@pytest.mark.parametrize(
    ("locale", "said"),
    [("en", "3 questions were asked again. "), ("fr", "3 questions ont été reposées. ")],
)
def test_the_command_says_what_to_do_next(folder: Path, locale: str, said: str) -> None:
    """In the pet's language: nobody sits there, so nothing is switched."""
    done = eko(folder, "upgrade", "--rehearse", "-n", "3", EKO_LOCALE=locale)
    assert done.returncode == 0, done.stderr
    assert said in done.stdout
    assert re.search(r"before-schema-1\.tar\.gz", done.stdout)
    assert "upgrade --yes" in done.stdout.splitlines()[-1]
    switched = eko(folder, "upgrade", "--yes", EKO_LOCALE=locale)
    assert f"schéma {LATEST}" in switched.stdout or f"schema {LATEST}" in switched.stdout
    assert "eko restore" in switched.stdout
    again = json.loads(eko(folder, "upgrade", "--yes", "--json").stdout)
    assert again == {"schema": LATEST, "latest": LATEST, "switched": False}


def test_while_the_pet_runs_it_is_rehearsed_and_not_switched(folder: Path) -> None:
    """One sentence says which process, and what comes then."""
    before = (folder / DATABASE).read_bytes()
    with held(folder, this_process("eko run", ASKED_AT)):
        refused = eko(folder, "upgrade", "--yes")
        rehearsed_beside = eko(folder, "upgrade", "--rehearse", "-n", "1")
    assert refused.returncode == 1
    assert f"is in use by process {os.getpid()}" in refused.stderr
    assert rehearsed_beside.returncode == 0, rehearsed_beside.stderr
    assert f"The pet runs (process {os.getpid()}): stop it" in rehearsed_beside.stdout
    assert (folder / DATABASE).read_bytes() == before


async def test_what_is_written_meanwhile_is_in_what_is_switched_to(folder: Path) -> None:
    """The switch upgrades a copy of its own, with the log that a killed daemon left."""
    await rehearsed(settings_of(folder), 1)
    with closing(sqlite3.connect(folder / DATABASE, isolation_level=None)) as raw:
        raw.execute("PRAGMA journal_mode = WAL")
        raw.execute("INSERT INTO meta (key, value) VALUES ('said', 'late')")
        for end in ("", "-wal"):
            shutil.copy(folder / f"{DATABASE}{end}", folder.parent / f"killed{end}")
    for end in ("", "-wal"):
        shutil.move(folder.parent / f"killed{end}", folder / f"{DATABASE}{end}")
    await switch(rules_of(folder), ASKED_AT)
    with closing(sqlite3.connect(folder / DATABASE)) as raw:
        assert raw.execute("SELECT value FROM meta WHERE key = 'said'").fetchall() == [("late",)]


def test_killed_anywhere_there_is_the_old_database_or_the_new_one(tmp_path: Path) -> None:
    """With -9 at ten points and more, before and after the rename; then it comes through."""
    done = subprocess.run(
        [sys.executable, "-m", killed_switch.__name__, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert len(found) >= killed_switch.KILLS - 1
    assert {"old", "new"} == set(found)
    assert found == sorted(found, reverse=True)


async def test_without_room_nothing_is_begun(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence says how much is needed and how much there is."""
    usage = shutil.disk_usage(folder)._replace(free=3_000_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    for upgrading in (rehearsed(settings_of(folder), 20), switch(rules_of(folder), ASKED_AT)):
        with pytest.raises(NoRoom, match=r"needs 6\d MB free in .*; there are 3 MB\. Nothing"):
            await upgrading
    assert names_in(folder) == [DATABASE]


def _cut_off(database: Path) -> None:
    os.truncate(database, database.stat().st_size // 2)


def _overwrite(database: Path) -> None:
    with database.open("r+b") as file:
        file.seek(4096 * 20)
        file.write(b"\xff" * 4096 * 60)


def _scatter(database: Path) -> None:
    with database.open("r+b") as file:
        file.seek(4096 * 200)
        file.write(b"\xff" * 4096 * 8)


def _replace(database: Path) -> None:
    database.write_bytes(b"This is a diary. " * 999)


@pytest.mark.parametrize("damage", [_cut_off, _overwrite, _scatter, _replace])
async def test_a_damaged_database_is_refused_and_left_alone(folder: Path, damage: Any) -> None:
    """Before the switch; the sentence says how a backup is put in its place."""
    damage(folder / DATABASE)
    before = (folder / DATABASE).read_bytes()
    for upgrading in (rehearsed(settings_of(folder), 20), switch(rules_of(folder), ASKED_AT)):
        with pytest.raises(DatabaseRefused, match="eko restore FILE"):
            await upgrading
    assert (folder / DATABASE).read_bytes() == before
    assert "upgrading.unfinished" not in names_in(folder)


async def test_no_database_and_another_upgrade_are_refused(folder: Path, tmp_path: Path) -> None:
    """Each with its sentence."""
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(NothingToUpgrade, match="nothing to upgrade"):
        await rehearsed(settings_of(empty), 20)
    with copies_folder(folder, ASKED_AT), pytest.raises(AlreadyRunning, match="eko upgrade"):
        await rehearsed(settings_of(folder), 20)


async def test_a_database_that_another_program_has_open_is_not_replaced(folder: Path) -> None:
    """Its log would be taken for that of the new one."""
    with closing(sqlite3.connect(folder / DATABASE)) as raw:
        raw.execute("PRAGMA journal_mode = WAL")
        raw.execute("SELECT count(*) FROM messages").fetchone()
        with pytest.raises(DatabaseRefused, match=r"Another program has .* open"):
            await switch(rules_of(folder), ASKED_AT)
    assert "upgrading.unfinished" not in names_in(folder)


@pytest.fixture
def version_after(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A context in which the program has one more migration: without it is the version before."""

    @contextmanager
    def after() -> Iterator[None]:
        with monkeypatch.context() as patched:
            patched.setattr(schema, "migrations", lambda: [*migrations(), NEXT])
            yield

    return after


async def test_the_version_before_says_how_to_go_back_and_what_was_forgotten_stays_so(
    tmp_path: Path, version_after: Any
) -> None:
    """It refuses the folder and names the backup and the command, which then works."""
    folder, clock = of_schema(tmp_path / "data", LATEST).parent, FrozenClock(ASKED_AT)
    settings = settings_of(folder)
    with version_after():
        backup = await switch(rules_of(folder), ASKED_AT)
        assert backup is not None
        async with open_app(settings, clock) as app:
            (row,) = await app.services.recall.search("Biscuit", list(Store), OPERATOR, 1)
            await forget_one(app.services.forgetting, row.id)
            await app.services.backups.journal()
    for opening in (_opened(settings), rehearsed(settings, 1)):
        with pytest.raises(DatabaseRefused) as refused:
            await opening
        assert "was written by a newer Eko" in str(refused.value)
        assert f"eko restore {backup} --replace --yes" in str(refused.value)
    ready = await prepare(BackupToRestore(archive=backup, data_dir=folder), clock)
    put_in_place(ready, folder, ASKED_AT, replacing=True)
    assert ready.erased > 0
    async with open_app(settings, clock) as app:
        found = await app.services.recall.search("Biscuit", list(Store), OPERATOR, 5)
    assert row.content not in [one.content for one in found]


async def test_without_a_backup_the_refusal_says_that_there_is_none(
    folder: Path, version_after: Any
) -> None:
    """And which command it takes."""
    with version_after():
        async with open_database(folder / DATABASE):
            pass
    with pytest.raises(DatabaseRefused, match=r"eko restore FILE --replace --yes \(there is none"):
        await _opened(settings_of(folder))


async def _opened(settings: Settings) -> None:
    async with open_app(settings, FrozenClock(ASKED_AT)):
        raise AssertionError("opened")
