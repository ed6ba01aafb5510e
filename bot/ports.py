"""What the path needs from outside: channels to answer through, and a model to think with."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Protocol

from bot.commands.model import Answer, Choice, Command
from bot.model import InboundEvent, Invoked, ModelReply, ModelRequest, Outgoing
from memory.model import Room

Receive = Callable[[InboundEvent], Awaitable[None]]
"""Hands an event to the inbox; returns when it is durable."""


class Channel(Protocol):
    """A platform that replies go out to."""

    @property
    def platform(self) -> str:
        """The platform of the rooms this channel answers in."""
        ...

    @property
    def text_limit(self) -> int:
        """How many characters one message may have."""
        ...

    async def send(self, message: Outgoing) -> str | None:
        """Put one message into a room; the platform's id of it, where it has one.

        Raises:
            DeliveryFailed: the platform did not take it.
            DeliveryRefused: it never will.

        """
        ...

    async def show_typing(self, room: Room) -> None:
        """Show for some seconds that the pet is writing; never fails, at worst shows nothing."""
        ...


class Desk(Protocol):
    """Answers the commands that a platform has of its own."""

    @property
    def table(self) -> Mapping[str, Command]:
        """Every command by its name."""
        ...

    async def call(self, invoked: Invoked) -> Answer | None:
        """What the command says; None for one that was taken before."""
        ...

    async def complete(self, invoked: Invoked, option: str) -> Sequence[Choice]:
        """What an option can be, by what was typed of it in the arguments."""
        ...


class Model(Protocol):
    """A language model."""

    @property
    def name(self) -> str:
        """The model's name, as the ledger records it."""
        ...

    async def complete(self, request: ModelRequest) -> ModelReply:
        """One answer to one request.

        Raises:
            ModelUnavailable: unreachable, overloaded or too slow, after the adapter's own retries.
            ModelRefused: the service refuses the request as it is.

        """
        ...
