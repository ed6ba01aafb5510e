"""Discord is away, or will not have the daemon: the pet is there elsewhere, and comes back."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.peers.daemon import awake
from tests.peers.discord_server import DiscordServer, Launcher, fresh_discord
from tests.peers.discord_stage import QUICK, on_discord


@pytest.fixture
async def twin(launcher: Launcher) -> AsyncIterator[DiscordServer]:
    """A server at its beginning for every test."""
    async with fresh_discord(launcher) as server:
        yield server


async def test_a_bad_token_is_said_and_the_rest_goes_on(
    twin: DiscordServer, tmp_path: Path
) -> None:
    """With where to find the right one; the pet of the terminal answers."""
    wrong = {"EKO_DISCORD__TOKEN": "wrong.token"}
    async with awake(tmp_path / "data", QUICK | twin.settings | wrong) as daemon:
        await daemon.has_written("Discord developer portal > your application > Bot > Token")
        assert (await daemon.does("ask", text="bonjour", name="zoe"))["result"]
        assert "wrong.token" not in daemon.output
        assert await daemon.interrupted() == 0


async def test_without_the_content_intent_it_says_where_to_switch_it_on(
    twin: DiscordServer, tmp_path: Path
) -> None:
    """Mentions and direct messages are answered all the same; the rest is not seen."""
    await twin.troubles.withholds_content()
    async with on_discord(twin, tmp_path / "data") as stage:
        await stage.daemon.has_written("Privileged Gateway Intents > Message Content Intent")
        lobby, ana = twin.guilds["Lounge"]["lobby"], twin.people["ana"]
        unread = await twin.says(lobby, ana, "la grange est à Anatole")
        assert await stage.hears(lobby, ana, "bonjour")
        assert await stage.hears_in_private(ana, "bonjour")
        assert stage.kept("SELECT id FROM messages WHERE external_id = ?", unread) == []
        assert stage.daemon.output.count("Message Content Intent") == 1
        assert await stage.daemon.interrupted() == 0


async def test_it_is_back_after_connections_that_end_before_they_began(
    twin: DiscordServer, tmp_path: Path
) -> None:
    """With a new session: what could not be delivered before is delivered then, once."""
    async with on_discord(twin, tmp_path / "data") as stage:
        lobby, ana = twin.guilds["Lounge"]["lobby"], twin.people["ana"]
        await twin.troubles.fails("POST", f"{lobby.id}/messages$", status=503, times=3)
        late = await stage.asks(lobby, ana, "bonjour")
        await stage.daemon.has_written('"delivered": false')
        await twin.troubles.hangs_up()
        await twin.troubles.drops()
        assert await stage.only_answer(lobby, ana, late)
        state = await twin.seen.gateway()
        assert (len(state.identifies), state.connections >= 3) == (2, True)


async def test_discord_may_go_away_for_a_while(twin: DiscordServer, tmp_path: Path) -> None:
    """The rest of the pet goes on; afterwards it makes up for what it missed, once."""
    async with on_discord(twin, tmp_path / "data") as stage:
        room, ana, ben = twin.guilds["Lounge"]["lobby"], twin.people["ana"], twin.people["ben"]
        assert await stage.hears(room, ana, "bonjour")
        async with twin.troubles.away():
            await stage.daemon.has_written("discord.disconnected", 2)
            missed = await twin.says(room, ana, "la péniche s'appelle Griselda")
            asked = await stage.asks(room, ben, "comment s'appelle la péniche ?")
            assert (await stage.daemon.does("ask", text="bonjour", name="zoe"))["result"]
        assert await stage.only_answer(room, ben, asked)
        later = await stage.hears(room, twin.people["cleo"], "comment s'appelle la péniche ?")
        assert "Griselda" in later
        assert stage.kept("SELECT count(*) FROM messages WHERE external_id = ?", missed) == [(1,)]
