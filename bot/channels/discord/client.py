"""One life of the connection to Discord: what it listens to, and how it reads."""

import asyncio
from contextlib import suppress
from typing import Any, Protocol

import aiohttp
import discord
import structlog
import yarl
from discord.gateway import DiscordWebSocket, ReconnectWebSocket

from bot.channels.discord.inbound.events import is_said
from bot.channels.discord.inbound.interpreter import Event
from bot.channels.discord.interactions.invocation import Interaction
from bot.channels.discord.service.http import UNREADABLE
from bot.platforms.backoff import Backoff

log = structlog.get_logger()

HELLO_S = 60
"""Seconds for the gateway to greet."""

MOST_UNREAD = 20
"""Events in a row that cannot be read before it is a matter of the connection."""

MOST_RESUMED = 6
"""Tries to go on with a conversation before another is begun: about half a minute."""

YIELD_EVERY = 10
"""Events that are read before others have their turn: a burst must not hold up the pet."""

GUILDS_S = 2.0
"""Seconds without news of another guild until all of them are taken to be known."""

MOST_EARLY = 2000
"""Events that are held until it is known where they happened."""

EARLY_S = 5.0
"""Seconds to wait for that before one more is read."""

_CUT = (OSError, aiohttp.ClientError, TimeoutError)

discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # the pet has no voice


class ConnectionGone(Exception):
    """The conversation cannot be gone on with; another has to be begun."""


class EventSink(Protocol):
    """Who is told what happens."""

    def heard(self, room: int, event: Event) -> None:
        """Something happened in the room of this number."""
        ...

    async def wait_for_space(self) -> None:
        """Wait for some seconds at most, while too much waits."""
        ...

    async def may_begin(self) -> None:
        """Wait until a session may begin."""
        ...

    async def asked(self, interaction: Interaction) -> None:
        """Take the use of a command or a button."""
        ...

    def began(self) -> None:
        """A new gateway session: the guilds are known, and no event of it came yet."""
        ...

    async def settled(self) -> None:
        """The same, after everything was told that happened meanwhile."""
        ...

    async def joined(self, guild: discord.Guild) -> None:
        """The pet was invited to this guild."""
        ...

    async def arrived(self, guild: discord.Guild) -> None:
        """A guild that was not there is: it came late, or back from an outage."""
        ...

    def left(self, guild: int) -> None:
        """The pet is no member of this guild any more."""
        ...


def intents(*, content: bool) -> discord.Intents:
    """What Discord is asked to tell; `content` needs a permission of its own."""
    return discord.Intents(
        guilds=True,
        guild_messages=True,
        dm_messages=True,
        guild_typing=True,
        dm_typing=True,
        message_content=content,
    )


def may_read_content(flags: discord.ApplicationFlags) -> bool:
    """Whether an application, of many servers or of few, is shown all that is said in guilds."""
    return flags.gateway_message_content or flags.gateway_message_content_limited


