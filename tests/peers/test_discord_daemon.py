"""The daemon as a process, on a Discord server that others wrote: it hears, answers and stays."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from itertools import groupby
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S
from tests.peers.daemon import Daemon, awake, kept
from tests.peers.discord_control import Channel, Person
from tests.peers.discord_server import (
    DiscordServer,
    Launcher,
    fresh_discord,
    running_launcher,
)

BURST, CHANNELS = 2000, 20
QUICK = {
    "EKO_EMBEDDER__KIND": "none",
    "EKO_COALESCING__DEBOUNCE_S": "0",
    "EKO_LOCALE": "en",
    "EKO_RATES__READ_PER_PERSON": "10000",
    "EKO_RATES__READ_PER_ROOM": "10000",
}


@pytest.fixture(scope="module")
def launcher() -> Iterator[Launcher]:
    """One process for every test of this file."""
    with running_launcher() as running:
        yield running


@pytest.fixture
async def twin(launcher: Launcher) -> AsyncIterator[DiscordServer]:
    """A server at its beginning for every test."""
    async with fresh_discord(launcher) as server:
        yield server


@pytest.fixture
async def daemon(twin: DiscordServer, tmp_path: Path) -> AsyncIterator[Daemon]:
    """A daemon that is connected, and stops well in the end."""
    async with awake(tmp_path, {**QUICK, **twin.settings}) as running:
        await running.has_written("discord.connected")
        yield running
        assert await running.interrupted() == 0, running.output


@pytest.fixture
def lobby(twin: DiscordServer) -> Channel:
    """A channel that everybody sees."""
    return twin.guilds["Lounge"]["lobby"]


@pytest.fixture
def ana(twin: DiscordServer) -> Person:
    """Somebody there."""
    return twin.people["ana"]


async def are_kept(folder: Path, count: int) -> None:
    """Wait until that many messages are stored."""
    async with asyncio.timeout(PATIENCE_S):
        found = 0
        while found < count:
            ((found,),) = await asyncio.to_thread(kept, folder, "SELECT count(*) FROM messages")


async def test_the_lobby_is_observed_and_a_mention_answered(
    twin: DiscordServer, daemon: Daemon, tmp_path: Path, lobby: Channel, ana: Person
) -> None:
    """The answer stands under the message that asked, and there is one."""
    del daemon
    await twin.says(lobby, ana, "I leave for Greece tomorrow")
    asked = await twin.says(lobby, ana, "hello!", mentions=[twin.bot])
    [answer] = await twin.seen.bot_messages(lobby, 1)
    assert answer["message_reference"]["message_id"] == asked
    query = "SELECT text, handling FROM messages WHERE platform = 'discord' ORDER BY id LIMIT 2"
    (first, observed), (_, answered) = kept(tmp_path, query)
    assert (first, observed) == ("I leave for Greece tomorrow", "observed")
    assert answered in {"pending", "answered"}


async def test_a_message_that_is_told_twice_is_answered_once(
    twin: DiscordServer, daemon: Daemon, lobby: Channel, ana: Person
) -> None:
    """Discord may repeat what it tells."""
    asked = await twin.says(lobby, ana, "hello!", mentions=[twin.bot])
    await twin.seen.bot_messages(lobby, 1)
    await twin.troubles.repeats(asked)
    await twin.says(lobby, ana, "and now?", mentions=[twin.bot])
    await twin.seen.bot_messages(lobby, 2)
    await daemon.has_written("turn.replied", times=2)
    assert len(await twin.seen.bot_messages(lobby)) == 2


async def test_a_reply_that_discord_did_not_take_is_sent_on_the_next_connection(
    twin: DiscordServer, daemon: Daemon, lobby: Channel, ana: Person
) -> None:
    """Once."""
    await twin.troubles.fails("POST", "/messages$", status=503, times=3)
    await twin.says(lobby, ana, "hello!", mentions=[twin.bot])
    await daemon.has_written("turn.replied")  # after the last try: faults that repeat are not told
    await twin.troubles.drops()
    await twin.seen.bot_messages(lobby, 1)
    await daemon.has_written("discord.connected", times=2)
    assert len(await twin.seen.bot_messages(lobby)) == 1


async def test_it_starts_while_discord_is_away_and_comes_when_that_is_back(
    twin: DiscordServer, tmp_path: Path, lobby: Channel, ana: Person
) -> None:
    """Everything else is there at once."""
    async with twin.troubles.away():
        process = awake(tmp_path, {**QUICK, **twin.settings})
        daemon = await process.__aenter__()
        await daemon.has_written("discord.lost")
    try:
        await daemon.has_written("discord.connected")
        await twin.says(lobby, ana, "hello!", mentions=[twin.bot])
        await twin.seen.bot_messages(lobby, 1)
        assert await daemon.interrupted() == 0, daemon.output
    finally:
        await process.__aexit__(None, None, None)


async def test_it_goes_on_after_nonsense_hang_ups_and_drops(
    twin: DiscordServer, daemon: Daemon, lobby: Channel, ana: Person
) -> None:
    """Whatever ends a connection, there is another."""
    await twin.troubles.sends_raw("{nonsense")
    await twin.troubles.sends_event("MESSAGE_CREATE", {"id": "1"})
    await twin.says(lobby, ana, "hello!", mentions=[twin.bot])
    await twin.seen.bot_messages(lobby, 1)
    await twin.troubles.hangs_up(2)
    await twin.troubles.drops(1011)
    await daemon.has_written("discord.connected", times=2)
    await twin.says(lobby, ana, "still there?", mentions=[twin.bot])
    await twin.seen.bot_messages(lobby, 2)


async def test_without_the_content_intent_mentions_and_direct_messages_are_answered(
    twin: DiscordServer, tmp_path: Path, lobby: Channel, ana: Person
) -> None:
    """It says where to switch the intent on."""
    await twin.troubles.withholds_content()
    async with awake(tmp_path, {**QUICK, **twin.settings}) as daemon:
        await daemon.has_written("Message Content Intent")
        await daemon.has_written("discord.connected")
        await twin.says(lobby, ana, "hello!", mentions=[twin.bot])
        await twin.seen.bot_messages(lobby, 1)
        direct = await twin.direct(ana)
        await twin.says(direct, ana, "hello!")
        await twin.seen.bot_messages(direct, 1)
        assert await daemon.interrupted() == 0, daemon.output


async def test_a_burst_is_stored_whole_and_in_order(
    twin: DiscordServer, daemon: Daemon, tmp_path: Path
) -> None:
    """Over many channels, on one connection that shows life all the time."""
    burst = await twin.burst(twin.guilds["Lounge"], messages=BURST, channels=CHANNELS)
    await are_kept(tmp_path, BURST)
    rows = kept(tmp_path, "SELECT room_id, external_id FROM messages ORDER BY room_id, id")
    assert {external_id for _, external_id in rows} == set(burst.ids)
    for _, room in groupby(rows, lambda row: row[0]):
        ids = [int(external_id) for _, external_id in room]
        assert ids == sorted(ids)
    assert "discord.disconnected" not in daemon.output
