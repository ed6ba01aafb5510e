"""Many messages at once over many channels: each is kept once, in the order of its room."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from tests.peers.discord_control import Channel
from tests.peers.discord_server import Launcher, fresh_discord
from tests.peers.discord_stage import Stage, on_discord

MESSAGES, CHANNELS = 1500, 15


def kept_in(stage: Stage, channel: Channel) -> Sequence[str]:
    """The burst as the daemon has it in one room, in the order it was stored."""
    query = (
        "SELECT m.external_id FROM messages AS m JOIN live_messages AS l ON l.message_id = m.id"
        " WHERE m.room_id = ? AND m.text LIKE 'brouhaha %' ORDER BY m.id"
    )
    return [id_ for (id_,) in stage.kept(query, f"discord:{channel.id}")]


async def test_a_burst_over_many_channels_is_kept_whole(launcher: Launcher, tmp_path: Path) -> None:
    """None is lost and none doubled, although the connection drops in the middle of it."""
    async with fresh_discord(launcher) as twin, on_discord(twin, tmp_path / "data") as stage:
        await twin.troubles.resumes()
        guild, ana = twin.guilds["Workshop"], twin.people["ana"]
        burst = await twin.burst(guild, messages=MESSAGES, channels=CHANNELS, text="brouhaha {n}")
        await twin.troubles.drops()
        await asyncio.gather(*(stage.hears(channel, ana, "bonjour") for channel in burst.channels))
        for number, channel in enumerate(burst.channels):
            assert kept_in(stage, channel) == list(burst.ids[number::CHANNELS])
        found = "SELECT count(*) FROM messages_fts WHERE messages_fts MATCH 'brou*'"
        assert stage.kept(found) == [(MESSAGES,)]
        assert (await stage.daemon.does("verify"))["result"]["sound"]
        assert await stage.daemon.interrupted() == 0
