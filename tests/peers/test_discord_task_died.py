"""A part of the daemon that dies is told to its owner, in private, before the daemon goes down."""

import sqlite3
from contextlib import closing
from pathlib import Path

from tests.peers.discord_server import Launcher, fresh_discord
from tests.peers.discord_stage import on_discord

UNREADABLE = "INSERT INTO index_outbox (collection, point_id) VALUES ('memory', 'no id')"
"""A row that the pet would never write, and that what fills the index cannot read."""


async def test_the_owner_is_told_which_part_has_died(launcher: Launcher, tmp_path: Path) -> None:
    """Where they last wrote to it in private, and nobody else; then it ends, and says so."""
    data = tmp_path / "data"
    async with fresh_discord(launcher) as twin:
        ana, ben, lobby = twin.people["ana"], twin.people["ben"], twin.guilds["Lounge"]["lobby"]
        owner = {"EKO_NOTICES__ACCOUNT": f"discord:{ana.id}", "EKO_EMBEDDER__KIND": "none"}
        async with on_discord(twin, data, owner) as stage:
            direct = await twin.direct(ana)
            await stage.answer(direct, await twin.says(direct, ana, "bonjour"))
            with closing(sqlite3.connect(data / "eko.sqlite3")) as database, database:
                database.execute(UNREADABLE)
            await twin.says(lobby, ben, "il pleut à Brest")
            _, told = await twin.seen.bot_messages(direct, 2)
            assert told["content"] == "A part of me has stopped, so I am going down: indexer."
            assert await stage.daemon.ends() == 1
            for event in ("background_task.died", "owner.warned"):
                assert stage.daemon.output.count(event) == 1
    assert await twin.seen.bot_messages(lobby) == []
