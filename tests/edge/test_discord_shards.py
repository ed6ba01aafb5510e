"""Many shards in one process: all guilds are heard once, and a shard that is cut costs itself."""

from collections import Counter
from pathlib import Path

import pytest
import structlog

from bot.channels.discord import channel as channel_module
from bot.channels.discord.channel import sentence_of
from bot.channels.discord.findings import Trouble
from bot.channels.discord.identify_gate import LONGEST_QUEUE, MachineQueue
from bot.channels.discord.inbound.membership import MOST_ASKED
from bot.channels.discord.inbound.rooms import space_of
from bot.model.events import Inbound
from bot.model.shards import ShardRange
from bot.platforms import channel_elsewhere
from bot.topics.health.measurements import sessions_of
from memory.model.rooms import SpaceId
from tests.cast import NOON
from tests.discord_world import ADA
from tests.edge.discord_gateway import There, running
from tests.edge.discord_shards import ShardedGateway, guild_number, sharded_discord

MOST_BYTES = 100_000
"""Of memory a guild with fifteen channels and a dozen roles may take."""

pytestmark = pytest.mark.usefixtures("own_turns")


@pytest.fixture
def own_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The turns of this test's processes are its own."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


def heard_in(there: There) -> Counter[SpaceId]:
    """How many messages were heard in each community."""
    heard = (one for one in there.notebook.events if isinstance(one, Inbound))
    return Counter(one.room.space for one in heard if one.room.space is not None)


async def test_2600_guilds_are_heard_once_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """On as many shards as Discord advises, with sane memory for a guild."""
    guilds = [guild_number(place) for place in range(2600)]
    gateway = ShardedGateway(guilds=guilds, rooms=15, advises=3, required=2, remaining=3)
    before = _resident_bytes()
    async with sharded_discord(gateway), running(gateway, monkeypatch) as there:
        await there.is_connected()
        assert there.channel.sessions == (3, 3)
        assert (_resident_bytes() - before) / len(guilds) < MOST_BYTES
        for guild in guilds:
            await gateway.says(guild, "hello")
        await there.notebook.hears(len(guilds))
        assert heard_in(there) == Counter(map(space_of, guilds))
    assert [one["shard"] for one in gateway.identifies] == [[0, 3], [1, 3], [2, 3]]
    assert len(there.arrivals) == 1


async def test_a_process_has_its_shards_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """It says which to Discord; of the other guilds it hears nothing, even if it were told."""
    guilds = [guild_number(place) for place in range(16)]
    gateway = ShardedGateway(guilds=guilds, remaining=4)
    chosen = ShardRange.parsed("1-2/4")
    async with sharded_discord(gateway), running(gateway, monkeypatch, chosen) as there:
        await there.is_connected()
        gateway._shards = dict.fromkeys(gateway._shards, (0, 1))  # tells all of them all
        for guild in guilds:
            await gateway.says(guild, "hello")
        await gateway.says_directly("hello")
        mine = [one for one in guilds if (one >> 22) % 4 in {1, 2}]
        await there.notebook.hears(2 * len(mine))
    assert heard_in(there) == Counter([*map(space_of, mine)] * 2)
    assert [one["shard"] for one in gateway.identifies] == [[1, 4], [2, 4]]


