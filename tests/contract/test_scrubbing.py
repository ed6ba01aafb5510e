"""After a scrub no byte of what was blanked or deleted is left in the database's files."""

import asyncio
import os
import random
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from uuid import UUID

import pytest

from memory.language.text import search_text
from memory.model.errors import ScrubPostponed
from memory.model.stores import Store
from memory.storage.sqlite import vacuum as scrubbing
from memory.storage.sqlite.database import Database, Transaction, Work, open_database
from memory.storage.sqlite.vacuum import Vacuum
from tests.storage import StorageParts, open_truth, overhear, statement

FILE = "eko.sqlite3"
ROOT = Path(__file__).parents[2]

CANARIES = tuple(f"zyxaquilopterations{letter * 3}ings" for letter in "abcdefghij")
"""Words that stand nowhere else, and whose stems do not either."""

NEEDLES = tuple(each.encode() for each in (*CANARIES, *map(search_text, CANARIES)))

LIFE = "hortulanus"
"""A word of what stays."""

SCRUBBING_PROCESS = """
import asyncio, sys
from pathlib import Path
from memory.storage.sqlite.database import open_database
from memory.storage.sqlite.vacuum import Vacuum

async def main():
    async with open_database(Path(sys.argv[1])) as database:
        print("ready", flush=True)
        while True:
            await Vacuum(database).scrub()

asyncio.run(main())
"""


@pytest.fixture
async def storage(tmp_path: Path) -> AsyncIterator[StorageParts]:
    """New tables."""
    async with open_truth(tmp_path) as opened:
        yield opened


def left_in(folder: Path) -> list[str]:
    """The database's files that hold a canary or its stem."""
    return [
        path.name
        for path in folder.glob(f"{FILE}*")
        if any(needle in path.read_bytes() for needle in NEEDLES)
    ]


async def filled(storage: StorageParts) -> None:
    """Messages and statements, some with canaries, among many writes that move rows around."""
    drawn = random.Random(1)
    for start in range(0, 1_000, 50):
        texts = [words(drawn) for _ in range(50)]
        texts[7] += f" {CANARIES[start // 100]}"
        await overhear(storage, *texts)
        await storage.database.write(subjects(drawn, start))
    await storage.remember.store(statement(f"David a un {CANARIES[0]}"))
    await storage.indexer.settle()


def words(drawn: random.Random) -> str:
    """A line of some length, of words that nobody says."""
    letters = "abcdefghilmnoprstu"
    return " ".join(
        "".join(drawn.choices(letters, k=drawn.randint(3, 9))) for _ in range(drawn.randint(2, 40))
    )


