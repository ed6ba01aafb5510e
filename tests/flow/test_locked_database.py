"""While another program holds the lock for writing, what people say waits and is kept."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import aiosqlite
import pytest

from memory.model.errors import StorageFailed
from memory.storage.sqlite import database as database_module
from memory.storage.sqlite import vacuum as vacuum_module
from memory.storage.sqlite.database import open_database
from memory.storage.sqlite.readers import PRAGMAS
from memory.storage.sqlite.vacuum import Vacuum
from tests.cast import LOBBY, room_of
from tests.patience import PATIENCE_S
from tests.processes import ROOT
from tests.storage import arrival, open_truth

HOLDER = """
import sqlite3, sys
raw = sqlite3.connect(sys.argv[1], isolation_level=None)
raw.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.readline()
raw.execute("ROLLBACK")
"""


@pytest.fixture(autouse=True)
def short_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each try to begin waits for a twentieth of a second in place of five."""
    short = tuple("PRAGMA busy_timeout = 50" if "busy" in one else one for one in PRAGMAS)
    monkeypatch.setattr(database_module, "PRAGMAS", short)


@contextmanager
def locked(path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the lock until it is told a line."""
    command = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        yield holder
        holder.communicate("\n")


async def test_what_is_said_waits_for_another_program_that_writes(tmp_path: Path) -> None:
    """Longer than one try takes; all of it is stored once, and in order."""
    async with open_truth(tmp_path) as storage, asyncio.timeout(PATIENCE_S):
        await storage.people.keep_room(room_of(LOBBY))
        with locked(storage.database.path):
            saying = [
                asyncio.create_task(storage.messages.accept([arrival(f"mot {n}", f"m{n}")]))
                for n in range(5)
            ]
            await asyncio.sleep(0.3)  # several tries
            assert not any(one.done() for one in saying)
            assert await storage.count("messages") == 0
        assert [one is not None for each in await asyncio.gather(*saying) for one in each]
        assert await storage.count("messages") == 5


async def test_a_lock_that_is_never_let_go_is_said_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that waited hear of it at once, and what comes later is tried again."""
    monkeypatch.setattr(database_module, "_LOCKED_TRIES", 2)
    async with open_truth(tmp_path) as storage, asyncio.timeout(PATIENCE_S):
        await storage.people.keep_room(room_of(LOBBY))
        with locked(storage.database.path):
            saying = [storage.messages.accept([arrival(f"mot {n}", f"m{n}")]) for n in range(5)]
            said = await asyncio.gather(*saying, return_exceptions=True)
            assert {type(one) for one in said} == {StorageFailed}
        await storage.messages.accept([arrival("mot", "m")])
        assert await storage.count("messages") == 1


async def test_nothing_is_written_while_the_log_is_brought_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Old versions of SQLite can damage the file where both happen at once."""
    async with open_database(tmp_path / "eko.sqlite3") as database:
        held: list[bool] = []

        def looked(statement: str) -> None:
            if "checkpoint" in statement:
                held.append(database._committing.locked())

        connected = vacuum_module._connected

        @asynccontextmanager
        async def watched(path: Path) -> AsyncIterator[aiosqlite.Connection]:
            async with connected(path) as connection:
                await connection.set_trace_callback(looked)
                yield connection

        monkeypatch.setattr(vacuum_module, "_connected", watched)
        await Vacuum(database).scrub()
        assert held
        assert all(held)
