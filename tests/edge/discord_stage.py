"""Commands whose answers a test decides, used on Discord."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.channels.discord.channel import LONGEST_PAGE
from bot.channels.discord.inbound.rooms import GuildRules
from bot.channels.discord.interactions import responses
from bot.channels.discord.interactions.buttons import BUTTONS
from bot.channels.discord.interactions.direct_answer import DirectAnswers
from bot.channels.discord.interactions.handler import Interactions
from bot.channels.discord.interactions.invocation import InvocationReader
from bot.channels.discord.outbound.sender import Sender, SendingRules
from bot.conversation.rooms import RoomRegistryRules
from bot.model.commands import (
    Answer,
    Authority,
    Call,
    Caller,
    Choice,
    Command,
    Option,
    OptionKind,
)
from bot.platforms.paged_answer import PagedAnswers
from bot.platforms.pages import PageStore
from memory.model.rooms import SpaceId
from tests.edge.discord_interacting import (
    GUILD,
    Rest,
    click,
    logged_in,
    slash,
)
from tests.flow.calling import dispatcher_on, register_on
from tests.storage import StorageParts, open_truth

TWO = {"en": "x", "fr": "x"}


async def spaces_of(_account: int) -> frozenset[SpaceId]:
    """Whoever asks shares one guild with the pet."""
    return frozenset({SpaceId(f"discord:{GUILD}")})


@dataclass
class Stage:
    """Commands whose answers a test decides, and Discord on both sides of them."""

    client: discord.Client
    rest: Rest
    storage: StorageParts
    interactions: Interactions = field(init=False)
    calls: list[Call] = field(default_factory=list)
    says: Answer = field(default_factory=lambda: Answer(text="said"))
    gate: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self, call: Call) -> Answer:
        """Keep the call, wait for the gate, answer."""
        self.calls.append(call)
        await self.gate.wait()
        return self.says

    async def fail(self, call: Call) -> Answer:
        """Keep the call and break."""
        self.calls.append(call)
        raise RuntimeError("broken")

    async def complete(self, caller: Caller, typed: str) -> Sequence[Choice]:
        """What was typed, three times over."""
        await self.gate.wait()
        del caller
        return [Choice(label=f"{typed} {n}", value=f"{typed}-{n}") for n in range(3)]

    def table(self) -> list[Command]:
        """The commands."""
        what = Option(name="what", summary=TWO, complete=self.complete)
        sure = Option(name="sure", summary=TWO, kind=OptionKind.FLAG)
        token = Option(name="token", summary=TWO, kind=OptionKind.WORD, shown=False)
        return [
            Command(name="ask", summary=TWO, run=self.run, options=(what, sure, token)),
            Command(name="box set", summary=TWO, run=self.run, needs=Authority.SPACE),
            Command(name="fail", summary=TWO, run=self.fail),
        ]

    async def slash(
        self, words: str, options: dict[str, object] | None = None, **more: Any
    ) -> None:
        """Somebody uses a command."""
        await self.interactions.take(slash(self.client, words, options, **more))

    async def click(self, carried: str, **more: Any) -> None:
        """Somebody clicks a button."""
        await self.interactions.take(click(self.client, carried, **more))


@asynccontextmanager
async def staged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Stage]:
    """The dispatcher over real tables, before Discord on loopback."""
    monkeypatch.setattr(responses, "AGAIN_S", 0.01)
    monkeypatch.setattr(responses, "EDIT_WAITS_S", (0.01, 0.01))
    async with open_truth(tmp_path) as storage, logged_in(monkeypatch) as (rest, client):
        invoking = InvocationReader(GuildRules(), spaces_of, locale="en")
        pages = PagedAnswers(PageStore(storage.clock), BUTTONS.split, LONGEST_PAGE)
        register = register_on(storage, RoomRegistryRules(names=("Eko",)))
        one = Stage(client=client, rest=rest, storage=storage)
        dispatcher = dispatcher_on(storage, register, one.table())
        one.interactions = Interactions(
            dispatcher, invoking, pages, DirectAnswers(Sender(client, SendingRules()))
        )
        one.gate.set()
        yield one
