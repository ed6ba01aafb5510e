"""A backup is whole, and what was forgotten since it was made does not come back with it."""

import asyncio
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.channels.local.hub import LOBBY
from bot.errors import BotError
from bot.model.events import AuthorRef, Deleted, Edited, Inbound
from bot.transfer.archive import BackupRefused
from bot.transfer.backups import BackupFailed
from bot.transfer.encryption import new_key
from bot.transfer.restoring import (
    BackupToRestore,
    FolderInUse,
    NothingToldForgotten,
    discard,
    prepare,
    put_in_place,
)
from bot.wiring.app import App, open_app
from config.sections.backup import BackupSettings
from config.sections.conversation import CoalescingSettings
from config.sections.recall import RecallSettings
from config.settings import Settings
from memory.clock import FrozenClock
from memory.model.audience import OPERATOR, scope_of
from memory.model.authority import Actor
from memory.model.forgetting import Kind
from memory.model.statements import MemoryId
from memory.model.stores import Store
from memory.rules.forgetting.selector import Requester, Selector
from tests.cast import NOON, room_of
from tests.flow import test_canary_forgetting as canary
from tests.forgotten import RUNNER, dump
from tests.patience import PATIENCE_S
from tests.processes import ROOT
from tests.storage import statement

PATIENT_MS = 30_000
"""For a search: a busy machine must not change what is found."""

SECRET = "La clé de réserve est sous le pot bleu"


@asynccontextmanager
async def living(
    folder: Path, clock: FrozenClock | None = None, **backup: Any
) -> AsyncIterator[App]:
    """A pet whose backups go to the folder `kept` beside its data folder."""
    settings = Settings(
        data_dir=folder / "data",
        locale="fr",
        coalescing=CoalescingSettings(debounce_s=0, max_wait_s=0),
        recall=RecallSettings(embed_timeout_ms=PATIENT_MS),
        backup=BackupSettings(folder=str(folder / "kept"), **backup),
    )
    async with open_app(settings, clock or FrozenClock(NOON)) as app:
        yield app


async def backed_up(app: App, target: Path | None = None) -> Path:
    """Make a backup; where it is."""
    steps = [step async for step in app.services.backups.make(target)]
    assert steps[-1].path is not None
    return steps[-1].path


async def restored(archive: Path, folder: Path, **more: Any) -> int:
    """Restore a backup in the place of whatever is there; how many rows it lost by that."""
    request = BackupToRestore(archive=archive, data_dir=folder / "data", **more)
    request.data_dir.mkdir(parents=True, exist_ok=True)
    ready = await prepare(request, FrozenClock(NOON))
    put_in_place(ready, request.data_dir, NOON, replacing=True)
    return ready.erased


async def found(app: App, words: str) -> list[str]:
    """What is found by these words."""
    hits = await app.services.recall.search(words, [Store.MEMORY], OPERATOR, 5)
    return [one.content for one in hits]


def dump_of(app: App) -> Any:
    """Every row of every table."""
    return dump(app.storage.forgettings._database)


async def test_a_backup_restores_every_row_and_the_pet_answers(tmp_path: Path) -> None:
    """Into a new folder, on a machine that has nothing but the backups."""
    async with living(tmp_path) as app:
        await canary.told(app)
        before = await dump_of(app)
        archive = await backed_up(app)
    other = tmp_path / "other"
    await restored(archive, other)
    async with living(other) as app:
        assert await dump_of(app) == before
        await app.services.indexer.mend()
        assert (await canary.does(app, "verify"))["result"]["sound"]
        await canary.says(app, "Ines", "qui aime beaucoup le thé ?")
        turn = await app.storage.turns.latest(OPERATOR, speaker="Ines")
        assert turn is not None
        assert "thé" in turn.reply


async def test_what_was_forgotten_since_is_nowhere_after_a_restore(tmp_path: Path) -> None:
    """In no table, no full text and no file: a hundred secrets in every store."""
    async with living(tmp_path) as app:
        await canary.told(app)
        archive = await backed_up(app)
        await canary.forget_all(app)
        await app.services.backups.journal()
    for other in (tmp_path, tmp_path / "other"):  # the database tells, or only the journal does
        assert await restored(archive, other) > len(canary.CANARIES)
        (other / "kept").mkdir(exist_ok=True)
        left = canary.left_in(other / "data")
        assert {name for name in left if not name.startswith("before-restore")} == set()
        async with living(other) as app:
            assert (await canary.does(app, "verify", repair=True))["result"]["sound"]
            await canary.again(app)
            assert {*canary.left_in(other / "data")} == {*left}


