"""The daemon is killed with -9 before, at and after the moment of a reminder: it is told once."""

from pathlib import Path

import pytest

from tests.peers.daemon import Daemon, awake, kept

BY_RULES = {"EKO_EMBEDDER__KIND": "none", "EKO_LOG__LEVEL": "info"}
HANDED_OVER = "reminder.handed_over"


async def asks(daemon: Daemon, when: str) -> None:
    """Have it set one."""
    text = f"rappelle-moi {when} de partir"
    answer = await daemon.does("ask", text=text, name="David")
    assert "je te rappelle : partir" in str(answer), answer


def told(data: Path) -> list[tuple[str, str]]:
    """What it said of reminders, and how far that has come."""
    rows = kept(data, "SELECT state, reply FROM turns WHERE text = '' ORDER BY seq")
    return [(row[0], row[1].partition(" : ")[2]) for row in rows]


@pytest.mark.parametrize("when", ["dans 3 secondes", "dans 4 secondes"])
async def test_killed_before_the_moment(tmp_path: Path, when: str) -> None:
    """The next start tells it, the one after does not."""
    data = tmp_path / "data"
    async with awake(data, BY_RULES) as daemon:
        await asks(daemon, "dans 1 heure")
        await asks(daemon, when)
        await daemon.killed()
    async with awake(data, BY_RULES) as daemon:
        if not told(data):
            await daemon.has_written(HANDED_OVER)
        await daemon.killed()
    async with awake(data, BY_RULES) as daemon:
        assert (await daemon.does("verify"))["result"]["sound"]
        assert await daemon.interrupted() == 0
    assert told(data) == [("delivered", "partir")]
    assert kept(data, "SELECT state FROM reminders ORDER BY id") == [("open",), ("delivered",)]


async def test_killed_at_the_moment_and_after_it(tmp_path: Path) -> None:
    """As soon as it is handed over, and again while what was not sent is sent."""
    data = tmp_path / "data"
    async with awake(data, BY_RULES) as daemon:
        await asks(daemon, "dans 3 secondes")
        await daemon.has_written(HANDED_OVER)
        await daemon.killed()
    for _ in range(2):
        async with awake(data, BY_RULES) as daemon:
            await daemon.killed()
    assert told(data) == [("delivered", "partir")]
