"""Looking afterwards: what was forgotten is looked for in tables and files, and found if there."""

import asyncio
import sys
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from memory.forgetting.files import FilesLookedIn
from memory.forgetting.purge import Purge
from memory.rules.forgetting.receipt import LookedFor, Receipt
from memory.rules.forgetting.selector import Selector
from memory.storage.forgetting.traces import Traces
from tests.forgotten import RUNNER, Household, forgettings_on, household
from tests.storage import open_truth

SAID = "le levain de David déborde du grand bocal bleu"


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[Household]:
    """David and Lea, with new tables."""
    async with open_truth(tmp_path) as opened:
        yield await household(opened, "David", "Lea")


def traces_on(home: Household) -> Traces:
    """What looks into these tables."""
    return Traces(home.storage.database, home.storage.clock)


def figures(looks: list[LookedFor]) -> dict[str, tuple[int, int, int]]:
    """What was looked for, found, and said by others, by the first word of the place."""
    return {one.place.split(",")[0]: (one.looked_for, one.found, one.same_words) for one in looks}


async def own_forgetting(home: Household) -> Receipt:
    """David says it, and has it forgotten himself."""
    await home.says("David", SAID)
    return await home.forget.at_once(Selector(topic="levain"), home.asks("David"))


async def purged(home: Household, receipt: Receipt, *places: Path) -> list[LookedFor]:
    """What a look into files found once a forgetting was purged."""
    storage, traces = home.storage, traces_on(home)

    async def scrub() -> bool:
        return True

    files = FilesLookedIn(traces, places)
    purging = Purge(forgettings_on(storage), storage.indexer.settle, [scrub], files)
    await purging.now(receipt.id, RUNNER)
    return await traces.in_files(receipt.id)


async def test_a_look_into_the_database_takes_no_lock_from_it(home: Household) -> None:
    """Without its locks, another program would take the write-ahead log away when it closes."""
    receipt, path = await own_forgetting(home), home.storage.database.path
    assert await purged(home, receipt, path)
    reads = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1])"
    reads += "; c.execute('SELECT * FROM sqlite_master').fetchall(); c.close()"
    other = await asyncio.create_subprocess_exec(sys.executable, "-c", reads, path)
    assert await other.wait() == 0
    assert path.with_name(f"{path.name}-wal").exists()


async def test_the_tables_hold_nothing_of_what_was_forgotten(home: Household) -> None:
    """Its one text is looked for in each of them."""
    receipt = await own_forgetting(home)
    looks = await traces_on(home).in_tables(receipt.id, receipt.person)
    assert figures(looks) == dict.fromkeys(
        ("messages", "statements", "exchanges", "summaries"), (1, 0, 0)
    )


async def test_a_row_that_still_says_it_is_found(home: Household) -> None:
    """As if the erasing had missed one: the look has no part in what erases."""
    receipt = await own_forgetting(home)
    kept = await home.says("David", "le vélo est au garage depuis lundi")
    await home.storage.database.run(
        "UPDATE messages SET text = :text, search_text = 'levain david debord grand bocal bleu',"
        " sent_at = sent_at - 5000 WHERE id = :id",
        {"text": SAID, "id": kept},
    )
    looks = await traces_on(home).in_tables(receipt.id, receipt.person)
    assert figures(looks)["messages"] == (1, 1, 0)


async def test_what_others_say_or_is_told_anew_is_counted_apart(home: Household) -> None:
    """Their words are theirs, and people may tell a thing anew."""
    await home.says("Lea", SAID)
    receipt = await own_forgetting(home)
    home.storage.clock.advance(timedelta(minutes=1))
    await home.says("David", SAID)
    looks = await traces_on(home).in_tables(receipt.id, receipt.person)
    assert figures(looks)["messages"] == (1, 0, 2)


async def test_bytes_that_are_left_in_a_file_are_found(home: Household, tmp_path: Path) -> None:
    """In a folder too, across the border of two chunks, and nowhere else."""
    receipt = await own_forgetting(home)
    folder, clean = tmp_path / "vectors", tmp_path / "clean"
    folder.mkdir()
    (folder / "segment").write_bytes(b"x" * ((1 << 20) - 10) + SAID.encode() + b"x")
    clean.write_bytes(b"x" * 100)
    found = await purged(home, receipt, folder, clean)
    assert [(one.place, one.looked_for, one.found) for one in found] == [
        ("bytes of vectors", 1, 1),
        ("bytes of clean", 1, 0),
    ]


async def test_bytes_of_what_others_say_are_not_left(home: Household, tmp_path: Path) -> None:
    """A file holds them because a row that stays does."""
    await home.says("Lea", SAID)
    receipt = await own_forgetting(home)
    file = tmp_path / "file"
    file.write_text(SAID, "utf-8")
    (look,) = await purged(home, receipt, file)
    assert (look.looked_for, look.found) == (1, 0)


async def test_no_look_is_told_where_none_was_made(home: Household) -> None:
    """Before the purge, and after one whose process ended before it looked."""
    receipt = await own_forgetting(home)
    traces = traces_on(home)
    assert await traces.in_files(receipt.id) == []
    await forgettings_on(home.storage).begin_purge(receipt.id, RUNNER)
    purging = Purge(
        forgettings_on(home.storage), home.storage.indexer.settle, [], FilesLookedIn(traces, [])
    )
    assert await purging.run() == 1
    assert await traces.in_files(receipt.id) == []
