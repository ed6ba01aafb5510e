"""A pet that writes down what WhatsApp hands it, and that has no commands."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any

from bot.channels.whatsapp.cloud.channel import CloudChannel
from bot.channels.whatsapp.cloud.options import CloudOptions, CloudSendingRules
from bot.model.commands import Answer, Choice, Command
from bot.model.events import AuthorRef, Inbound, InboundEvent, Invoked, RoomRef
from bot.model.turns import Outgoing
from bot.model.webhooks import WebhookAnswer, WebhookRequest
from bot.ports import Host
from memory.clock import FrozenClock
from memory.model.errors import StorageFailed
from memory.model.notices import NoticeKind
from memory.model.rooms import Room, RoomId, RoomKind, RoomRole
from memory.tasks import background_task
from tests.cast import NOON
from tests.channels.whatsapp_server import NUMBER_ID, SECRET, TOKEN, WORD, signature_of
from tests.edge.discord_gateway import FirstSession, NothingAnnounced, NothingIntroduced
from tests.notices import NotedNotices
from tests.patience import PATIENCE_S


@dataclass
class WrittenDown:
    """An inbox that keeps what it is handed; it fails as often as it is told to."""

    events: list[InboundEvent] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    failures: int = 0
    error: Exception = field(default_factory=lambda: StorageFailed("The disk is full."))

    async def receive(self, event: InboundEvent) -> object:
        """Write down one event."""
        self._fail()
        self.events.append(event)
        return True

    async def receive_all(
        self, inbounds: Sequence[Inbound], *, missed_at: datetime | None = None
    ) -> object:
        """Write down messages."""
        self._fail()
        self.events += inbounds
        self.missed += [one.external_id for one in inbounds if missed_at is not None]
        return None

    def _fail(self) -> None:
        if self.failures:
            self.failures -= 1
            raise self.error


class NoCommandsHere:
    """A table without a command."""

    table: Mapping[str, Command] = MappingProxyType({})

    def admits(self, author: AuthorRef, room: RoomRef) -> bool:
        """All that come."""
        return bool(author and room)

    async def call(self, invoked: Invoked) -> Answer | None:
        """No answer."""
        del invoked
        return None

    async def complete(self, invoked: Invoked, option: str) -> Sequence[Choice]:
        """No proposal."""
        del invoked, option
        return ()


@dataclass
class OnWhatsapp:
    """A channel, and what the pet behind it was handed."""

    channel: CloudChannel
    clock: FrozenClock
    inbox: WrittenDown = field(default_factory=WrittenDown)
    notices: NotedNotices = field(default_factory=NotedNotices)
    connections: int = 0
    arrived: list[str] = field(default_factory=list)
    admins: set[str] = field(default_factory=set)

    @property
    def said(self) -> list[Inbound]:
        """The messages among what it was handed."""
        return [one for one in self.inbox.events if isinstance(one, Inbound)]

    def host(self) -> Host:
        """The pet as the channel knows it."""
        return Host(
            inbox=self.inbox,
            platform_commands=NoCommandsHere(),
            announced=NothingAnnounced(),
            session_times=FirstSession(),
            introductions=NothingIntroduced(),
            clock=self.clock,
            member_role=lambda _: None,
            connected=self._connected,
            arrived=self._arrived,
            is_admin=lambda account: account in self.admins,
            warn=self.notices.tell,
        )

    async def called(self, body: bytes, **headers: str) -> WebhookAnswer:
        """What a call is answered; signed as Meta does, unless headers say otherwise."""
        given = headers or {"x-hub-signature-256": signature_of(body)}
        named = {name.replace("_", "-"): value for name, value in given.items()}
        request = WebhookRequest(method="POST", query={}, headers=named, body=body)
        return await self.channel.webhook.answer(request)

    async def asked(self, **query: str) -> WebhookAnswer:
        """What the request is answered by which Meta finds out whose the webhook is."""
        parts = {name.replace("_", ".", 1): value for name, value in query.items()}
        request = WebhookRequest(method="GET", query=parts, headers={}, body=b"")
        return await self.channel.webhook.answer(request)

    async def sends(self, account: str, text: str, **more: Any) -> str | None:
        """Have the channel send something."""
        message = Outgoing(room=direct(account), text=text, nonce=f"n:{text}", **more)
        return await self.channel.send(message)

    async def until(self, held: Callable[[], object]) -> None:
        """Wait until something holds."""
        async with asyncio.timeout(PATIENCE_S):
            while not held():  # noqa: ASYNC110 - it tells of no change
                await asyncio.sleep(0.005)

    async def tells(self, kind: NoticeKind) -> None:
        """Wait until the owner is warned of something."""
        await self.until(lambda: self.notices.of(kind))

    def _connected(self) -> None:
        self.connections += 1

    def _arrived(self, rooms: Collection[str]) -> None:
        self.arrived += rooms


def direct(account: str) -> Room:
    """The room of an account."""
    return Room(
        id=RoomId(f"whatsapp:{account}"),
        platform="whatsapp",
        external_id=account,
        name="x",
        kind=RoomKind.DIRECT,
        role=RoomRole.PET,
    )


def options_of(url: str, **more: Any) -> CloudOptions:
    """An account on a server, which answers all."""
    rules = CloudSendingRules(face="none", waits_s=(0.01, 0.01), receipt_s=0.2)
    given: dict[str, Any] = {"allowed": ("*",), "app_secret": SECRET, "verify_token": WORD}
    known = CloudOptions(access_token=TOKEN, phone_number_id=NUMBER_ID, api_url=url, sending=rules)
    return replace(known, **{**given, **more})


@asynccontextmanager
async def on_cloud(url: str, **more: Any) -> AsyncIterator[OnWhatsapp]:
    """A channel that runs until the body ends; its clock stands at noon."""
    there = OnWhatsapp(CloudChannel(options_of(url, **more)), FrozenClock(NOON))
    async with background_task(there.channel.run(there.host()), name="whatsapp"):
        while not there.connections:  # noqa: ASYNC110 - it tells of no change
            await asyncio.sleep(0.005)
        yield there
    await there.channel.close()
