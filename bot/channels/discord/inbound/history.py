"""What Discord's channels said before, read for the catch-up."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

import discord
import structlog
from discord.utils import snowflake_time, time_snowflake

from bot.channels.discord.inbound.events import is_said
from bot.channels.discord.inbound.rooms import PLATFORM
from bot.channels.discord.service.http import UNREADABLE, RequestRefused, requested
from bot.errors import DeliveryFailed, PastUnavailable, RoomAway, RoomUnreadable
from bot.model.events import Inbound, InboundEvent
from bot.ports import Past

log = structlog.get_logger()

T = TypeVar("T")

Read = Callable[[discord.Message], Awaitable[Sequence[InboundEvent]]]
"""Reads a message of a person as one that has just come in."""

Readable = (
    discord.TextChannel
    | discord.VoiceChannel
    | discord.StageChannel
    | discord.Thread
    | discord.DMChannel
)
"""The channels in which something is said and can be read back."""

_NEVER = frozenset({0})
"""No guild has this number: what was not refused is asked for."""

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
        # Each with the guilds that were away then: it may be of one of those.
        self._refused: dict[int, frozenset[int]] = {}

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
            RoomAway: its guild is not there now.
            PastUnavailable: Discord did not answer.

        """
        client, read = self._connected()
        channel = await self._channel(client, int(room))
        archive = _Archive(client=client, channel=channel, read=read)
        listing = _Listing()
        after = time_snowflake(start, high=True)
        before = None if end is None else time_snowflake(end, high=False)
        while listing.count < limit:
            wanted = min(PAGE, limit - listing.count)
            page = await _answered(archive.page(before, wanted))
            since = [each for each in page if each["id"] > after]
            for each in since:
                await archive.take(each, listing)
            if len(since) < wanted:
                return listing.past(start)
            before = since[-1]["id"]
        return listing.past(listing.oldest or start)

    async def _channel(self, client: discord.Client, number: int) -> Readable:
        channel = client.get_channel(number) or await self._fetched(client, number)
        if not isinstance(channel, Readable):
            raise RoomUnreadable("Nothing is said in a channel of this kind.")
        if is_away(channel):
            raise RoomAway("Its guild is not there now.")
        if not knows_rights(channel):
            raise PastUnavailable("Discord has not said what the pet may do there.")
        if not may_read(channel):
            raise RoomUnreadable("The pet has no right to read what was said there.")
        return channel

    async def _fetched(self, client: discord.Client, number: int) -> object:
        away = frozenset(guild.id for guild in client.guilds if guild.unavailable)
        if self._refused.get(number, _NEVER) <= away:
            raise RoomUnreadable("Discord has refused it before.")
        try:
            return await _answered(client.fetch_channel(number))
        except RoomUnreadable:
            self._refused[number] = away
            raise

    def _connected(self) -> tuple[discord.Client, Read]:
        if self._now is None or self._now[0].user is None or self._now[0].is_closed():
            raise PastUnavailable("There is no connection to Discord.")
        return self._now


def is_away(channel: Readable) -> bool:
    """Whether the guild of a channel has an outage, or is yet to come after the connection."""
    return channel.guild is not None and channel.guild.unavailable


def knows_rights(channel: Readable) -> bool:
    """Whether Discord has told who the pet is in the guild of a channel."""
    me: discord.Member | None = channel.guild.me if channel.guild else None
    return channel.guild is None or me is not None


def may_read(channel: Readable) -> bool:
    """Whether the pet may read what was said in a channel; in direct ones it always may.

    Without the right to, Discord does not refuse: it says that there is nothing. That must not
    be taken for everything having been deleted.
    """
    if isinstance(channel, discord.Thread) and channel.parent is None:
        return False
    if isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        may = channel.permissions_for(channel.guild.me)
        return may.view_channel and may.read_message_history
    return True


@dataclass(slots=True)
class _Listing:
    """What was listed so far, the latest first."""

    messages: list[Inbound] = field(default_factory=list)
    listed: set[str] = field(default_factory=set)
    edited: set[str] = field(default_factory=set)
    oldest: datetime | None = None
    unread: int = 0

    @property
    def count(self) -> int:
        return len(self.listed)

    def past(self, whole_from: datetime) -> Past:
        return Past(
            messages=tuple(reversed(self.messages)),
            listed=frozenset(self.listed),
            edited=frozenset(self.edited),
            whole_from=whole_from,
            unread=self.unread,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Archive:
    """What Discord lists of one channel, read message by message: one costs no other."""

    client: discord.Client
    channel: Readable
    read: Read

    async def page(self, before: int | None, wanted: int) -> list[Mapping[str, Any]]:
        """Messages as Discord has them, the latest first, each with an id."""
        page = await self.client.http.logs_from(self.channel.id, wanted, before=before)
        return [{**each, "id": int(each["id"])} for each in page]

    async def take(self, raw: Mapping[str, Any], listing: _Listing) -> None:
        """Add a message; one that cannot be read stands there all the same, and is counted."""
        listing.listed.add(str(raw["id"]))
        listing.oldest = snowflake_time(raw["id"])
        try:
            await self._taken(raw, listing)
        except UNREADABLE as error:
            listing.unread += 1
            log.warning(
                "message.misread",
                room=self.channel.id,
                message=raw["id"],
                reason=type(error).__name__,  # what it says may hold what was said
            )

    async def _taken(self, raw: Mapping[str, Any], listing: _Listing) -> None:
        data: Any = raw
        state = self.client._connection  # noqa: SLF001 - the library reads a page whole or not at all
        message = discord.Message(state=state, channel=self.channel, data=data)
        if message.edited_at is not None:
            listing.edited.add(str(message.id))
        if is_said(message):
            events = await self.read(message)
            listing.messages += [event for event in events if isinstance(event, Inbound)]


async def _answered(work: Awaitable[T]) -> T:
    """The answer to a request, with what goes wrong in the words of the catch-up."""
    try:
        return await requested(work, limit_s=LIMIT_S)
    except RequestRefused as refusal:
        raise RoomUnreadable(str(refusal)) from refusal
    except DeliveryFailed as error:
        raise PastUnavailable(str(error)) from error
