"""Settings that are changed in a running daemon: they hold at once and survive being killed."""

import asyncio
import json
from pathlib import Path

from tests.peers.daemon import awake, kept

PLAIN = {"EKO_COALESCING__DEBOUNCE_S": "0", "EKO_EMBEDDER__KIND": "none"}
"""An offline pet that answers at once."""


async def test_a_change_holds_in_the_running_daemon_and_after_kill_9(tmp_path: Path) -> None:
    """The command line reaches the daemon, and what it answered for is on disk."""
    data = tmp_path / "data"
    async with awake(data, PLAIN) as daemon:
        await daemon.does("remember", text="David joue du violoncelle")
        off = await daemon.does("set", key="auto_retrieve_enabled", value="off")
        assert off["result"]["value"] == "false"
        question = {"text": "qui joue du violoncelle ?", "name": "Zoé", "room": "lobby"}
        asked = await daemon.does("ask", **question)
        assert asked["result"]["recall"]["reason"] == "switched off"
        await daemon.killed()
    async with awake(data, PLAIN) as daemon:
        again = await daemon.does("setting", key="auto_retrieve_enabled")
        assert again["result"]["value"] == "false"
        await daemon.does("reset", key="auto_retrieve_enabled")
        asked = await daemon.does("ask", **question)
        assert asked["result"]["recall"]["reason"] == "looked up"
    assert kept(data, "SELECT count(*) FROM audit_log WHERE actor = 'operator'") == [(2,)]


async def test_a_night_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    """Each two that say the same are proposed once, and verify finds nothing wrong."""
    data = tmp_path / "data"
    async with awake(data, PLAIN) as daemon:
        for number in range(30):
            await daemon.does("remember", text=f"Le phare {number} est un phare rouge")
            await daemon.does("remember", text=f"Le phare {number} est le phare rouge")
        tidying = asyncio.create_task(daemon.does("tidy"))
        await asyncio.sleep(0)
        await daemon.killed()
        tidying.cancel()
        await asyncio.gather(tidying, return_exceptions=True)
    async with awake(data, PLAIN) as daemon:
        await daemon.does("tidy")
        assert (await daemon.does("tidy"))["result"]["walked"] == 0
        assert (await daemon.does("verify"))["result"]["sound"]
        open_ = (await daemon.does("proposals"))["result"]["proposals"]
    assert len(open_) == 30, json.dumps(open_)[:500]
