"""Discord on loopback for one bot: logging in, a gateway, and whatever goes wrong with it."""

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import pytest
from aiohttp import WSMsgType, web
from discord.http import Route

from bot.channels.discord.channel import DiscordChannel
from bot.channels.discord.connection import DiscordOptions
from bot.model.events import Inbound, InboundEvent, RoomRef
from bot.model.shards import ShardRange
from bot.ports import Host
from memory.clock import SystemClock
from memory.model.errors import StorageFailed
from memory.model.people import AccountId
from memory.model.rooms import Room, SpaceId
from memory.tasks import background_task
from tests.discord_world import PET, account, guild
from tests.edge.discord_guild import GUILD
from tests.patience import PATIENCE_S

CONTENT = 1 << 19
"""The flag of a small application that may read messages."""

MESSAGE_CONTENT = 1 << 15
"""The intent that asks for it."""


@dataclass
class Gateway:
    """What was said to Discord, and how it behaves; `closes` are codes for the next greetings.

    `refuses` are codes for the next who say who they are, `members` the accounts that are in the
    guild, `known_token` the only one that is not refused.
    """

    flags: int = CONTENT
    closes: deque[int] = field(default_factory=deque)
    refuses: deque[int] = field(default_factory=deque)
    known_token: str = "token"
    is_ill: bool = False
    """Whether it fails whatever it is asked about members and channels."""
    members: set[int] = field(default_factory=set)
    roles: list[str] = field(default_factory=list)
    """The roles that members have."""
    channels: dict[str, Any] = field(default_factory=dict)
    identifies: list[dict[str, Any]] = field(default_factory=list)
    resumes: list[dict[str, Any]] = field(default_factory=list)
    logins: int = 0
    asked: list[str] = field(default_factory=list)
    url: str = ""
    remaining: int = 1
    """How many conversations may be begun yet."""
    tells_guild: bool = True
    """Whether a conversation begins with the guild; else it comes when it is told."""
    early: Sequence[tuple[str, Mapping[str, Any]]] = ()
    """Events between the beginning of a conversation and the guilds."""

    apart: timedelta = timedelta(0)
    """How long a session must begin after the last one."""
    too_soon: int = 0
    """How many did not."""

    def __post_init__(self) -> None:
        self._last_s = float("-inf")
        self._sockets: set[web.WebSocketResponse] = set()
        self._news = asyncio.Condition()
        self._sequence = 0

    async def tells(self, event: str, data: Mapping[str, Any]) -> None:
        """Something happens."""
        self._sequence += 1
        await self.frame(json.dumps({"op": 0, "t": event, "s": self._sequence, "d": data}))

    async def frame(self, text: str) -> None:
        """Any frame, to everybody who listens."""
        for socket in list(self._sockets):
            await socket.send_str(text)

    async def cuts(self, code: int = 1001) -> None:
        """Close all connections."""
        for socket in list(self._sockets):
            await socket.close(code=code)

    async def identified(self, count: int) -> None:
        """Wait until clients have said that often who they are."""
        await self._until(lambda: len(self.identifies) >= count)

    async def resumed(self, count: int) -> None:
        """Wait until clients have gone on that often."""
        await self._until(lambda: len(self.resumes) >= count)

    async def logged_in(self, count: int) -> None:
        """Wait until that many have come, with a good token or not."""
        await self._until(lambda: self.logins >= count)

    async def _until(self, holds: Any) -> None:
        async with asyncio.timeout(PATIENCE_S), self._news:
            await self._news.wait_for(holds)

    async def _happened(self) -> None:
        async with self._news:
            self._news.notify_all()

    async def rest(self, request: web.Request) -> web.StreamResponse:
        """Answer a request."""
        path = request.path.removeprefix("/api/v10")
        self.asked.append(f"{request.method} {path}")
        if path == "/users/@me":
            return await self._login(request)
        if path == "/oauth2/applications/@me":
            return answered(_application(self.flags))
        if path == "/gateway/bot":
            limits = {"total": 1, "remaining": self.remaining, "reset_after": 1}
            found = {
                "url": self._gateway,
                "shards": 1,
                "session_start_limit": limits | {"max_concurrency": 1},
            }
            return answered(found)
        if path.endswith("/commands"):
            return answered([])
        return self._looked_up(path.split("/"))

    async def _login(self, request: web.Request) -> web.Response:
        self.logins += 1
        await self._happened()
        if request.headers["authorization"] != f"Bot {self.known_token}":
            return answered({"message": "401: Unauthorized", "code": 0}, status=401)
        return answered(account(PET, bot=True))

    def _looked_up(self, parts: Sequence[str]) -> web.Response:
        if self.is_ill:
            return answered({"message": "ill", "code": 0}, status=500)
        if parts[-2] == "members" and int(parts[-1]) in self.members:
            joined = {"roles": self.roles, "joined_at": "2026-01-01T00:00:00+00:00", "flags": 0}
            member = {"user": account(int(parts[-1])), "deaf": False, "mute": False, **joined}
            return answered(member)
        if parts[-2] == "channels" and parts[-1] in self.channels:
            return answered(self.channels[parts[-1]])
        return answered({"message": "Unknown", "code": 10003}, status=404)

    @property
    def _gateway(self) -> str:
        return self.url.replace("http", "ws") + "/gateway"

    async def listen(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one connection to the gateway."""
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        if self.closes:
            await socket.close(code=self.closes.popleft())
            return socket
        await socket.send_json({"op": 10, "d": {"heartbeat_interval": 41250}})
        async for message in socket:
            if message.type is WSMsgType.TEXT:
                await self._said(socket, message.json())
        self._sockets.discard(socket)
        return socket

    async def _said(self, socket: web.WebSocketResponse, said: Mapping[str, Any]) -> None:
        if said["op"] == 1:
            await socket.send_json({"op": 11})
        elif said["op"] == 2:
            self.identifies.append(dict(said["d"]))
            now_s = asyncio.get_running_loop().time()
            self.too_soon += now_s - self._last_s < self.apart.total_seconds()
            self._last_s = now_s
            await self._begin(socket)
        elif said["op"] == 6:
            self.resumes.append(dict(said["d"]))
            self._sockets.add(socket)
            await self.tells("RESUMED", {})
        await self._happened()

    async def _begin(self, socket: web.WebSocketResponse) -> None:
        if self.refuses:
            await socket.close(code=self.refuses.popleft())
            return
        self._sockets.add(socket)
        ready = {
            "v": 10,
            "user": account(PET, bot=True),
            "guilds": [{"id": str(GUILD), "unavailable": True}],
            "session_id": "session",
            "resume_gateway_url": self._gateway,
            "application": {"id": str(PET), "flags": self.flags},
        }
        await self.tells("READY", ready)
        for event, data in self.early:
            await self.tells(event, data)
        if self.tells_guild:
            await self.tells("GUILD_CREATE", {**guild(), "unavailable": False})


def answered(body: object, status: int = 200) -> web.Response:
    """What the library takes for JSON: its type has no character set."""
    headers = {"content-type": "application/json"}
    return web.Response(body=json.dumps(body).encode(), status=status, headers=headers)


def _application(flags: int) -> dict[str, Any]:
    owner = {"id": "77", "username": "Zoe", "discriminator": "0", "avatar": None}
    about = {"id": str(PET), "name": "Eko", "description": "", "icon": None, "summary": ""}
    bot = {"hook": True, "bot_public": True, "bot_require_code_grant": False, "verify_key": ""}
    return {**about, **bot, "flags": flags, "owner": owner}


@dataclass
class Notebook:
    """The Hearing port as a list; it fails the next `failures` times with `error`."""

    events: list[InboundEvent] = field(default_factory=list)
    together: list[int] = field(default_factory=list)
    """How many messages came at a time."""
    failures: int = 0
    error: Exception = field(default_factory=lambda: StorageFailed("The disk is full."))
    poison: str | None = None
    """A text that cannot be kept."""

    def __post_init__(self) -> None:
        self._news = asyncio.Condition()

    @property
    def texts(self) -> list[str]:
        """What was said, in order."""
        return [event.text for event in self.events if isinstance(event, Inbound)]

    async def receive(self, event: InboundEvent) -> None:
        """Write down one event."""
        await self._write([event])

    async def receive_all(
        self, inbounds: Sequence[Inbound], *, missed_at: datetime | None = None
    ) -> object:
        """Write down messages."""
        del missed_at
        self.together.append(len(inbounds))
        await self._write(inbounds)
        return None

    async def hears(self, count: int) -> list[InboundEvent]:
        """Wait until there are that many events."""
        async with asyncio.timeout(PATIENCE_S), self._news:
            await self._news.wait_for(lambda: len(self.events) >= count)
        return self.events

    async def _write(self, events: Sequence[InboundEvent]) -> None:
        if self.failures:
            self.failures -= 1
            raise self.error
        if any(isinstance(one, Inbound) and one.text == self.poison for one in events):
            raise ValueError(self.poison)
        self.events.extend(events)
        async with self._news:
            self._news.notify_all()


class NoCommands:
    """A platform without commands."""

    table: Mapping[str, Any] = {}

    def admits(self, *_: Any) -> bool:
        """Anything."""
        return True

    async def call(self, _: Any) -> None:
        """Nobody asks."""

    async def complete(self, *_: Any) -> Sequence[Any]:
        """Nothing to propose."""
        return ()


class NothingAnnounced:
    """Every platform was told nothing yet."""

    async def last(self, _: str) -> str | None:
        """Nothing."""
        return None

    async def keep(self, *_: str) -> None:
        """Forgotten at once."""


class FirstSession:
    """No session was begun before this process."""

    async def last(self, _: str) -> None:
        """None."""

    async def keep(self, *_: object) -> None:
        """For no other process."""


class NothingIntroduced:
    """No community was told who the pet is, and none is to be."""

    async def take(self, *_: object) -> bool:
        """Not to be told."""
        return False

    async def give_back(self, _: SpaceId) -> None:
        """Nothing to give back."""

    def room(self, ref: RoomRef) -> Room:
        """Never asked for."""
        raise NotImplementedError(ref)


@dataclass
class There:
    """A channel that runs, and what it hears."""

    gateway: Gateway
    notebook: Notebook
    channel: DiscordChannel
    arrivals: list[int] = field(default_factory=list)
    """How many events were heard before each time that it was connected."""
    returned: list[set[str]] = field(default_factory=list)
    """The channels that were there again while it was connected."""

    everyone: str | None = None
    """The role that was chosen to stand for everybody."""

    spoken: set[SpaceId] = field(default_factory=set)
    """The communities in which every account has said something."""

    def __post_init__(self) -> None:
        self._connected = asyncio.Event()

    async def spoken_in(self, account: AccountId) -> frozenset[SpaceId]:
        """The same for all."""
        del account
        return frozenset(self.spoken)

    def connected(self) -> None:
        """Count it."""
        self.arrivals.append(len(self.notebook.events))
        self._connected.set()

    def arrived(self, rooms: Collection[str]) -> None:
        """Note them."""
        self.returned.append(set(rooms))
        self._connected.set()

    async def sees_return(self, count: int = 1) -> None:
        """Wait until guilds have come back that often."""
        async with asyncio.timeout(PATIENCE_S):
            while len(self.returned) < count:
                await self._connected.wait()
                self._connected.clear()

    async def is_connected(self, count: int = 1) -> None:
        """Wait until it was connected that often."""
        async with asyncio.timeout(PATIENCE_S):
            while len(self.arrivals) < count:
                await self._connected.wait()
                self._connected.clear()


@asynccontextmanager
async def discord_on_loopback() -> AsyncIterator[Gateway]:
    """A Discord of its own."""
    gateway = Gateway()
    async with routed(gateway):
        yield gateway


@asynccontextmanager
async def routed(gateway: Gateway) -> AsyncIterator[None]:
    """Serve a Discord until left."""
    app = web.Application()
    app.router.add_get("/gateway/", gateway.listen)
    app.router.add_get("/gateway", gateway.listen)
    app.router.add_route("*", "/{path:.*}", gateway.rest)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    gateway.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield
    finally:
        await gateway.cuts()
        await runner.cleanup()


@asynccontextmanager
async def running(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch, shards: ShardRange | None = None
) -> AsyncIterator[There]:
    """A channel to that Discord, until left; its waits are short."""
    monkeypatch.setattr(Route, "BASE", Route.BASE)  # undone at the end
    monkeypatch.setattr("bot.platforms.backoff.Backoff.failed", lambda _: 0.01)
    monkeypatch.setattr("bot.channels.discord.client.GUILDS_S", 0.05)
    monkeypatch.setattr("bot.channels.discord.identify_gate.APART", gateway.apart * 3)
    api_url = f"{gateway.url}/api/v10"
    options = DiscordOptions(
        token="token", pet_name="Eko", greets=False, api_url=api_url, shards=shards
    )
    there = There(gateway, Notebook(), DiscordChannel(options))
    about = Host(
        inbox=there.notebook,
        platform_commands=NoCommands(),
        announced=NothingAnnounced(),
        session_times=FirstSession(),
        introductions=NothingIntroduced(),
        clock=SystemClock(),
        member_role=lambda _: there.everyone,
        connected=there.connected,
        arrived=there.arrived,
        spoken_in=there.spoken_in,
    )
    async with background_task(there.channel.run(about), name="discord"):
        yield there
