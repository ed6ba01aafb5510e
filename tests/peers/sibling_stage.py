"""A pet of two processes on a Discord of three guilds: who is where, and what is kept."""

import json
import socket
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from sqlite3 import connect
from typing import Any

from tests.discord_world import ADA, BEN, PET, account
from tests.edge.discord_shards import (
    ShardedGateway,
    direct_of,
    guild_number,
    lobby_of,
    sharded_discord,
)
from tests.harness.waiting import comes
from tests.patience import PATIENCE_S
from tests.peers.daemon import Daemon, running
from tests.peers.discord_stage import QUICK

HERE, THERE, STRANGE = (guild_number(place) for place in (0, 1, 3))
"""Ada and Ben are in the first, which process 0 has, and in the second, of process 1. The third is
of process 1 too, and Ben alone is in it."""

MEMBERS = {HERE: {ADA, BEN}, THERE: {ADA, BEN}, STRANGE: {BEN}}

KEY = "a-key-that-only-the-processes-of-the-tests-have"


@dataclass
class Family:
    """The processes of one pet, by the number of their shard."""

    gateway: ShardedGateway
    folder: Path
    ports: Sequence[int]
    keys: Mapping[int, str] = field(default_factory=dict)
    daemons: dict[int, Daemon] = field(default_factory=dict)

    def data(self, place: int) -> Path:
        """The folder of a process."""
        return self.folder / f"data-{place}"

    @asynccontextmanager
    async def process(self, place: int) -> AsyncIterator[Daemon]:
        """One of the processes, once it is on Discord and its page answers."""
        others = [
            f"http://127.0.0.1:{port}" for other, port in enumerate(self.ports) if other != place
        ]
        settings = QUICK | {
            "EKO_DISCORD__TOKEN": self.gateway.known_token,
            "EKO_DISCORD__API_URL": f"{self.gateway.url}/api/v10",
            "EKO_DISCORD__SIBLINGS": json.dumps(others),
            "EKO_DISCORD__SIBLING_KEY": self.keys.get(place, KEY),
            "EKO_WEB__ENABLED": "true",
            "EKO_WEB__PORT": str(self.ports[place]),
            "EKO_LOG__LEVEL": "debug",
            "TMPDIR": str(self.folder),
        }
        shards = f"{place}/{len(self.ports)}"
        async with running(self.data(place), settings, "run", "--shards", shards) as daemon:
            self.daemons[place] = daemon
            await daemon.has_written("discord.connected")
            await daemon.has_written("is awake")
            yield daemon

    async def tells(self, guild: int, who: int, text: str) -> None:
        """Say something to the pet in a guild, and wait for its answer."""
        before = self.gateway.sent[lobby_of(guild)]
        called = [account(PET, bot=True)]
        await self.gateway.says(guild, f"<@{PET}> {text}", who=who, mentions=called)
        await self.gateway.sent_in([lobby_of(guild)], before + 1)

    async def alone(self, who: int, text: str) -> str:
        """What the pet answers to words in private."""
        room = direct_of(who)
        before = self.gateway.sent[room]
        await self.gateway.says_directly(text, who=who)
        await self.gateway.sent_in([room], before + 1)
        return self.gateway.words[room][-1]

    def kept(self, place: int, query: str, *values: str) -> list[tuple[Any, ...]]:
        """Rows of the database of a process."""
        path = self.data(place) / "eko.sqlite3"
        with closing(connect(f"file:{path}?mode=ro", uri=True)) as raw:
            return raw.execute(query, values).fetchall()

    async def comes_to_hold(self, place: int, query: str, *values: str) -> None:
        """Wait until a query of one figure gives something but 0."""
        assert await comes(lambda: bool(self.kept(place, query, *values)[0][0]), PATIENCE_S)


@asynccontextmanager
async def family(folder: Path, keys: Mapping[int, str] | None = None) -> AsyncIterator[Family]:
    """A Discord, and what is needed to start the processes of a pet on it."""
    gateway = ShardedGateway(
        guilds=[HERE, THERE, STRANGE], rooms=2, remaining=1000, advises=2, in_guild=MEMBERS
    )
    async with sharded_discord(gateway):
        yield Family(gateway, folder, [_free_port(), _free_port()], keys or {})


@asynccontextmanager
async def both(folder: Path) -> AsyncIterator[Family]:
    """Both processes of a pet, running."""
    async with AsyncExitStack() as stack:
        pet = await stack.enter_async_context(family(folder))
        for place in (0, 1):
            await stack.enter_async_context(pet.process(place))
        yield pet


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])
