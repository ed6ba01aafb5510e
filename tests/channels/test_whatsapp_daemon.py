"""The daemon, as a process, on WhatsApp's Cloud API."""

import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio

from tests.channels.whatsapp_server import WhatsappServer
from tests.channels.whatsapp_world import CUSTOMERS, WhatsappWorld, open_whatsapp_world
from tests.channels.world import Where, Who
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

LEA, TOM = CUSTOMERS[Who.LEA], CUSTOMERS[Who.TOM]


@dataclass(frozen=True, kw_only=True)
class Stage:
    """A world, and a daemon that is on it."""

    world: WhatsappWorld
    daemon: Daemon

    @property
    def server(self) -> WhatsappServer:
        """WhatsApp."""
        return self.world.server

    async def hears(self, who: Who, where: Where, text: str) -> str:
        """What the pet answers to what is said."""
        said = await self.world.says(who, where, text)
        return (await self.server.answer_to(said)).text


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
        yield Stage(world=world, daemon=daemon)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    """One world and one daemon for the tests of this file that kill none."""
    async with (
        open_whatsapp_world() as world,
        on_whatsapp(world, tmp_path_factory.mktemp("wa") / "data") as found,
    ):
        yield found


@pytest.mark.asyncio(loop_scope="module")
async def test_what_is_said_is_answered_as_a_reply(stage: Stage) -> None:
    """To a person whose number is known, and to one whose number never comes."""
    assert await stage.hears(Who.LEA, Where.LEA_DIRECT, "Remember that my cat is called Mistigri.")
    assert "Mistigri" in await stage.hears(Who.LEA, Where.LEA_DIRECT, "What is my cat called?")
    assert await stage.hears(Who.TOM, Where.TOM_DIRECT, "Hello!")
    assert {one["recipient"] for one in (sent.body for sent in stage.server.sent)} == {
        LEA.user_id,
        TOM.user_id,
    }