def marks_in(folder: Path) -> list[tuple[object, ...]]:
    """The marks of values that a pet's database holds, in order."""
    with closing(sqlite3.connect(folder / "data" / "eko.sqlite3")) as database:
        asked = "SELECT audience, mark, forgetting_id FROM value_marks ORDER BY audience, mark"
        return database.execute(asked).fetchall()


async def test_values_that_were_forgotten_since_stay_marked(tmp_path: Path) -> None:
    """A later line that repeats one is masked as before."""
    async with living(tmp_path) as app:
        await canary.told(app)
        archive = await backed_up(app)
        await canary.forget_all(app)
        await app.services.backups.journal()
    marked = marks_in(tmp_path)
    assert marked
    await restored(archive, tmp_path / "other")
    assert marks_in(tmp_path / "other") == marked


async def test_what_was_forgotten_before_is_in_no_backup(tmp_path: Path) -> None:
    """Not even while it could still be undone: only the pet itself can give it back."""
    async with living(tmp_path) as app:
        await canary.told(app)
        done = await canary.forget_all(app)
        archive = await backed_up(app)
        await canary.undone(app, done)
    await restored(archive, tmp_path / "other", unjournalled=True)
    assert canary.left_in(tmp_path / "other") == {}


async def test_what_was_undone_since_comes_back(tmp_path: Path) -> None:
    """An undone forgetting is none, for a restore too."""
    async with living(tmp_path) as app:
        await canary.told(app)
        before = await dump_of(app)
        archive = await backed_up(app)
        await canary.undone(app, await canary.forget_all(app))
    await restored(archive, tmp_path)
    async with living(tmp_path) as app:
        after = await dump_of(app)
    assert after == before


async def test_an_edit_and_a_deletion_on_the_platform_hold_after_a_restore(tmp_path: Path) -> None:
    """What people took back there is taken out of the backup as well."""
    async with living(tmp_path) as app:
        edited, deleted, *_ = lines = list(canary.recording())[:4]
        await app.inbox.receive_all(lines, recorded=True)
        archive = await backed_up(app)
        await app.inbox.receive(
            Edited(platform="console", external_id=edited.external_id, text="autre chose")
        )
        await app.inbox.receive(Deleted(platform="console", external_id=deleted.external_id))
        await app.services.backups.journal()
    await restored(archive, tmp_path / "other")
    raw = (tmp_path / "other" / "data" / "eko.sqlite3").read_bytes().lower()
    held = [word.encode() in raw for word in canary.LOBBY_WORDS[:4]]
    assert held == [False, False, True, True]


async def test_who_declined_to_be_read_is_not_read_after_a_restore(tmp_path: Path) -> None:
    """Privacy that was chosen since holds, whichever account it was chosen with."""
    async with living(tmp_path) as app:
        await app.inbox.receive_all(list(canary.recording())[:2], recorded=True)
        (person,) = await app.storage.people.named(canary.PEOPLE[0])
        archive = await backed_up(app)
        await app.storage.people.observe(person, observed=False)
        await app.services.backups.journal()
    await restored(archive, tmp_path / "other")
    with closing(sqlite3.connect(tmp_path / "other" / "data" / "eko.sqlite3")) as database:
        rows = database.execute("SELECT observed FROM people WHERE id = ?", [person])
        assert rows.fetchall() == [(0,)]


SNORES = "Léa ronfle comme un tracteur"


async def claimed(app: App) -> tuple[MemoryId, Requester]:
    """David's word about Léa, and Léa as she asks for what is hers."""
    david, lea = (AuthorRef(platform="console", external_id=n, name=n) for n in ("David", "Léa"))
    said = [
        Inbound(external_id=who.name, room=LOBBY, author=who, text=text, sent_at=NOON)
        for who, text in ((david, SNORES), (lea, "bonjour"))
    ]
    await app.inbox.receive_all(said, recorded=True)
    (person,) = await app.storage.people.named("Léa")
    message = await app.storage.messages.by_external_id("console", "David")
    assert message is not None
    stored = await app.services.writer.store(
        statement(SNORES, messages=(message.id,), said_by="David", about_person=person)
    )
    asker = Requester(scope=scope_of(room_of(LOBBY), person), actor=Actor(person=person))
    return stored.id, asker


def kept(folder: Path) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
    """What the statements and messages of a pet say, with whether a statement is recalled."""
    with closing(sqlite3.connect(folder / "data" / "eko.sqlite3")) as database:
        stated = database.execute("SELECT content, said_by, forgotten_at IS NULL FROM memories")
        said = database.execute("SELECT text FROM messages WHERE external_id = 'David'")
        return stated.fetchall(), said.fetchall()


