"""Discord's events, and what has to be asked for to understand them."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

import discord
import structlog

from bot.channels.discord.inbound.events import (
    EventReader,
    deleted_of,
    edited_of,
    inbound_of,
    typing_of,
)
from bot.channels.discord.inbound.rooms import Place, room_of
from bot.channels.discord.service.http import requested
from bot.errors import DeliveryFailed
from bot.model.events import InboundEvent
from memory.model.rooms import SpaceId

log = structlog.get_logger()

Event = (
    discord.Message
    | discord.RawMessageUpdateEvent
    | discord.RawMessageDeleteEvent
    | discord.RawBulkMessageDeleteEvent
    | discord.RawTypingEvent
)
"""What happens in a room."""

LIMIT_S = 10
"""Seconds to wait for what a channel is."""

LASTS_S = 300
"""Seconds it is known what a channel is that the library does not know: it may change."""

AGAIN_S = 30
"""Seconds until it is asked again what Discord did not say."""

MOST_KEPT = 256
"""Such channels that are kept in mind."""


class Interpreter:
    """Reads events with the eyes of one client.

    `spaces_of` says in which spaces an account is that writes to the pet alone.
    """

    def __init__(
        self,
        client: discord.Client,
        spaces_of: Callable[[int], Awaitable[frozenset[SpaceId]]],
        reading: EventReader,
    ) -> None:
        self._client = client
        self._spaces_of = spaces_of
        self._reading = reading
        self._found: OrderedDict[int, tuple[Place, float]] = OrderedDict()

    async def read(self, event: Event) -> Sequence[InboundEvent]:
        """An event as the inbox takes it; None for events that say nothing."""
        match event:
            case discord.Message():
                return [await self._inbound(event)]
            case discord.RawMessageUpdateEvent():
                return await self._edited(event)
            case discord.RawMessageDeleteEvent():
                return [deleted_of(event.message_id)]
            case discord.RawBulkMessageDeleteEvent():
                return [deleted_of(one) for one in sorted(event.message_ids)]
            case discord.RawTypingEvent():
                return self._typing(event)

    async def _inbound(self, message: discord.Message) -> InboundEvent:
        place = await self._place(message.channel)
        shared: frozenset[SpaceId] = frozenset()
        if isinstance(place, discord.DMChannel):
            shared = await self._spaces_of(message.author.id)
        return inbound_of(message, place, shared, self._reading)

    async def _edited(self, event: discord.RawMessageUpdateEvent) -> Sequence[InboundEvent]:
        edited = edited_of(event, self._reading)
        if edited is None:
            return []
        place = await self._place(event.message.channel)
        if isinstance(place, discord.PartialMessageable):
            return [edited]
        return [replace(edited, room=room_of(place, self._reading.guilds))]

    def _typing(self, event: discord.RawTypingEvent) -> Sequence[InboundEvent]:
        place = self._client.get_channel(event.channel_id)
        if place is None:
            return []
        return [typing_of(event, room_of(place, self._reading.guilds))]

    async def _place(self, place: Place) -> Place:
        """The channel, asked for where the library knows only its number, as of an old thread.

        It may have learnt of it since the event, as the guilds come after the first messages.
        """
        place = self._client.get_channel(place.id) or place
        if not isinstance(place, discord.PartialMessageable):
            return place
        now = asyncio.get_running_loop().time()
        found, told_at = self._found.get(place.id, (place, float("-inf")))
        if now - told_at < LASTS_S:
            return found
        return self._kept(await self._fetched(place), now)

    def _kept(self, place: Place, now: float) -> Place:
        is_unknown = isinstance(place, discord.PartialMessageable)
        self._found[place.id] = place, now - LASTS_S + AGAIN_S if is_unknown else now
        self._found.move_to_end(place.id)
        if len(self._found) > MOST_KEPT:
            self._found.popitem(last=False)
        return place

    async def _fetched(self, place: discord.PartialMessageable) -> Place:
        try:
            return await requested(self._client.fetch_channel(place.id), limit_s=LIMIT_S)
        except DeliveryFailed as error:
            log.warning("channel.missed", channel=place.id, reason=str(error))
            return place
