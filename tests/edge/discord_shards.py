"""Discord on loopback for a bot that is in thousands of guilds: many sessions, a shard each."""

import asyncio
import json
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from aiohttp import web
from discord.utils import time_snowflake

from memory.clock import SystemClock
from tests.discord_world import ADA, PET, account, membership, message
from tests.edge.discord_gateway import Gateway, answered, routed
from tests.edge.discord_guild import guild_of, text_channel
from tests.patience import PATIENCE_S

_FIRST = 10**17
"""The upper bits of numbers that Discord would give."""

ROLES = 12
"""Roles of a guild beside the one of everybody."""


def guild_number(place: int) -> int:
    """The number of a guild by its place among those of the bot: neighbours are on other shards."""
    return _FIRST + (place << 22)


def lobby_of(guild: int) -> int:
    """The number of a guild's first channel."""
    return guild + 1


def guild_described(number: int, channels: int) -> dict[str, Any]:
    """A guild as a new session is told of it."""
    look = {"color": 0, "hoist": False, "managed": False, "mentionable": False}
    roles = [
        {"id": str(number + 100 + place), "name": f"role {place}", "position": place, **look}
        | {"permissions": "0"}
        for place in range(ROLES)
    ]
    everyone = {"id": str(number), "name": "@everyone", "position": 0, **look}
    rights = {"permissions": str((1 << 10) | (1 << 11) | (1 << 16))}
    told = guild_of(
        [text_channel(lobby_of(number) + one, f"room-{one}") for one in range(channels)],
        id=str(number),
        name=f"guild {number}",
        roles=[everyone | rights, *roles],
    )
    return {**told, "unavailable": False}