@pytest.mark.parametrize("told_by", ["database", "journal"])
async def test_what_was_muted_since_is_muted_and_not_deleted(tmp_path: Path, told_by: str) -> None:
    """Its words are its author's still, who alone can have them forgotten; nothing recalls it."""
    other = tmp_path if told_by == "database" else tmp_path / "other"
    async with living(tmp_path) as app:
        memory, lea = await claimed(app)
        archive = await backed_up(app)
        receipt = await app.services.forgetting.at_once(Selector(memories=(memory,)), lea)
        assert receipt.counts == {Kind.MUTED: 1}
        await app.services.backups.journal()
    await restored(archive, other)
    assert kept(other) == ([(SNORES, "David", 0)], [(SNORES,)])
    async with living(other) as app:
        assert await found(app, "tracteur") == []
        preview = await app.services.forgetting.preview(Selector(memories=(memory,)), lea)
        assert Kind.MUTED not in preview.counts
        await app.services.forgetting.at_once(Selector(topic="tracteur"), RUNNER)
    assert kept(other)[0] == [("", None, 0)]


async def test_what_was_muted_and_then_forgotten_is_gone(tmp_path: Path) -> None:
    """Its author's word counts for more."""
    async with living(tmp_path) as app:
        memory, lea = await claimed(app)
        archive = await backed_up(app)
        await app.services.forgetting.at_once(Selector(memories=(memory,)), lea)
        await app.services.forgetting.at_once(Selector(topic="tracteur"), RUNNER)
    await restored(archive, tmp_path)
    assert kept(tmp_path) == ([("", None, 0)], [("",)])


async def test_a_muting_that_was_undone_since_is_none(tmp_path: Path) -> None:
    """What was muted is recalled after a restore as before."""
    async with living(tmp_path) as app:
        memory, lea = await claimed(app)
        archive = await backed_up(app)
        await app.services.forgetting.at_once(Selector(memories=(memory,)), lea)
        await app.services.forgetting.undo(lea)
    await restored(archive, tmp_path)
    assert kept(tmp_path) == ([(SNORES, "David", 1)], [(SNORES,)])


async def test_without_a_journal_a_restore_must_be_asked_for(tmp_path: Path) -> None:
    """Nothing tells what was forgotten since: that is said, and only done on demand."""
    async with living(tmp_path) as app:
        await app.services.writer.store(statement(SECRET))
        archive = await backed_up(app)
    next((tmp_path / "kept").glob("*.forgotten.jsonl")).unlink()
    with pytest.raises(NothingToldForgotten, match="--without-journal"):
        await restored(archive, tmp_path / "other")
    await restored(archive, tmp_path / "other", unjournalled=True)
    async with living(tmp_path / "other") as app:
        assert SECRET in await found(app, "pot bleu")


async def test_a_database_is_replaced_on_demand_only_and_set_aside(tmp_path: Path) -> None:
    """Looking changes nothing; the old database is kept beside."""
    data = tmp_path / "data"
    async with living(tmp_path) as app:
        archive = await backed_up(app)
        await app.services.writer.store(statement(SECRET))
    before = (data / "eko.sqlite3").read_bytes()
    ready = await prepare(BackupToRestore(archive=archive, data_dir=data), FrozenClock(NOON))
    with pytest.raises(FolderInUse, match="--replace"):
        put_in_place(ready, data, NOON, replacing=False)
    discard(data)
    assert (data / "eko.sqlite3").read_bytes() == before
    await restored(archive, tmp_path)
    (aside,) = data.glob("before-restore-*/eko.sqlite3")
    assert aside.read_bytes() == before
    async with living(tmp_path) as app:
        assert await found(app, "pot bleu") == []


async def test_a_lost_database_is_restored(tmp_path: Path) -> None:
    """Emptied, it is refused by a start and put back from the backup beside the journal."""
    async with living(tmp_path) as app:
        await app.services.writer.store(statement(SECRET))
        await app.services.indexer.settle()
        archive = await backed_up(app)
    (tmp_path / "data" / "eko.sqlite3").write_bytes(b"")
    await restored(archive, tmp_path)
    async with living(tmp_path) as app:
        assert SECRET in await found(app, "pot bleu")


async def test_a_damaged_backup_is_refused(tmp_path: Path) -> None:
    """Cut off, changed in the middle, or something else altogether."""
    async with living(tmp_path) as app:
        archive = await backed_up(app)
    whole = archive.read_bytes()
    middle = len(whole) // 2
    for broken in (whole[:-100], whole[:middle] + b"\0" * 64 + whole[middle + 64 :], b"no backup"):
        archive.write_bytes(broken)
        with pytest.raises(BackupRefused, match="damaged"):
            await restored(archive, tmp_path / "other")
    assert not (tmp_path / "other" / "data" / "eko.sqlite3").exists()


