"""The daemon is killed while it summarises: nothing is lost and nothing is there twice."""

import asyncio
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S
from tests.peers.daemon import Daemon, awake, kept
from tests.peers.thinker import Thinker, thinker

STORY = " ".join(["je repeins la maison en bleu et je refais le toit avec mon frère"] * 20)
"""Some 360 tokens, of which the model counts half: three turns fill the smallest window."""

ALONE = {"EKO_EXTRACTION__ENABLED": "false"}
"""So that the model is asked for answers and summaries only, in an order that a test can count."""

NARROW = {
    **ALONE,
    "EKO_COMPACTION__WINDOW_TOKENS": "500",
    "EKO_SESSIONS__WINDOW_MESSAGES": "2",
}
SILENT = {**ALONE, "EKO_SESSIONS__IDLE_MINUTES": "0.001"}
"""Every conversation has ended by the time the daemon has started."""


async def asks(daemon: Daemon, times: int) -> None:
    """Say something long, and wait for the answer."""
    for number in range(times):
        told = await daemon.does("ask", text=f"{number} {STORY}", name="David")
        assert told["result"]["reply"] == "Bonjour !"


def is_summarised_once(data_dir: Path) -> None:
    """One checkpoint with one row of knowledge, and every turn and message still there."""
    rows = kept(data_dir, "SELECT state, knowledge_id = id FROM summaries")
    assert rows == [("summarised", 1)]
    assert kept(data_dir, "SELECT count(*) FROM knowledge WHERE kind = 'summary'") == [(1,)]
    (turns,) = kept(data_dir, "SELECT count(*) FROM turns")[0]
    assert kept(data_dir, "SELECT count(*) FROM messages") == [(2 * turns,)]


async def _stops_whole(daemon: Daemon) -> None:
    sound = await daemon.does("verify")
    assert sound["result"]["sound"], sound
    assert await daemon.interrupted() == 0, daemon.output


@pytest.mark.parametrize("held", [True, False], ids=["before the answer", "as it is stored"])
async def test_a_closing_summary_that_is_killed_is_made_at_the_next_start(
    tmp_path: Path,
    held: bool,  # noqa: FBT001
) -> None:
    """While the model thinks, or while its answer is being written down."""
    async with thinker() as service:
        service.holds = frozenset({5}) if held else frozenset()
        async with awake(tmp_path, service.settings | ALONE) as daemon:
            await asks(daemon, 4)
            await daemon.killed()
        async with awake(tmp_path, service.settings | SILENT) as daemon:
            await service.was_asked(5)
            await daemon.killed()
        async with awake(tmp_path, service.settings | SILENT) as daemon:
            await _summarised(daemon, tmp_path)
            await _stops_whole(daemon)
        assert _summaries_asked(service) == 2 if held else _summaries_asked(service) in {1, 2}
    is_summarised_once(tmp_path)


async def test_a_long_conversation_that_is_killed_is_summarised_with_its_next_turn(
    tmp_path: Path,
) -> None:
    """The window is whole until then: it moves on with the summary and not before."""
    async with thinker() as service:
        service.holds = frozenset({4})
        async with awake(tmp_path, service.settings | NARROW) as daemon:
            await asks(daemon, 3)
            await service.was_asked(4)
            await daemon.killed()
        assert kept(tmp_path, "SELECT count(*) FROM summaries") == [(0,)]
        async with awake(tmp_path, service.settings | NARROW) as daemon:
            await asks(daemon, 1)
            await daemon.has_written("compaction.finished")
            await daemon.does("ask", text="et alors ?", name="David")
            await _stops_whole(daemon)
        before, after = (str(service.bodies[number]["messages"]) for number in (4, -1))
        assert before.count(STORY) == 4
        assert after.count(STORY) == 1
        assert "[Summary of this conversation - console, in private, " in after
        assert "David parle de sa maison." in after
    is_summarised_once(tmp_path)


async def _summarised(daemon: Daemon, data_dir: Path) -> None:
    """Wait until there is a summary."""
    async with asyncio.timeout(PATIENCE_S):
        while kept(data_dir, "SELECT count(*) FROM summaries") == [(0,)]:
            await daemon.does("memories")


def _summaries_asked(service: Thinker) -> int:
    return sum(
        any(tool["name"] == "record_summary" for tool in body["tools"]) for body in service.bodies
    )
