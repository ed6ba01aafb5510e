"""The daemon on the Discord server of the tests: who says what to it, and what it answers once."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from sqlite3 import connect
from typing import Any

from tests.patience import PATIENCE_S
from tests.peers.daemon import Daemon, awake
from tests.peers.discord_control import Channel, Person
from tests.peers.discord_server import DiscordServer

QUICK = {
    "EKO_COALESCING__DEBOUNCE_S": "0",
    "EKO_DISCORD__EXPRESSION": "none",
    "EKO_DISCORD__GREETING": "false",
    "EKO_LOOPS__ANSWERS": "1000",
    "EKO_LOOPS__ROOM_ANSWERS": "10000",
    "EKO_RATES__PER_PERSON": "10000",
    "EKO_RATES__PER_ROOM": "10000",
    "EKO_RATES__READ_PER_PERSON": "10000",
    "EKO_RECALL__DEADLINE_MS": "10000",
    "EKO_RECALL__EMBED_TIMEOUT_MS": "30000",
}
"""A pet that answers at once, searches to the end, shows no face, greets no guild, trusts all."""

MANAGER = 1 << 5
"""The permission to manage a guild."""

Message = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Stage:
    """A server, a daemon that is on it, and the folder of what that keeps."""

    twin: DiscordServer
    daemon: Daemon
    data: Path

    async def asks(self, channel: Channel, person: Person, text: str, **how: Any) -> str:
        """Say something to the pet, by its mention; the message's id."""
        return await self.twin.says(channel, person, text, mentions=[self.twin.bot], **how)

    async def answer(self, channel: Channel, message: str) -> Message:
        """What the pet replied to a message, once it has.

        Raises:
            TimeoutError: it did not.

        """
        seen = 0
        async with asyncio.timeout(PATIENCE_S):
            while True:
                said = await self.twin.seen.bot_messages(channel, seen, PATIENCE_S)
                if found := [one for one in said if answered_by(one) == message]:
                    return found[0]
                seen = len(said) + 1

    async def only_answer(self, channel: Channel, person: Person, message: str) -> str:
        """The words of the pet's only reply to a message of this person.

        One person's messages in one room are answered one after the other: once something that
        was said later is answered, no second reply can follow.
        """
        await self.answer(channel, message)
        await self.is_done(channel, person)
        (only,) = await self.answers(channel, message)
        return str(only["content"])

    async def answers(self, channel: Channel, message: str) -> list[Message]:
        """The replies to a message so far."""
        said = await self.twin.seen.bot_messages(channel)
        return [one for one in said if answered_by(one) == message]

    async def is_done(self, channel: Channel, person: Person) -> None:
        """Wait until everything this person said here before is dealt with."""
        later = await self.asks(channel, person, "bonjour")
        await self.answer(channel, later)

    async def hears(self, channel: Channel, person: Person, text: str) -> str:
        """What it answers to a question that is put to it by its mention, once."""
        return await self.only_answer(channel, person, await self.asks(channel, person, text))

    async def hears_in_private(self, person: Person, text: str) -> str:
        """What it answers to a question in the direct channel, once."""
        channel = await self.twin.direct(person)
        asked = await self.twin.says(channel, person, text)
        return await self.only_answer(channel, person, asked)

    def kept(self, query: str, *values: str) -> list[tuple[Any, ...]]:
        """Rows of the database, while the daemon runs."""
        return rows(self.data, query, *values)


def answered_by(message: Message) -> str | None:
    """The id of the message that this one replies to."""
    about = message.get("message_reference") or {}
    found = about.get("message_id")
    return None if found is None else str(found)


def rows(data: Path, query: str, *values: str) -> list[tuple[Any, ...]]:
    """Rows of a database, whether or not a daemon has it."""
    with closing(connect(f"file:{data / 'eko.sqlite3'}?mode=ro", uri=True)) as raw:
        return raw.execute(query, values).fetchall()


@asynccontextmanager
async def on_discord(
    twin: DiscordServer, data: Path, settings: Mapping[str, str] | None = None
) -> AsyncIterator[Stage]:
    """A daemon that hears what is said and has synced its commands; Cleo looks after it."""
    admins = {"EKO_ADMINS__IDENTITIES": json.dumps([f"discord:{twin.people['cleo'].id}"])}
    async with awake(data, QUICK | admins | twin.settings | dict(settings or {})) as daemon:
        await daemon.has_written("discord.connected")
        await twin.seen.listens()
        await twin.seen.commands(count=1)
        yield Stage(twin=twin, daemon=daemon, data=data)