@dataclass
class ShardedGateway(Gateway):
    """A Discord that advises `advises` shards for `guilds`, each with so many `rooms`.

    `required` closes with 4011 every session of fewer shards. `in_guild` are the accounts that are
    members, by guild; all others are not.
    """

    guilds: Sequence[int] = ()
    rooms: int = 1
    advises: int = 1
    required: int = 1
    max_concurrency: int = 1
    in_guild: Mapping[int, set[int]] = field(default_factory=dict)
    sent: Counter[int] = field(default_factory=Counter)
    """How many messages of the bot stand in each channel: one nonce, one message."""
    words: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    """What it said there."""
    history: dict[int, list[dict[str, Any]]] = field(default_factory=lambda: defaultdict(list))
    """What people said in each channel."""
    lookups: Counter[int] = field(default_factory=Counter)
    """How often Discord was asked about each account's membership."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._numbers = count()
        self._shards: dict[web.WebSocketResponse, tuple[int, int]] = {}
        self._sockets = set()
        self._posts: dict[tuple[int, str], dict[str, Any]] = {}

    async def says(self, guild: int, text: str, who: int = ADA, **fields: Any) -> None:
        """Somebody writes into the lobby of a guild; only its shard is told."""
        about: dict[str, Any] = {"id": self._snowflake(), "guild_id": str(guild), **fields}
        about["timestamp"] = SystemClock().now().isoformat()
        told = message(text, channel=lobby_of(guild), who=who, **about)
        self.history[lobby_of(guild)].append(told)
        await self._tells(guild, "MESSAGE_CREATE", told)

    async def says_directly(self, text: str, who: int = ADA) -> None:
        """Somebody writes to the bot alone: shard 0 is told."""
        about: dict[str, Any] = {"id": self._snowflake(), "guild_id": None}
        about["timestamp"] = SystemClock().now().isoformat()
        told = message(text, channel=direct_of(who), who=who, **about)
        await self._tells(0, "MESSAGE_CREATE", told)

    async def sent_in(self, rooms: Sequence[int], least: int = 1) -> None:
        """Wait until the bot has said something in each of these channels."""
        async with asyncio.timeout(10 * PATIENCE_S), self._news:
            await self._news.wait_for(lambda: all(self.sent[room] >= least for room in rooms))

    async def rest(self, request: web.Request) -> web.StreamResponse:
        """Answer a request."""
        path = request.path.removeprefix("/api/v10")
        parts = path.split("/")
        if path == "/gateway/bot":
            limits = {"total": 1000, "remaining": self.remaining, "reset_after": 1}
            limits["max_concurrency"] = self.max_concurrency
            known = {"url": self._gateway, "shards": self.advises}
            return answered(known | {"session_start_limit": limits})
        if request.method == "POST":
            return await self._done(parts, request)
        if parts[-1] == "messages":
            before = int(request.query.get("before", 1 << 63))
            said = [one for one in self.history[int(parts[-2])] if int(one["id"]) < before]
            return answered(said[::-1][: int(request.query["limit"])])
        if parts[-2] == "members":
            return self._member(int(parts[-3]), int(parts[-1]))
        if parts[-2] == "channels" and int(parts[-1]) < _FIRST:
            return answered(_direct(int(parts[-1]) - direct_of(0)))
        return await super().rest(request)

    async def _done(self, parts: Sequence[str], request: web.Request) -> web.Response:
        if parts[-1] == "typing":
            return web.Response(status=204)
        body = await request.json()
        if parts[-1] == "messages":
            return await self._posted(int(parts[-2]), body)
        return answered(_direct(int(body["recipient_id"])))

    async def _posted(self, room: int, body: Mapping[str, Any]) -> web.Response:
        known = (room, str(body["nonce"]))
        if body["enforce_nonce"] and known in self._posts:
            return answered(self._posts[known])
        id_, words = self._snowflake(), str(body.get("content"))
        author = account(PET, bot=True)
        told = message(words, channel=room, id=id_, guild_id=None, author=author)
        told["timestamp"] = SystemClock().now().isoformat()
        self._posts[known] = told
        self.history[room].append(told)
        self.sent[room] += 1
        self.words[room].append(words)
        await self._happened()
        return answered(told)

    def _member(self, guild: int, user: int) -> web.Response:
        self.lookups[user] += 1
        if user not in self.in_guild.get(guild, set()):
            return answered({"message": "Unknown Member", "code": 10007}, status=404)
        return answered({"user": account(user), **membership()})

    async def _begin(self, socket: web.WebSocketResponse) -> None:
        shard, total = self.identifies[-1].get("shard", (0, 1))
        if total < self.required:
            await socket.close(code=4011)
            return
        self._sockets.add(socket)
        self._shards[socket] = shard, total
        mine = [one for one in self.guilds if (one >> 22) % total == shard]
        ready = {
            "v": 10,
            "user": account(PET, bot=True),
            "guilds": [{"id": str(one), "unavailable": True} for one in mine],
            "session_id": f"session {shard}",
            "resume_gateway_url": self._gateway,
            "application": {"id": str(PET), "flags": self.flags},
            "shard": [shard, total],
        }
        await self._tell(socket, "READY", ready)
        for one in mine:
            await self._tell(socket, "GUILD_CREATE", guild_described(one, self.rooms))

    async def cuts_shard(self, number: int, code: int = 1001) -> None:
        """Close the connections of one shard."""
        for socket, (shard, _) in list(self._shards.items()):
            if shard == number:
                await socket.close(code=code)

    async def _tells(self, guild: int, event: str, data: Mapping[str, Any]) -> None:
        for socket, (shard, total) in list(self._shards.items()):
            if (guild >> 22) % total == shard and not socket.closed:
                await self._tell(socket, event, data)

    async def _tell(
        self, socket: web.WebSocketResponse, event: str, data: Mapping[str, Any]
    ) -> None:
        self._sequence += 1
        told = {"op": 0, "t": event, "s": self._sequence, "d": data}
        await socket.send_str(json.dumps(told))

    def _snowflake(self) -> str:
        return str(time_snowflake(SystemClock().now()) + next(self._numbers) % (1 << 22))


def direct_of(account: int) -> int:
    """The number of the direct channel of an account and the bot."""
    return 10**6 + account


def _direct(user: int) -> dict[str, Any]:
    recipients = [account(user)]
    return {"id": str(direct_of(user)), "type": 1, "last_message_id": None} | {
        "recipients": recipients
    }


@asynccontextmanager
async def sharded_discord(gateway: ShardedGateway) -> AsyncIterator[ShardedGateway]:
    """Serve it until left."""
    async with routed(gateway):
        yield gateway
