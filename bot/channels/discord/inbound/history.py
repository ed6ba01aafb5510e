"""What Discord's channels said before, read for the catch-up."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

import discord

from bot.channels.discord.http import RequestRefused, requested
from bot.channels.discord.inbound.events import is_said
from bot.channels.discord.inbound.rooms import PLATFORM
from bot.errors import DeliveryFailed, PastUnavailable, RoomUnreadable
from bot.model.events import Inbound, InboundEvent
from bot.ports import Past

T = TypeVar("T")

Read = Callable[[discord.Message], Awaitable[Sequence[InboundEvent]]]
"""Reads a message of a person as one that has just come in."""

PAGE = 100
"""Messages that Discord lists in one answer, at most."""

LIMIT_S = 30
"""Seconds for one answer, waits that Discord asks for included."""


class DiscordPast:
    """The past of Discord's channels, over the client that it follows now."""

    def __init__(self) -> None:
        self._now: tuple[discord.Client, Read] | None = None
        # Asked about all rooms of a guild it was taken out of, time and again, Discord would shut
        # out this machine (10,000 refused requests in ten minutes); those that it lists are known.
        self._refused: set[int] = set()

    def follow(self, client: discord.Client, read: Read) -> None:
        """Ask by this client from now on, and read messages with its eyes."""
        self._now = client, read

    @property
    def platform(self) -> str:
        """The platform of the rooms."""
        return PLATFORM

    async def threads(self) -> Mapping[str, str]:
        """The threads that are open, and the channels they hang under, by their ids."""
        return {
            str(thread.id): str(thread.parent_id)
            for guild in self._connected()[0].guilds
            for thread in guild.threads
        }

    async def said(self, room: str, start: datetime, end: datetime | None, limit: int) -> Past:
        """What a channel said after `start` and before `end`, the latest `limit` messages of it.

        Raises:
            RoomUnreadable: it is gone, or the pet may not read it any more.
            PastUnavailable: Discord did not answer.

        """
        client, read = self._connected()
        channel = await self._channel(client, int(room))
        listing = _Listing()
        before: datetime | discord.Object | None = end
        while listing.count < limit:
            wanted = min(PAGE, limit - listing.count)
            page = await _answered(_page(channel, start, before, wanted))
            await _take(page, listing, read)
            if len(page) < wanted:
                return listing.past(start)
            before = discord.Object(page[-1].id)
        return listing.past(listing.oldest or start)

    async def _channel(self, client: discord.Client, number: int) -> discord.abc.Messageable:
        channel = client.get_channel(number) or await self._fetched(client, number)
        if not isinstance(channel, discord.abc.Messageable):
            raise RoomUnreadable("Nothing is said in a channel of this kind.")
        if not may_read(channel):
            raise RoomUnreadable("The pet has no right to read what was said there.")
        return channel

    async def _fetched(self, client: discord.Client, number: int) -> object:
        if number in self._refused:
            raise RoomUnreadable("Discord has refused it before.")
        try:
            return await _answered(client.fetch_channel(number))
        except RoomUnreadable:
            self._refused.add(number)
            raise

    def _connected(self) -> tuple[discord.Client, Read]:
        if self._now is None or self._now[0].user is None or self._now[0].is_closed():
            raise PastUnavailable("There is no connection to Discord.")
        return self._now


def may_read(channel: discord.abc.Messageable) -> bool:
    """Whether the pet may read what was said in a channel; in direct ones it always may.

    Without the right to, Discord does not refuse: it says that there is nothing. That must not
    be taken for everything having been deleted.
    """
    if isinstance(channel, discord.Thread) and channel.parent is None:
        return False
    if isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        me: discord.Member | None = channel.guild.me
        may = None if me is None else channel.permissions_for(me)
        return may is not None and may.view_channel and may.read_message_history
    return isinstance(channel, discord.DMChannel)


@dataclass(slots=True)
class _Listing:
    """What was listed so far, the latest first."""

    messages: list[Inbound] = field(default_factory=list)
    listed: set[str] = field(default_factory=set)
    edited: set[str] = field(default_factory=set)
    oldest: datetime | None = None

    @property
    def count(self) -> int:
        return len(self.listed)

    def past(self, whole_from: datetime) -> Past:
        return Past(
            messages=tuple(reversed(self.messages)),
            listed=frozenset(self.listed),
            edited=frozenset(self.edited),
            whole_from=whole_from,
        )


async def _take(page: Sequence[discord.Message], listing: _Listing, read: Read) -> None:
    """Take a page, the latest first."""
    for message in page:
        listing.listed.add(str(message.id))
        listing.oldest = message.created_at
        if message.edited_at is not None:
            listing.edited.add(str(message.id))
        if is_said(message):
            events = await read(message)
            listing.messages += [event for event in events if isinstance(event, Inbound)]


async def _page(
    channel: discord.abc.Messageable,
    start: datetime,
    before: datetime | discord.Object | None,
    wanted: int,
) -> list[discord.Message]:
    history = channel.history(limit=wanted, after=start, before=before, oldest_first=False)
    return [message async for message in history]


async def _answered(work: Awaitable[T]) -> T:
    """The answer to a request, with what goes wrong in the words of the catch-up."""
    try:
        return await requested(work, limit_s=LIMIT_S)
    except RequestRefused as refusal:
        raise RoomUnreadable(str(refusal)) from refusal
    except DeliveryFailed as error:
        raise PastUnavailable(str(error)) from error
