"""The Agent Platform's channel with its server on loopback: what it asks, and how often."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial

import pytest

from bot.channels.whatsapp.agent_platform.api import AgentLimits
from bot.channels.whatsapp.agent_platform.channel import (
    AgentPlatformChannel,
    AgentPlatformOptions,
    AgentWaits,
)
from bot.channels.whatsapp.agent_platform.sender import AgentSending
from bot.channels.whatsapp.plugin import WhatsappPlugin
from bot.diagnostics.report import in_chat
from bot.errors import ChannelAway, DeliveryFailed, DeliveryRefused
from bot.model.events import Inbound, InboundEvent
from bot.model.turns import Outgoing
from bot.platforms.plugin import PlatformState
from bot.ports import Host
from config.sections.whatsapp import WhatsappSettings
from memory.model.errors import StorageFailed
from memory.model.rooms import Room, RoomId, RoomKind, RoomRole
from memory.tasks import background_task
from tests.channels.whatsapp_agent_server import CREATOR, KEY, AgentServer, Refusal, agent_server
from tests.patience import PATIENCE_S

TALK = Room(
    id=RoomId(f"whatsapp:{CREATOR}"),
    platform="whatsapp",
    external_id=CREATOR,
    name="Léa",
    kind=RoomKind.DIRECT,
    role=RoomRole.PET,
)


@dataclass
class Home:
    """What a pet is to the channel: an inbox that may fail, and what is kept."""

    heard: list[InboundEvent] = field(default_factory=list)
    kept: dict[str, str] = field(default_factory=dict)
    connections: int = 0
    fails: int = 0
    faults: frozenset[str] = frozenset()

    async def receive(self, event: InboundEvent) -> bool:
        """Take an event."""
        self.heard.append(event)
        return True

    async def receive_all(
        self, inbounds: Sequence[Inbound], *, missed_at: datetime | None = None
    ) -> None:
        """Take messages, or refuse all of them."""
        del missed_at
        if self.fails:
            self.fails -= 1
            raise StorageFailed("The disk is full.")
        if any(one.text in self.faults for one in inbounds):
            raise LookupError("a fault of this program's")
        self.heard += inbounds

    async def last(self, account: str) -> str | None:
        """What was kept last."""
        return self.kept.get(account)

    async def keep(self, account: str, fingerprint: str) -> None:
        """Keep it."""
        self.kept[account] = fingerprint

    def connected(self) -> None:
        """Count it."""
        self.connections += 1

    def now(self) -> datetime:
        """The time."""
        return datetime.now(UTC)

    def has(self, events: int) -> bool:
        """Whether it was told so much."""
        return len(self.heard) == events

    @property
    def texts(self) -> list[str]:
        """The words it was told."""
        return [one.text for one in self.heard if isinstance(one, Inbound)]

    @property
    def host(self) -> Host:
        """The same as a Host; a channel that asks for anything else fails."""
        missing: object = None
        return Host(
            inbox=self,
            platform_commands=missing,  # type: ignore[arg-type]
            announced=self,
            session_times=missing,  # type: ignore[arg-type]
            introductions=missing,  # type: ignore[arg-type]
            clock=self,
            member_role=lambda _space: None,
            connected=self.connected,
            arrived=lambda _rooms: None,
        )


@pytest.fixture
async def server() -> AsyncIterator[AgentServer]:
    """An agent that was just made."""
    async with agent_server() as opened:
        yield opened


def channel_on(server: AgentServer, **more: object) -> AgentPlatformChannel:
    """A channel that loses no time, and whose limits a test does not reach."""
    chosen: dict[str, object] = {
        "key": KEY,
        "api_url": server.url,
        "limits": AgentLimits(sends=1000, polls=1000),
        "sending": AgentSending(face=False, unsure_s=0.2),
        "waits": AgentWaits(slow_s=0.05, replaced_s=0.02, first_s=0.01, longest_s=0.02, kept_s=0),
    }
    return AgentPlatformChannel(AgentPlatformOptions(**(chosen | more)))  # type: ignore[arg-type]


@asynccontextmanager
async def polling(channel: AgentPlatformChannel, home: Home) -> AsyncIterator[None]:
    """A channel that is there, until the body ends."""
    async with background_task(channel.run(home.host), name="agent"):
        await until(lambda: home.connections > 0)
        yield
    await channel.close()


async def until(condition: Callable[[], bool]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            if condition():
                return
            await asyncio.sleep(0.005)


def said(text: str, answers: str | None = None) -> Outgoing:
    """A message of the pet's."""
    return Outgoing(room=TALK, text=text, nonce=text, answers=answers)