class GatewayClient(discord.Client):
    """Keeps nothing but guilds and channels, and tells everything to its sink, in order."""

    def __init__(self, sink: EventSink, *, content: bool) -> None:
        super().__init__(
            intents=intents(content=content),
            max_messages=None,
            chunk_guilds_at_startup=False,
            guild_ready_timeout=GUILDS_S,
            member_cache_flags=discord.MemberCacheFlags.none(),
            allowed_mentions=discord.AllowedMentions.none(),
        )
        self._sink = sink
        self._early: list[tuple[int, Event]] | None = []
        self._away: set[int] = set()
        self._backoff = Backoff(first_s=1, longest_s=16, healthy_s=60)
        self._cuts = 0
        self._unread = 0
        self._reads = 0

    async def connect(self, *, reconnect: bool = True) -> None:
        """Listen; a conversation that was cut is gone on with, after waits that grow.

        The library's own loop reads a burst without giving way, ends at one malformed event,
        waits a quarter of an hour after some failures and not at all after others.

        Raises:
            ConnectionGone: another client is needed.
            discord.ConnectionClosed: Discord says by a code why it will not talk.

        """
        session = await self._anew(initial=True)
        while True:
            try:
                await self._listen(session)
            except ReconnectWebSocket as cut:
                session = self._resumed() if cut.resume else await self._anew(initial=False)
            except _CUT:
                session = self._resumed()
            if not reconnect:
                raise ConnectionGone("The connection was cut.")
            await self._pause()

    async def before_identify_hook(self, _shard: int | None, *, initial: bool = False) -> None:
        """Keep apart sessions that begin, those too that other clients of this bot began."""
        del initial
        await self._sink.may_begin()

    async def on_message(self, message: discord.Message) -> None:
        """Take a message that an account wrote."""
        if is_said(message):
            self._heard(message.channel.id, message)

    async def on_raw_message_edit(self, event: discord.RawMessageUpdateEvent) -> None:
        """A message changed, or what Discord shows with it."""
        self._heard(event.channel_id, event)

    async def on_raw_message_delete(self, event: discord.RawMessageDeleteEvent) -> None:
        """A message is gone."""
        self._heard(event.channel_id, event)

    async def on_raw_bulk_message_delete(self, event: discord.RawBulkMessageDeleteEvent) -> None:
        """Several messages are gone."""
        self._heard(event.channel_id, event)

    async def on_raw_typing(self, event: discord.RawTypingEvent) -> None:
        """Take the sign that an account is typing, but for the pet's own."""
        if self.user is None or event.user_id != self.user.id:
            self._heard(event.channel_id, event)

    async def on_interaction(self, interaction: Interaction) -> None:
        """Take the use of a command or a button."""
        await self._sink.asked(interaction)

    async def on_connect(self) -> None:
        """A conversation begins: what happens is held until it is known where it happens."""
        self._early = self._early or []

    async def on_ready(self) -> None:
        """Discord has said what guilds there are."""
        self._works()
        self._away = {guild.id for guild in self.guilds if guild.unavailable}
        self._sink.began()
        early, self._early = self._early or [], None
        for room, event in early:
            self._sink.heard(room, event)
        await self._sink.settled()

    async def on_resumed(self) -> None:
        """A conversation goes on; Discord has told again what was missed."""
        self._works()
        log.info("discord.resumed")

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The pet was invited; of guilds that it was in before, Discord tells otherwise."""
        if guild.id in self._away:
            await self.on_guild_available(guild)
            return
        log.info("guild.joined", guild=guild.id)
        await self._sink.joined(guild)

    async def on_guild_unavailable(self, guild: discord.Guild) -> None:
        """A guild has an outage: Discord sends and takes nothing of it until it is back."""
        log.info("guild.lost", guild=guild.id)
        self._away.add(guild.id)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """A guild is there again; those that come with a new conversation are read with it."""
        if self._early is not None:
            return
        log.info("guild.arrived", guild=guild.id)
        self._away.discard(guild.id)
        await self._sink.arrived(guild)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The pet was taken out of a guild, or the guild is no more."""
        log.info("guild.left", guild=guild.id)
        self._sink.left(guild.id)

    async def on_error(self, event_method: str, /, *_: Any, **__: Any) -> None:
        """An event that fails costs itself alone."""
        log.error("event.failed", during=event_method, exc_info=True)  # noqa: LOG014 - in a handler

    async def _listen(self, session: dict[str, Any]) -> None:
        async with asyncio.timeout(HELLO_S):
            self.ws = await DiscordWebSocket.from_client(self, **session)
        while True:
            await self._poll()
            self._reads += 1
            if self._reads % YIELD_EVERY == 0:
                await asyncio.sleep(0)
            await self._wait_for_space()

    async def _wait_for_space(self) -> None:
        """Wait while too much waits; the connection must show life now and then."""
        await self._sink.wait_for_space()
        if self._early is not None and len(self._early) >= MOST_EARLY:
            with suppress(TimeoutError):
                async with asyncio.timeout(EARLY_S):
                    await self.wait_until_ready()

    async def _poll(self) -> None:
        """Read one event; one that cannot be read is left out."""
        try:
            await self.ws.poll_event()
        except UNREADABLE as error:
            self._unread += 1
            if not self.is_ready() or self._unread >= MOST_UNREAD:
                raise ConnectionGone("Discord says what cannot be read.") from error
            log.exception("event.misread")
        else:
            self._unread = 0

    async def _anew(self, *, initial: bool) -> dict[str, Any]:
        """What is needed to begin a conversation; after too many Discord voids the token."""
        _, url, limit = await self.http.get_bot_gateway()
        if limit["remaining"] < 1:
            wait_s = limit["reset_after"] // 1000
            raise ConnectionGone(f"Discord lets nobody begin anew for another {wait_s} seconds.")
        return {"initial": initial, "gateway": yarl.URL(url)}

    def _resumed(self) -> dict[str, Any]:
        """What is needed to go on where the conversation was cut."""
        ws: DiscordWebSocket | None = self.ws
        if ws is None or ws.session_id is None:
            raise ConnectionGone("The connection was cut before it was there.")
        place = {"session": ws.session_id, "sequence": ws.sequence, "gateway": ws.gateway}
        return {"initial": False, "resume": True, **place}

    async def _pause(self) -> None:
        self._cuts += 1
        if self._cuts > MOST_RESUMED:
            raise ConnectionGone("The connection is cut again and again.")
        wait_s = self._backoff.failed()
        log.info("discord.disconnected", wait_s=round(wait_s, 1))
        await asyncio.sleep(wait_s)

    def _works(self) -> None:
        self._cuts = 0
        self._backoff.succeeded()

    def _heard(self, room: int, event: Event) -> None:
        if self._early is None:
            self._sink.heard(room, event)
        else:
            self._early.append((room, event))