def subjects(drawn: random.Random, start: int, *, every: int = 10) -> Work[None]:
    """A write of statements with subjects, at random places of their tables and indexes."""

    async def work(transaction: Transaction) -> None:
        for number in range(start, start + 50):
            canary = CANARIES[number // 100] if number % every == 0 else ""
            values = {
                "id": str(UUID(int=drawn.getrandbits(128))),
                "subject": f"{words(drawn)} {canary}",
            }
            await transaction.run(
                "INSERT INTO memories (id, store, content, search_text, memory_type, importance,"
                " source, space, visibility, audience, created_at, updated_at, valid_from)"
                " VALUES (:id, 'memory', :subject, :subject, 'fact', 0.5, 'chat', 'home', 'space',"
                " 'space:home', 1, 1, 1)",
                values,
            )
            await transaction.run(
                "INSERT INTO memory_subjects VALUES (:id, 0, :subject, 'memory', 0.5, 1)", values
            )

    return work


async def blanked(transaction: Transaction) -> None:
    """Take every canary out of the tables, as forgetting does."""
    for canary in CANARIES:
        values = {"like": f"%{canary}%"}
        await transaction.run(
            "UPDATE messages SET text = '', search_text = '' WHERE text LIKE :like", values
        )
        await transaction.run("DELETE FROM memories WHERE content LIKE :like", values)


async def test_nothing_of_what_was_blanked_is_left_in_any_file(
    storage: StorageParts, tmp_path: Path
) -> None:
    """Neither words nor stems: tables, indexes, full text, free pages and log, readers open."""
    await filled(storage)
    await storage.database.write(blanked)
    assert left_in(tmp_path)
    done = await Vacuum(storage.database).scrub()
    assert left_in(tmp_path) == []
    assert done.merges >= 3
    assert done.bytes_after == (tmp_path / FILE).stat().st_size
    assert LIFE.encode() not in (tmp_path / FILE).read_bytes()
    await overhear(storage, f"un {LIFE}")
    assert (await storage.health.checkup()).problems == ()


async def test_what_a_page_kept_when_it_was_split_is_gone_too(
    storage: StorageParts, tmp_path: Path
) -> None:
    """SQLite overwrites what it frees, but not the copies of rows that moved to another page."""
    drawn = random.Random(2)

    async def crowded(transaction: Transaction) -> None:
        for start in range(0, 4_000, 50):
            await subjects(drawn, start % 1_000, every=2)(transaction)

    await storage.database.write(crowded)
    await storage.database.write(blanked)
    await Vacuum(storage.database).scrub()
    assert left_in(tmp_path) == []


async def test_everything_else_is_found_as_before(storage: StorageParts) -> None:
    """Full text answers the same, and a second scrub changes nothing."""
    await filled(storage)
    await overhear(storage, f"le {LIFE} chante")
    for _ in range(2):
        await Vacuum(storage.database).scrub()
        row = await storage.database.one(
            "SELECT count(*) AS n FROM messages_fts WHERE messages_fts MATCH :match",
            {"match": f'"{search_text(LIFE)}"'},
        )
        assert row
        assert row["n"] == 1
    assert (await storage.health.checkup()).problems == ()
    assert await storage.count("messages") == 1_001


async def test_writes_and_reads_go_on_beside_it(storage: StorageParts, tmp_path: Path) -> None:
    """What is written meanwhile waits for its moment and is kept."""
    await filled(storage)
    await storage.database.write(blanked)
    scrubbing_ = asyncio.ensure_future(Vacuum(storage.database).scrub())
    written = 0
    while not scrubbing_.done():
        await storage.remember.store(statement(f"Léa a {written} {LIFE}", store=Store.MEMORY))
        assert await storage.count("messages") == 1_000
        written += 1
    await scrubbing_
    assert written > 0
    assert await storage.count("memories", f"content LIKE '%{LIFE}%' AND forgotten_at IS NULL") > 0
    await Vacuum(storage.database).scrub()
    assert left_in(tmp_path) == []


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Another program that stays in the middle of reading."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM messages").fetchall()
        yield


async def test_another_programs_reading_postpones_it(
    storage: StorageParts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log cannot be cleared under a reader: it is said, and the next call does it."""
    await filled(storage)
    await storage.database.write(blanked)
    monkeypatch.setattr(scrubbing, "_TRIES", 2)
    with reading(tmp_path / FILE), pytest.raises(ScrubPostponed):
        await Vacuum(storage.database).scrub()
    await Vacuum(storage.database).scrub()
    assert left_in(tmp_path) == []


async def test_a_kill_at_any_moment_leaves_a_whole_database(tmp_path: Path) -> None:
    """Whatever step it dies in, the file is sound and the next scrub finishes the work."""
    async with open_truth(tmp_path) as storage:
        await filled(storage)
        await storage.database.write(blanked)
    for delay_s in (0.005, 0.02, 0.05, 0.09):
        await killed_after(tmp_path / FILE, delay_s)
        async with open_truth(tmp_path) as storage:
            assert (await storage.health.checkup()).problems == ()
            assert await storage.count("messages") == 1_000
    async with open_database(tmp_path / FILE) as database:
        await Vacuum(database).scrub()
        assert left_in(tmp_path) == []


async def killed_after(path: Path, delay_s: float) -> None:
    """A process that scrubs over and over, killed while it does."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        SCRUBBING_PROCESS,
        str(path),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert process.stdout
    assert await process.stdout.readline() == b"ready\n"
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(process.wait(), delay_s)
    os.kill(process.pid, signal.SIGKILL)
    await process.wait()


async def test_writes_wait_while_nothing_may_be_written(tmp_path: Path) -> None:
    """`still` holds the writer back and not the readers."""
    async with open_database(tmp_path / FILE) as database:
        async with database.still():
            write = asyncio.ensure_future(database.write(put))
            await database.all("SELECT key FROM meta")
            assert await keys(database) == set()
            assert not write.done()
        await write
        assert await keys(database) == {"a"}


async def put(transaction: Transaction) -> None:
    """One row."""
    await transaction.run("INSERT INTO meta (key, value) VALUES ('a', 'b')")


async def keys(database: Database) -> set[str]:
    """The keys that are kept."""
    rows = await database.all("SELECT key FROM meta WHERE key NOT LIKE '%.%'")  # not the pet's own
    return {row["key"] for row in rows}
