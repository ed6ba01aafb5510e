"""The daemon on WhatsApp's server of the tests."""

import asyncio
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from sqlite3 import connect
from typing import Any

from tests.channels.whatsapp_server import WhatsappServer
from tests.channels.whatsapp_world import WhatsappWorld
from tests.channels.world import Where, Who
from tests.patience import PATIENCE_S
from tests.peers.daemon import Daemon, awake

QUICK = {
    "EKO_COALESCING__DEBOUNCE_S": "0",
    "EKO_EMBEDDER__KIND": "none",
    "EKO_LOOPS__ANSWERS": "1000",
    "EKO_LOOPS__ROOM_ANSWERS": "10000",
    "EKO_RATES__PER_PERSON": "10000",
    "EKO_RATES__PER_ROOM": "10000",
    "EKO_WEB__ENABLED": "true",
}
"""A pet that answers at once, trusts all, and has a page, which is where it is called."""


@dataclass(frozen=True, kw_only=True)
class Stage:
    """A world, a daemon that is on it, and the folder of what that keeps."""

    world: WhatsappWorld
    daemon: Daemon
    data: Path

    @property
    def server(self) -> WhatsappServer:
        """WhatsApp."""
        return self.world.server

    def kept(self, query: str, *values: str) -> list[tuple[Any, ...]]:
        """Rows of the database, while the daemon runs."""
        with closing(connect(f"file:{self.data / 'eko.sqlite3'}?mode=ro", uri=True)) as raw:
            return raw.execute(query, values).fetchall()

    async def hears(self, who: Who, where: Where, text: str) -> str:
        """What the pet answers to what is said."""
        said = await self.world.says(who, where, text)
        return (await self.server.answer_to(said)).text

    async def marked(self, turns: int) -> None:
        """Wait until so many replies are marked as sent: a kill before that repeats one."""
        async with asyncio.timeout(PATIENCE_S):
            while self._delivered() < turns:  # noqa: ASYNC110 - a database tells of no change
                await asyncio.sleep(0.01)

    def _delivered(self) -> int:
        ((count,),) = self.kept("SELECT count(*) FROM turns WHERE state = 'delivered'")
        return int(count)

    def answers(self, message: str) -> list[str]:
        """The answers to a message so far."""
        return [one.text for one in self.server.sent if one.answers == message]


def free_port() -> int:
    """A port that is free now."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@asynccontextmanager
async def on_whatsapp(
    world: WhatsappWorld, data: Path, more: Mapping[str, str] | None = None
) -> AsyncIterator[Stage]:
    """A daemon that is connected to a world."""
    port = free_port()
    settings = {**QUICK, **world.settings, "EKO_WEB__PORT": str(port), **(more or {})}
    async with awake(data, settings) as daemon:
        await daemon.has_written(world.connected)
        await world.pet_is(f"http://127.0.0.1:{port}")
        yield Stage(world=world, daemon=daemon, data=data)
        await world.pet_is(None)