async def test_sessions_of_one_bucket_begin_apart_and_others_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Discord says how many buckets there are."""
    gateway = ShardedGateway(guilds=[guild_number(0)], advises=6, remaining=6, max_concurrency=3)
    waits: list[str] = []

    async def passed(_gate: object, account: str) -> None:
        waits.append(account.rpartition(":")[2])

    monkeypatch.setattr("bot.channels.discord.identify_gate.IdentifyGate.passed", passed)
    async with sharded_discord(gateway), running(gateway, monkeypatch) as there:
        await there.is_connected()
    assert sorted(waits) == ["1", "1", "2", "2", "7", "7"]  # bucket 0 goes by the account alone


async def test_a_shard_that_is_cut_goes_on_while_the_others_hear(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its session is resumed; one that Discord ends is begun anew and its guilds are read back."""
    guilds = [guild_number(place) for place in range(6)]
    gateway = ShardedGateway(guilds=guilds, advises=3, remaining=9)
    async with sharded_discord(gateway), running(gateway, monkeypatch) as there:
        await there.is_connected()
        await gateway.cuts_shard(1)
        await gateway.says(guilds[0], "hello")
        await gateway.resumed(1)
        assert [one["session_id"] for one in gateway.resumes] == ["session 1"]
        for socket, (shard, _) in list(gateway._shards.items()):
            if shard == 2 and not socket.closed:
                await socket.send_json({"op": 9, "d": False, "s": None, "t": None})
        await there.sees_return()
        assert gateway.identifies[-1]["shard"] == [2, 3]
        await gateway.says(guilds[2], "hello")
        await there.notebook.hears(2)
    assert heard_in(there) == Counter([space_of(guilds[0]), space_of(guilds[2])])
    assert len(there.arrivals) == 1


async def test_too_few_shards_are_counted_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the number was left to Discord: the pet was invited by more guilds since."""
    monkeypatch.setattr(channel_module, "_RECOUNT_S", 0.01)
    gateway = ShardedGateway(guilds=[guild_number(0)], advises=1, required=2, remaining=9)
    async with sharded_discord(gateway), running(gateway, monkeypatch) as there:
        await gateway.identified(1)
        gateway.advises = 2
        await there.is_connected()
        assert [one.value for one in sessions_of([there.channel])] == [2, 2]


async def test_too_few_chosen_shards_are_said_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In the log once, and to the doctor for as long as it is so."""
    monkeypatch.setattr(channel_elsewhere, "SLOW_S", 0.01)
    gateway = ShardedGateway(guilds=[guild_number(0)], required=4, remaining=9)
    chosen = ShardRange.parsed("0-1/2")
    with structlog.testing.capture_logs() as logs:
        async with sharded_discord(gateway), running(gateway, monkeypatch, chosen) as there:
            await gateway.identified(3)
            troubles = [there.channel.trouble]
            gateway.required = 2
            await there.is_connected()
            troubles.append(there.channel.trouble)
    said = [log["reason"] for log in logs if log["event"] == "discord.refused"]
    assert troubles == [Trouble.FEW_SHARDS, None]
    assert said == [sentence_of(Trouble.FEW_SHARDS)]
    assert "choose a larger number after the slash" in said[0]


async def test_of_very_many_guilds_only_those_are_asked_where_an_account_spoke(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Thousands of requests for one direct message would be answered late or never."""
    guilds = [guild_number(place) for place in range(MOST_ASKED + 1)]
    gateway = ShardedGateway(guilds=guilds, in_guild={one: {ADA} for one in guilds})
    async with sharded_discord(gateway), running(gateway, monkeypatch) as there:
        await there.is_connected()
        there.spoken = {space_of(guilds[0]), space_of(guilds[5]), SpaceId("discord:404")}
        await gateway.says_directly("hello")
        [heard] = await there.notebook.hears(1)
        assert isinstance(heard, Inbound)
        assert heard.spaces == {space_of(guilds[0]), space_of(guilds[5])}
        assert gateway.lookups[ADA] == 2


def test_processes_of_one_machine_take_turns(tmp_path: Path) -> None:
    """Each account has a queue; a turn far ahead is of a clock that was set since."""
    queue = MachineQueue(tmp_path)
    turns = [queue.take("discord:7", NOON) for _ in range(3)]
    assert [(turn - NOON).total_seconds() for turn in turns] == [0, 5.5, 11]
    assert queue.take("discord:8", NOON) == NOON
    assert MachineQueue(tmp_path).take("discord:7", NOON + LONGEST_QUEUE) == NOON + LONGEST_QUEUE
    assert queue.take("discord:7", NOON - LONGEST_QUEUE) == NOON - LONGEST_QUEUE


def _resident_bytes() -> int:
    for line in Path("/proc/self/status").read_text("ascii").splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) * 1024
    raise LookupError("VmRSS")