async def test_a_backup_for_a_key_needs_that_key(tmp_path: Path) -> None:
    """Nothing of it can be read without, and another key does not open it."""
    secret, public = new_key()
    (right := tmp_path / "right.key").write_text(f"# mine\n{secret}\n", "utf-8")
    (wrong := tmp_path / "wrong.key").write_text(new_key()[0], "utf-8")
    async with living(tmp_path, recipients=(public,)) as app:
        await app.services.writer.store(statement(SECRET))
        archive = await backed_up(app)
    assert archive.name.endswith(".tar.gz.age")
    assert archive.read_bytes().startswith(b"age-encryption.org/v1")
    for key in (None, wrong):
        with pytest.raises(BotError, match=r"encrypted|does not open"):
            await restored(archive, tmp_path / "other", key_file=key)
    await restored(archive, tmp_path / "other", key_file=right)
    async with living(tmp_path / "other") as app:
        assert SECRET in await found(app, "pot bleu")


async def test_a_backup_under_writes_is_one_state_of_the_database(tmp_path: Path) -> None:
    """What is written beside it is in it whole or not at all, and nobody waits for its end."""
    async with living(tmp_path) as app:
        writing = asyncio.Event()

        async def write() -> int:
            number = 0
            while not writing.is_set():
                await app.services.writer.store(statement(f"La chambre {number} est vide"))
                number += 1
            return number

        async with asyncio.TaskGroup() as group:
            written = group.create_task(write())
            archive = await backed_up(app)
            writing.set()
    assert written.result() > 0
    await restored(archive, tmp_path / "other")
    async with living(tmp_path / "other") as app:
        assert (await canary.does(app, "verify", repair=True))["result"]["sound"]


async def test_a_second_restore_of_an_old_backup_forgets_as_much(tmp_path: Path) -> None:
    """What a restore has done again is known to the next one, and what was forgotten after it."""
    async with living(tmp_path) as app:
        await app.services.writer.store(statement(SECRET))
        await app.services.writer.store(statement("Léa a un chat noir"))
        archive = await backed_up(app)
        await app.services.forgetting.at_once(Selector(topic="pot bleu"), RUNNER)
        await app.services.backups.journal()
    await restored(archive, tmp_path)
    async with living(tmp_path) as app:
        await app.services.forgetting.at_once(Selector(topic="chat noir"), RUNNER)
        await app.services.backups.journal()
    for folder in (tmp_path, tmp_path / "other"):
        await restored(archive, folder)
        async with living(folder) as app:
            assert await found(app, "pot bleu chat noir") == []


async def test_a_failure_is_kept_and_told_by_the_doctor(tmp_path: Path) -> None:
    """Until the next one is made."""
    clock = FrozenClock(NOON)
    async with living(tmp_path, clock) as app:
        assert await _told(app) == ("backups_never", "note")
        (tmp_path / "kept").write_text("in the way", "utf-8")
        with pytest.raises(BackupFailed):
            await backed_up(app)
        assert await _told(app) == ("backups_failed", "fail")
        (tmp_path / "kept").unlink()
        await backed_up(app)
        assert await _told(app) == ("backups", "note")  # on the same disk
        clock.advance(timedelta(days=3))
        assert await _told(app) == ("backups_old", "fail")
        assert not (tmp_path / "data" / "backup.unfinished").exists()


async def _told(app: App) -> tuple[str, str]:
    (finding,) = [one for one in await app.doctor.diagnose() if one.part == "backups"]
    return finding.said, finding.state.value


async def test_old_backups_go_and_others_files_stay(tmp_path: Path) -> None:
    """As many days and weeks are kept as the settings say."""
    clock = FrozenClock(NOON)
    async with living(tmp_path, clock, keep_daily=2, keep_weekly=0) as app:
        archives = []
        for _ in range(4):
            archives.append(await backed_up(app))
            clock.advance(timedelta(days=1))
            (tmp_path / "kept" / "notes.txt").touch()
    there = {path.name for path in (tmp_path / "kept").glob("*.tar.gz")}
    assert there == {path.name for path in archives[-2:]}
    assert (tmp_path / "kept" / "notes.txt").exists()


@pytest.mark.parametrize("what", ["backup", "restore"])
async def test_a_kill_at_any_step_leaves_nothing_half_done(tmp_path: Path, what: str) -> None:
    """Killed with -9 at each step that touches a file, one after the other."""
    async with living(tmp_path) as app:
        await app.services.writer.store(statement(SECRET))
        await backed_up(app)
        await app.services.writer.store(statement("Léa a un chat noir"))
        await app.services.indexer.settle()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.flow.killed_steps", what, str(tmp_path)),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    async with asyncio.timeout(PATIENCE_S):
        said, _ = await process.communicate()
    assert process.returncode == 0, said.decode()
    assert int(said.split()[-1]) > 10, said.decode()
