"""Guilds that are not there for a while, messages and acknowledgements that go wrong, sessions."""

from collections.abc import AsyncIterator
from itertools import pairwise
from pathlib import Path

import pytest

from tests.peers.discord_control import EPHEMERAL, Channel
from tests.peers.discord_server import DiscordServer, Launcher, fresh_discord
from tests.peers.discord_stage import Stage, on_discord

APART_MS = 5000
"""Between two sessions that begin, by Discord's documentation."""


@pytest.fixture
async def twin(launcher: Launcher) -> AsyncIterator[DiscordServer]:
    """A server at its beginning for every test."""
    async with fresh_discord(launcher) as server:
        yield server


async def said_in(stage: Stage, room: Channel, word: str, count: int) -> list[str]:
    """Let Ana say something so often; the ids."""
    ana = stage.twin.people["ana"]
    return [await stage.twin.says(room, ana, f"{word} {number}") for number in range(count)]


def heard(stage: Stage, word: str) -> int:
    """How much of that the daemon has."""
    return int(stage.kept("SELECT count(*) FROM messages WHERE text LIKE ?", f"{word} %")[0][0])


async def test_a_guild_that_comes_late_is_read_back_when_it_comes(
    twin: DiscordServer, tmp_path: Path
) -> None:
    """Twelve of twelve; the connection stood long before."""
    lounge, lobby = twin.guilds["Lounge"], twin.guilds["Lounge"]["lobby"]
    async with on_discord(twin, tmp_path / "data") as stage:
        assert await stage.hears(lobby, twin.people["ana"], "bonjour")
        await stage.daemon.killed()
    await twin.troubles.loses(lounge)
    await said_in(stage, lobby, "absent", 12)
    async with on_discord(twin, tmp_path / "data") as stage:
        await stage.daemon.has_written("catch_up.finished")
        assert heard(stage, "absent") == 0
        await twin.troubles.finds(lounge)
        await stage.daemon.has_written("catch_up.finished", 2)
        assert heard(stage, "absent") == 12


async def test_a_guild_that_is_back_from_an_outage_is_read_back(
    twin: DiscordServer, tmp_path: Path
) -> None:
    """Over a connection that was never cut; what was asked meanwhile is answered."""
    lounge, lobby = twin.guilds["Lounge"], twin.guilds["Lounge"]["lobby"]
    async with on_discord(twin, tmp_path / "data") as stage:
        assert await stage.hears(lobby, twin.people["ana"], "bonjour")
        await stage.daemon.has_written("catch_up.finished")
        await twin.troubles.loses(lounge)
        await stage.daemon.has_written("guild.lost")
        await said_in(stage, lobby, "panne", 12)
        asked = await stage.asks(lobby, twin.people["ben"], "tu es là ?")
        await twin.troubles.finds(lounge)
        assert await stage.only_answer(lobby, twin.people["ben"], asked)
        await stage.daemon.has_written("catch_up.finished", 2)
        assert heard(stage, "panne") == 12


async def test_a_message_that_cannot_be_read_costs_no_other(
    twin: DiscordServer, tmp_path: Path
) -> None:
    """Of those that are read back with it."""
    lobby = twin.guilds["Lounge"]["lobby"]
    async with on_discord(twin, tmp_path / "data") as stage:
        assert await stage.hears(lobby, twin.people["ana"], "bonjour")
        await stage.daemon.killed()
    ids = await said_in(stage, lobby, "lot", 12)
    await twin.troubles.damages(ids[5], components=None)
    async with on_discord(twin, tmp_path / "data") as stage:
        await stage.daemon.has_written("catch_up.finished")
        assert heard(stage, "lot") == 11
        assert "lot 5" not in stage.daemon.output


async def test_a_command_whose_acknowledgement_fails_is_answered_once(
    twin: DiscordServer, tmp_path: Path
) -> None:
    """Twice is nothing; for three seconds, and the answer comes as a direct message."""
    async with on_discord(twin, tmp_path / "data") as stage:
        lobby, ana = twin.guilds["Lounge"]["lobby"], twin.people["ana"]
        direct = await twin.direct(ana)
        await twin.troubles.fails("POST", "/callback$", status=502, times=2)
        used = await twin.slash(lobby, ana, "help")
        answer = await used.answer()
        assert answer.ephemeral
        assert await twin.seen.bot_messages(direct) == []
        await twin.troubles.fails("POST", "/callback$", status=502, times=100)
        await twin.slash(lobby, ana, "help")
        await stage.daemon.has_written("answer.redirected")
        told = await twin.seen.bot_messages(direct, 1)
        assert "/help" in told[0]["content"]
        assert not any(part.get("flags", 0) & EPHEMERAL for part in told)
        assert await stage.daemon.interrupted() == 0
    texts = [part["content"] for part in await twin.seen.bot_messages(direct)]
    assert texts == [part["content"] for part in told]
    assert len(set(texts)) == len(texts)


async def test_sessions_begin_apart_whoever_begins_them(
    twin: DiscordServer, tmp_path: Path
) -> None:
    """Over a session that is void, and over a restart."""
    async with on_discord(twin, tmp_path / "data") as stage:
        await twin.troubles.drops()
        await twin.seen.identified(2)
        await stage.daemon.killed()
    async with on_discord(twin, tmp_path / "data"):
        await twin.seen.identified(3)
    begun = [int(one["at"]) for one in (await twin.seen.gateway()).identifies]
    assert all(later - earlier >= APART_MS for earlier, later in pairwise(begun))