async def test_the_published_limits_are_kept_by_the_asker(server: AgentServer) -> None:
    """Twelve sendings and five polls at once; what is more waits, and the server refuses none."""
    server.limits = {"updates": 15, "messages": 12}
    home, channel = Home(), channel_on(server, limits=AgentLimits())
    async with polling(channel, home), asyncio.TaskGroup() as group:
        for number in range(20):
            group.create_task(_sent(channel, f"{number}"))
            await server.says(f"{number}")
        await until(lambda: len(server.sent) == 12)
        await asyncio.sleep(0.3)
        asked = [path for _, path, _ in server.asked]
        assert asked.count("messages") == 12
        assert asked.count("updates") <= 6
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            if task.get_name().startswith("sending"):
                task.cancel()
    assert [one.text for one in server.sent] == [f"{number}" for number in range(12)]
    assert all(status != 429 for _, _, status in server.asked)


async def _sent(channel: AgentPlatformChannel, text: str) -> None:
    task = asyncio.current_task()
    assert task is not None
    task.set_name(f"sending {text}")
    with suppress(asyncio.CancelledError):
        await channel.send(said(text))


async def test_what_could_not_be_stored_comes_again_and_nothing_after_it_before(
    server: AgentServer,
) -> None:
    """The cursor waits for the disk; a message that is a fault of ours costs itself alone."""
    home = Home(fails=3, faults=frozenset({"two"}))
    await server.says("one")
    await server.says("two")
    await server.says("three")
    async with polling(channel_on(server), home):
        await until(lambda: len(home.heard) == 2)
        await server.says("four")
        await until(lambda: len(home.heard) == 3)
    assert home.texts == ["one", "three", "four"]
    assert home.fails == 0


async def test_a_second_start_goes_on_where_the_first_one_was(server: AgentServer) -> None:
    """By what was kept of the offset, and by the account that was the first to write."""
    home = Home()
    await server.says("long ago", ago_s=2 * 86400)
    await server.says("just now")
    async with polling(channel_on(server), home):
        await until(lambda: home.texts == ["just now"])
    await server.says("a stranger", account="user:1")
    await server.says("two days ago, meanwhile", ago_s=2 * 86400)
    async with polling(channel_on(server), home):
        await until(lambda: len(home.heard) == 2)
    assert home.texts == ["just now", "two days ago, meanwhile"]
    (kept,) = home.kept.values()
    assert CREATOR not in kept
    assert KEY not in str(home.kept)


async def test_polls_that_are_refused_for_now_lose_nothing(server: AgentServer) -> None:
    """Too many, faults of the server, cuts: it waits, asks from the same place, and hears all."""
    home = Home()
    async with polling(channel_on(server), home):
        for number, status in enumerate((429, 500, 503, 302, 404, 409)):
            server.refuses("updates", 2, Refusal(status=status, retry_after_s=0.01))
            server.cuts = 1
            await server.cut_everything()
            await server.says(f"{number}")
            await until(partial(home.has, number + 1))
    assert home.texts == [f"{number}" for number in range(6)]


async def test_hostile_bodies_end_nothing(server: AgentServer) -> None:
    """No JSON, no object, numbers that no machine has, and nests a thousand deep."""
    home = Home()
    server.junk.extend(
        [
            b"<html>",
            b"[]",
            b"",
            b"\xff\xfe",
            b'{"next_offset": 1e999, "entry": 7}',
            b"[" * 5000,
            b'{"next_offset": ' + b"9" * 5000 + b"}",
            b'{"entry": [{"changes": [{"value": {"messages": [{"id": "\\ud800"}, null, 3]}}]}]}',
        ]
    )
    async with polling(channel_on(server), home):
        await server.says("bonjour")
        await until(lambda: home.texts == ["bonjour"])
    assert not server.junk


async def test_a_sending_without_an_answer_is_told_by_its_receipt(server: AgentServer) -> None:
    """It was taken: its id is that of the receipt, and it is not sent a second time."""
    home, channel = Home(), channel_on(server, sending=AgentSending(unsure_s=PATIENCE_S))
    async with polling(channel, home):
        await channel.send(said("un"))
        server.loses = 1
        assert await channel.send(said("deux")) == server.sent[1].id
        assert await channel.send(said("trois")) == server.sent[2].id
        server.loses, server.reachable = 1, False
    assert [one.text for one in server.sent] == ["un", "deux", "trois"]


