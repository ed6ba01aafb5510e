"""The daemon is killed while it forgets, gives back or purges: that is done whole or not at all."""

import asyncio
import json
from pathlib import Path

import pytest

from tests.peers.daemon import Daemon, awake, kept

OFFLINE = {"EKO_COALESCING__DEBOUNCE_S": "0"}
SAID = 400
CANARY = "zyqlevain"


async def overhears(daemon: Daemon, folder: Path) -> None:
    """Feed a lobby in that speaks of one thing, and of others."""
    recording = folder / "lobby.jsonl"
    lines = [
        json.dumps(
            {
                "author": "david",
                "text": f"le {CANARY} numéro {number}" if number % 2 else f"un vélo {number}",
                "at": f"2026-01-17T{number // 60:02d}:{number % 60:02d}:00Z",
            }
        )
        for number in range(SAID)
    ]
    recording.write_text("\n".join(lines), "utf-8")
    done = await daemon.does("replay", path=str(recording))
    assert done["result"]["stored"] == SAID


def speaking(data_dir: Path) -> int:
    """How many messages speak of it."""
    rows = kept(data_dir, "SELECT text FROM messages")
    return sum(CANARY in text for (text,) in rows)


async def cut_short(daemon: Daemon, after_s: float, operation: str, **arguments: object) -> None:
    """Kill the daemon so long after an operation began, if it did not end before."""
    doing = asyncio.create_task(daemon.does(operation, **arguments))
    await asyncio.wait({doing}, timeout=after_s)
    await daemon.killed()
    doing.cancel()
    await asyncio.gather(doing, return_exceptions=True)


@pytest.mark.parametrize("after_s", [0.03, 0.2])
async def test_a_forgetting_that_is_killed_is_whole_or_was_not(
    tmp_path: Path, after_s: float
) -> None:
    """And so is its undoing."""
    data = tmp_path / "data"
    async with awake(data, OFFLINE) as daemon:
        await overhears(daemon, tmp_path)
        await cut_short(daemon, after_s, "forget", topic=CANARY, confirmed=True)
    assert speaking(data) in {0, SAID // 2}
    async with awake(data, OFFLINE) as daemon:
        await daemon.does("forget", topic=CANARY, confirmed=True)
        ((number,),) = kept(data, "SELECT max(id) FROM forgettings WHERE state = 'forgotten'")
        assert speaking(data) == 0
        await cut_short(daemon, after_s, "forget_undo", id=number)
    assert speaking(data) in {0, SAID // 2}
    async with awake(data, OFFLINE) as daemon:
        await daemon.does("forget_undo", id=number)
        assert speaking(data) == SAID // 2
        sound = await daemon.does("verify")
        assert sound["result"]["sound"], sound
        assert await daemon.interrupted() == 0, daemon.output


@pytest.mark.parametrize("after_s", [0.05, 0.8])
async def test_a_purge_that_is_killed_is_finished_at_the_next_start(
    tmp_path: Path, after_s: float
) -> None:
    """There is no way back from it, and in the end no file holds the word."""
    data = tmp_path / "data"
    async with awake(data, OFFLINE) as daemon:
        await overhears(daemon, tmp_path)
        done = await daemon.does("forget", topic=CANARY, confirmed=True)
        number = done["result"]["receipt"]["id"]
        await cut_short(daemon, after_s, "forget_purge", id=number)
    async with awake(data, OFFLINE) as daemon:
        ((state,),) = kept(data, "SELECT state FROM forgettings")
        if state == "forgotten":
            await daemon.does("forget_purge", id=number)
        elif state == "purging":
            await daemon.has_written("forgettings.purged")
        undone = await daemon.does("forget_undo", id=number)
        assert "error" in undone
        sound = await daemon.does("verify")
        assert sound["result"]["sound"], sound
        assert await daemon.interrupted() == 0, daemon.output
    assert kept(data, "SELECT state FROM forgettings") == [("purged",)]
    assert [path for path in data.rglob("*") if path.is_file() and _holds(path)] == []


def _holds(path: Path) -> bool:
    return CANARY.encode() in path.read_bytes().lower()
