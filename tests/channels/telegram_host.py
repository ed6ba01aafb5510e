"""A pet that writes down what Telegram tells it, and that has no commands."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from bot.channels.telegram.channel import TelegramChannel
from bot.channels.telegram.options import TelegramOptions
from bot.channels.telegram.service.api import HttpBotApi
from bot.model.events import Inbound, InboundEvent
from bot.ports import Host
from memory.clock import SystemClock
from memory.model.errors import StorageFailed
from memory.model.rooms import Room, RoomId, RoomKind, RoomRole
from memory.tasks import background_task
from tests.channels.telegram_server import TOKEN, TelegramServer
from tests.channels.telegram_world import TelegramWorld
from tests.edge.discord_gateway import (
    FirstSession,
    NoCommands,
    NothingAnnounced,
    NothingIntroduced,
)
from tests.notices import NotedNotices
from tests.patience import PATIENCE_S


@dataclass
class Heard:
    """The Hearing port as lists; it fails the next `failures` times."""

    events: list[InboundEvent] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    failures: int = 0

    async def receive(self, event: InboundEvent) -> None:
        """Keep one event."""
        self._fail()
        self.events.append(event)

    async def receive_all(self, inbounds: Sequence[Inbound], *, missed_at: object = None) -> None:
        """Keep messages, and which of them were missed."""
        self._fail()
        self.events += inbounds
        self.missed += [one.text for one in inbounds if missed_at is not None]

    @property
    def texts(self) -> list[str]:
        """What was said, in order."""
        return [one.text for one in self.events if isinstance(one, Inbound)]

    def _fail(self) -> None:
        if self.failures:
            self.failures -= 1
            raise StorageFailed("The disk is full.")


@dataclass
class Running:
    """A channel that runs in a world, and what it hears."""

    world: TelegramWorld
    channel: TelegramChannel
    heard: Heard
    arrived: list[set[str]] = field(default_factory=list)
    notices: NotedNotices = field(default_factory=NotedNotices)
    began: int = 0

    def begins(self) -> None:
        """Count a conversation."""
        self.began += 1

    @property
    def server(self) -> TelegramServer:
        """The server of the world."""
        return self.world.server

    def has_heard(self, text: str) -> bool:
        """Whether this was said."""
        return text in self.heard.texts

    async def until(self, held: Callable[[], object]) -> None:
        """Wait until something holds."""
        async with asyncio.timeout(PATIENCE_S):
            while not held():  # noqa: ASYNC110 - what is waited for is on a server
                await asyncio.sleep(0.01)


@asynccontextmanager
async def connected(
    world: TelegramWorld, heard: Heard | None = None, rooms: Sequence[Room] = (), **chosen: Any
) -> AsyncIterator[Running]:
    """A channel on the server of a world."""
    token = chosen.pop("token", TOKEN)
    options = TelegramOptions(
        token=token, pet_name="Eko", face="none", api_url=world.url, greets=False, **chosen
    )
    api = HttpBotApi(token, world.url)
    running = Running(world, TelegramChannel(options, api), heard or Heard())

    def arrived(names: Collection[str]) -> None:
        running.arrived.append(set(names))

    async def groups() -> Sequence[Room]:
        return rooms

    host = Host(
        inbox=running.heard,
        platform_commands=NoCommands(),
        announced=NothingAnnounced(),
        session_times=FirstSession(),
        introductions=NothingIntroduced(),
        clock=SystemClock(),
        member_role=lambda _: None,
        connected=running.begins,
        arrived=arrived,
        warn=running.notices.tell,
        groups=groups,
    )
    async with background_task(running.channel.run(host), name="telegram"):
        yield running
    await api.close()


def room(id_: str, kind: RoomKind = RoomKind.DIRECT) -> Room:
    """A room of Telegram's."""
    return Room(
        id=RoomId(f"telegram:{id_}"),
        platform="telegram",
        external_id=id_,
        name="",
        kind=kind,
        role=RoomRole.PET,
    )
