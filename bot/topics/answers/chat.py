"""`eko chat`: the terminal's seat in a room, wherever the pet runs."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from datetime import datetime
from typing import Any

from bot.channels.local.console import Seat, converse
from bot.channels.local.ports import LocalEvent, Missed, Shown, Writing
from bot.errors import BotError, NobodyListens
from bot.model.turns import Expression
from bot.surfaces.terminal.connection import OperationRunner, connect
from bot.surfaces.values import Event
from config.settings import Settings
from memory.model.linking import Account
from memory.model.messages import AuthorKind


async def chat(settings: Settings, name: str, *, lobby: bool) -> None:
    """Talk on the standard streams, through the running daemon or with the pet opened here."""
    async with connect(settings, "eko chat", resuming=True) as caller:
        accounts = await _accounts(caller, name)
        talk = OperationsTalk(caller, name, lobby=lobby)
        await converse(talk, seat=Seat(name, accounts, settings.pet.name), locale=settings.locale)


class OperationsTalk:
    """The Talk port over the operations `say` and `listen`."""

    def __init__(self, caller: OperationRunner, name: str, *, lobby: bool) -> None:
        self._caller = caller
        self._seat = {"name": name, "room": "lobby" if lobby else None}

    async def say(self, text: str) -> None:
        """Say one message; returns when it is durable.

        Raises:
            BotError: it was not taken; the sentence says why.

        """
        async for event in self._caller.call("say", {**self._seat, "text": text}):
            if "error" in event:
                raise NotSaid(event["error"])

    @asynccontextmanager
    async def events(self) -> AsyncIterator[AsyncIterator[LocalEvent]]:
        """What appears in the room from now on, until left."""
        stream: Any = self._caller.call("listen", self._seat)
        async with aclosing(stream):
            first = await anext(stream, {"error": "The pet went away."})
            if "error" in first:
                raise NobodyListens(first["error"])
            async with aclosing(_events(stream)) as events:
                yield events


async def _accounts(caller: OperationRunner, name: str) -> tuple[Account, ...]:
    """The accounts that are one person with this one; none when it was never heard."""
    async for event in caller.call("accounts", {"name": name}):
        if "error" in event:
            raise NobodyListens(event["error"])
        return tuple(Account(platform=p, name=n) for p, n in event["result"]["accounts"])
    raise NobodyListens("The pet went away.")


class NotSaid(BotError):
    """Words were not taken."""


async def _events(stream: AsyncIterator[Event]) -> AsyncGenerator[LocalEvent, None]:
    async for event in stream:
        if "progress" not in event:
            return
        yield _event(event["progress"])


def _event(told: Event) -> LocalEvent:
    """An event of a room from its JSON, see `talking`."""
    if "shown" in told:
        return Shown(
            key=told["key"],
            kind=AuthorKind(told["kind"]),
            author=told["author"],
            text=told["shown"],
            sent_at=datetime.fromisoformat(told["at"]),
            expression=Expression(told["expression"]) if told["expression"] else None,
            mine=told["mine"],
        )
    if told["event"] == "writing":
        return Writing(kind=AuthorKind(told["kind"]), author=told["author"])
    return Missed()