async def test_without_a_receipt_it_counts_as_not_taken(server: AgentServer) -> None:
    """The telephone is off: whether it was taken cannot be known, and it is kept."""
    home, channel = Home(), channel_on(server)
    async with polling(channel, home):
        server.loses, server.reachable = 1, False
        with pytest.raises(DeliveryFailed):
            await channel.send(said("un"))
        before = home.connections
        await server.says("encore")
        await until(lambda: home.connections > before)


@pytest.mark.parametrize(
    ("refusal", "raised"),
    [
        (Refusal(status=403, code=131005), DeliveryRefused),
        (Refusal(status=400, code=131009), DeliveryRefused),
        (Refusal(status=400, code=100), DeliveryFailed),
        (Refusal(status=401, code=190), ChannelAway),
        (Refusal(status=503, code=131016), DeliveryFailed),
        (Refusal(status=500, code=2), DeliveryFailed),
    ],
)
async def test_what_a_refusal_means(
    server: AgentServer, refusal: Refusal, raised: type[DeliveryFailed]
) -> None:
    """What is about the key or the load is kept; what is about the message is given up."""
    channel = channel_on(server)
    async with polling(channel, Home()):
        server.refuses("messages", 1, refusal)
        with pytest.raises(DeliveryFailed) as caught:
            await channel.send(said("un"))
        assert type(caught.value) is raised or not issubclass(raised, DeliveryRefused)
        assert isinstance(caught.value, raised)
        assert not isinstance(caught.value, DeliveryRefused) or raised is DeliveryRefused
        assert KEY not in str(caught.value)


async def test_writing_is_shown_once_in_a_while_and_only_as_an_answer(server: AgentServer) -> None:
    """It marks as read what is stored; before anything was said there is nothing to mark."""
    home, channel = Home(), channel_on(server)
    async with polling(channel, home):
        await channel.show_typing(TALK)
        first = await server.says("bonjour")
        await until(lambda: len(home.heard) == 1)
        for _ in range(3):
            await channel.show_typing(TALK)
        second = await server.says("encore")
        await until(lambda: len(home.heard) == 2)
        server.refuses("statuses", 1, Refusal(status=503))
        await channel.show_typing(TALK)
    assert server.typed == [first]
    assert second not in server.read


async def test_a_picture_is_fetched_by_its_id(server: AgentServer) -> None:
    """What is too large, unknown or no id of a file is not there."""
    server.files["m1"] = ("image/png", b"\x89PNG" + bytes(20))
    channel = channel_on(server)
    assert channel.files is not None
    assert await channel.files.fetch("media:m1", 100) == b"\x89PNG" + bytes(20)
    assert await channel.files.fetch("media:m1", 10) is None
    assert await channel.files.fetch("media:m2", 100) is None
    assert await channel.files.fetch("https://evil.example/m1", 100) is None
    await channel.close()


@pytest.mark.parametrize(
    ("connected", "key", "refusal", "told"),
    [
        (True, KEY, None, "✓ whatsapp: connected as an agent, answers its creator alone"),
        (False, KEY, None, "• whatsapp: the agent's key works; not connected now"),
        (False, "old", None, "✗ whatsapp: the agent's key is refused"),
        (False, KEY, Refusal(status=409), "✗ whatsapp: another program asks for the messages"),
        (False, KEY, Refusal(status=429), "✗ whatsapp: takes no more requests for now"),
        (False, KEY, Refusal(status=500), "✗ whatsapp: does not answer"),
    ],
)
async def test_the_doctor_says_what_to_do(
    server: AgentServer, *, connected: bool, key: str, refusal: Refusal | None, told: str
) -> None:
    """A pet that is there is not disturbed by a poll of the doctor's."""
    if refusal is not None:
        server.refuses("updates", 1, refusal)
    section = WhatsappSettings(agent_key=key, agent_api_url=server.url)
    finding = await WhatsappPlugin().look(section, PlatformState(connected=connected))
    assert in_chat(finding, "en").startswith(told)
    assert in_chat(finding, "fr")
    assert len(server.asked) == (0 if connected else 1)
