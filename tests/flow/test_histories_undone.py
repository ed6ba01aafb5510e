"""An import is taken back as a whole: nothing that rests on it alone is left, and all else is."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from datetime import UTC, timedelta
from functools import partial
from pathlib import Path
from unittest.mock import AsyncMock

import pytest

from bot.model.events import Inbound
from bot.wiring.app import App
from memory.clock import FrozenClock
from memory.model.people import PSEUDONYM
from memory.storage.transfer.histories import ERASED_AT_ONCE
from observers.history import LINES_AT_ONCE, HistoryLearning, PaidExtractor
from tests.cast import DAVID, LOBBY, NOON
from tests.flow.brought import TALK, brings, contents, does, ends, history, line, pet, said
from tests.flow.killed_imports import EQUAL, KILLS, LINES
from tests.flow.lobby import ListedExtractor
from tests.forgotten import RUNNER
from tests.patience import PATIENCE_S
from tests.processes import ROOT


@pytest.fixture
def clock() -> FrozenClock:
    """The clock of the pet."""
    return FrozenClock(NOON)


@pytest.fixture
async def app(tmp_path: Path, clock: FrozenClock) -> AsyncIterator[App]:
    """A pet in a folder of its own."""
    async with pet(tmp_path, clock) as born:
        yield born


def bytes_of(folder: Path) -> bytes:
    """All that the files of a pet hold."""
    return b"".join(one.read_bytes() for one in (folder / "pet").rglob("*") if one.is_file())


async def test_after_an_undo_no_byte_of_it_is_left(app: App, tmp_path: Path) -> None:
    """Neither words, nor names of people met in it alone, nor that of its room."""
    done = await brings(app, history(tmp_path, TALK, "Quincaillerie.jsonl"))
    learnt = await contents(app)
    assert learnt
    shown = await does(app, "history_undo", id=done["id"])
    assert shown["going"]["messages"] == 4
    assert shown["going"]["statements"] == len(learnt)
    assert shown["going"]["people"] == 2
    assert not shown["undone"]
    assert len(await said(app)) == 4
    await does(app, "history_undo", id=done["id"], confirmed=True)
    assert await said(app) == []
    assert await contents(app) == []
    held = bytes_of(tmp_path)
    for word in ("framboise", "kiwi", "Nantes", "Bastien", "Zoé", "Quincaillerie"):
        assert word.encode() not in held, word
    again = await ends(app, "history_undo", id=done["id"], confirmed=True)
    assert again == {"error": f"There is no import {done['id']}, or it was undone already."}


async def test_after_an_undo_nobody_is_known_by_it(app: App, tmp_path: Path) -> None:
    """Neither who spoke first or last in the file, nor who spoke in the middle of it."""
    spoken = [("Zoé", 1), ("Rosalinde", 2), ("Bastien", 3)]
    lines = [line(who, f"mot {at} {n}", at) for who, at in spoken for n in range(ERASED_AT_ONCE)]
    done = await brings(app, history(tmp_path, lines))
    await does(app, "history_undo", id=done["id"], confirmed=True)
    names = await app.storage.database.all("SELECT name FROM people")
    assert {row["name"] for row in names} == {PSEUDONYM}
    assert await app.storage.database.all("SELECT 1 FROM identities") == []
    assert b"Rosalinde" not in bytes_of(tmp_path / "pet")


async def test_what_was_undone_can_be_brought_again(app: App, tmp_path: Path) -> None:
    """Elsewhere or as before: nothing refuses it, and who speaks in it has a name again."""
    path = history(tmp_path, TALK)
    first = await brings(app, path)
    learnt = await contents(app)
    await does(app, "history_undo", id=first["id"], confirmed=True)
    second = await brings(app, path)
    assert second["counts"] == first["counts"]
    assert await contents(app) == learnt
    rows = await app.storage.database.all("SELECT DISTINCT author FROM messages WHERE text <> ''")
    assert {row["author"] for row in rows} == {"Zoé", "Bastien"}


async def test_what_others_say_too_and_what_was_replaced_stays(app: App, tmp_path: Path) -> None:
    """A statement that a live line backs stays, and what an imported one replaced holds again."""
    live = ["je suis allergique aux kiwis", "j'habite à Paris"]
    for number, text in enumerate(live):
        at = NOON - timedelta(days=900 - number)
        one = Inbound(external_id=f"m{number}", room=LOBBY, author=DAVID, text=text, sent_at=at)
        await app.inbox.receive_all([one], recorded=True)
    await app.services.digest.run()
    before = await contents(app)
    lines = [
        {"author": "David", "text": "je suis allergique aux kiwis", "at": NOON.isoformat()},
        {"author": "David", "text": "j'habite à Nantes", "at": NOON.isoformat()},
    ]
    done = await brings(app, history(tmp_path, lines), room="lobby")
    assert "David: j'habite à Nantes" in await contents(app)
    assert "David: j'habite à Paris" not in await contents(app)
    await does(app, "history_undo", id=done["id"], confirmed=True)
    assert await contents(app) == before
    assert await said(app) == live


async def learns_nothing_by_itself(app: App) -> None:
    """End what learns from imports in the background, so that the test says when that is."""
    (reads,) = [task for task in app.tasks if task.get_name() == "history"]
    reads.cancel()
    await asyncio.wait({reads})


async def test_an_undo_that_was_broken_off_goes_on(app: App, tmp_path: Path) -> None:
    """The rest of it goes, and no statement is learnt from it meanwhile."""
    await learns_nothing_by_itself(app)
    lines = [line("Zoé", f"j'aime le numéro {n}", n) for n in range(100)]
    done = await does(app, "history_import", path=str(history(tmp_path, lines)))
    await app.storage.histories.begin_undo(done["id"])
    await app.storage.histories.undo_some(done["id"], RUNNER)
    assert len(await said(app)) == 36
    await app.services.history_learning.settle()
    assert await contents(app) == []
    await does(app, "history_undo", id=done["id"], confirmed=True)
    assert await said(app) == []


async def test_an_undo_that_begins_while_it_is_read_ends_the_reading(
    app: App, tmp_path: Path
) -> None:
    """Of the lines that were being read nothing is learnt, and those behind are left alone."""
    await learns_nothing_by_itself(app)
    lines = [line("Zoé", f"le numéro {n}", n) for n in range(100)]
    done = await does(app, "history_import", path=str(history(tmp_path, lines)))
    finds = ListedExtractor(meanwhile=partial(app.storage.histories.begin_undo, done["id"]))
    paid = PaidExtractor(extractor=finds, may_pay=AsyncMock(return_value=True))
    learning = app.services.learning_by_rules
    reading = HistoryLearning(app.storage.histories, learning, finds, paid, UTC)
    async with asyncio.timeout(PATIENCE_S):
        await reading.settle()
    assert len(finds.read) == LINES_AT_ONCE
    assert await contents(app) == []


async def test_after_a_day_it_is_forgotten_as_anything_else_is(
    app: App, tmp_path: Path, clock: FrozenClock
) -> None:
    """With receipts that give it back, and with marks by which the same file is refused."""
    path = history(tmp_path, TALK)
    done = await brings(app, path)
    learnt = await contents(app)
    clock.advance(timedelta(hours=25))
    undone = await does(app, "history_undo", id=done["id"], confirmed=True)
    assert undone["late"]
    assert await said(app) == []
    again = await brings(app, path)
    assert (again["counts"]["stored"], again["counts"]["forgotten"]) == (0, 4)
    (number,) = undone["forgettings"]
    await does(app, "forget_undo", id=number)
    assert await contents(app) == learnt
    assert len(await said(app)) == 4


async def test_another_undo_takes_no_name_that_can_be_given_back(
    app: App, tmp_path: Path, clock: FrozenClock
) -> None:
    """Who was forgotten with an import after its day comes back with their name."""
    first = await brings(app, history(tmp_path, [line("Rosalinde", "j'habite à Brest", 1)]))
    clock.advance(timedelta(hours=25))
    undone = await does(app, "history_undo", id=first["id"], confirmed=True)
    second = await brings(app, history(tmp_path, [line("Bastien", "salut", 2)], "b.jsonl"))
    await does(app, "history_undo", id=second["id"], confirmed=True)
    for number in undone["forgettings"]:
        await does(app, "forget_undo", id=number)
    names = await app.storage.database.all("SELECT name FROM people")
    assert {row["name"] for row in names} == {"Rosalinde", PSEUDONYM}


async def test_an_import_that_is_killed_goes_on_and_has_each_line_once(tmp_path: Path) -> None:
    """With -9 at ten points on its way; then it is undone and nothing of it is left."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.flow.killed_imports", str(tmp_path), "7"),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(3 * PATIENCE_S):
        said, _ = await process.communicate()
    told = json.loads(said)
    assert told["killed"] == KILLS
    assert 0 < told["before"] < LINES
    assert (told["lines"], told["texts"], told["imports"]) == (LINES, LINES - EQUAL + 1, 1)
    assert told["counts"]["stored"] + told["counts"]["known"] == LINES
    assert (told["left"], told["bytes_left"]) == (0, 0)
