"""What the path needs from outside: channels to answer through, and a model to think with."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Protocol

from bot.commands.model import Answer, Choice, Command
from bot.model import Inbound, InboundEvent, Invoked, ModelReply, ModelRequest, Outgoing
from memory.model import Room

Receive = Callable[[InboundEvent], Awaitable[None]]
"""Hands an event to the inbox; returns when it is durable."""


class Hearing(Protocol):
    """Takes what happens on a platform; each call returns when that is durable."""

    async def receive(self, event: InboundEvent) -> None:
        """Take one event.

        Raises:
            StorageFailed: it could not be stored; hand it in again.

        """
        ...

    async def receive_all(self, inbounds: Sequence[Inbound]) -> object:
        """Take messages in one transaction, in order.

        Raises:
            StorageFailed: none was stored; hand them in again.

        """
        ...


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


class Platform(Channel, Protocol):
    """A channel to a service elsewhere, which comes and goes."""

    async def run(self, inbox: Hearing, desk: "Desk", connected: Callable[[], None]) -> None:
        """Be there until cancelled, whatever happens to the connection.

        `connected` is called each time a conversation with the service begins anew.
        """
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
