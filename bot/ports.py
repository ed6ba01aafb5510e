"""What the path needs from outside: channels to answer through, and a model to think with."""

from collections.abc import Awaitable, Callable
from typing import Protocol

from bot.model import InboundEvent, ModelReply, ModelRequest, Reply
from memory.model import Room

Receive = Callable[[InboundEvent], Awaitable[None]]
"""Hands an event to the inbox; returns when it is durable."""


class Channel(Protocol):
    """A platform: events in, replies out."""

    @property
    def platform(self) -> str:
        """The platform of the rooms this channel answers in."""
        ...

    @property
    def text_limit(self) -> int:
        """How many characters one message may have."""
        ...

    async def run(self, receive: Receive) -> None:
        """Deliver events until cancelled."""
        ...

    async def send(self, room: Room, reply: Reply, *, nonce: str) -> None:
        """Put one message into a room; the same nonce is shown once.

        Raises:
            DeliveryFailed: the platform did not take it.

        """
        ...

    async def show_typing(self, room: Room) -> None:
        """Show that the pet is writing; never fails, at worst shows nothing."""
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
