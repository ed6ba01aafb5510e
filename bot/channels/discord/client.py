"""One life of the connection to Discord: what it listens to, and how it reads."""

import asyncio
from collections.abc import Sequence
from typing import Any, Protocol

import discord
import structlog
import yarl
from discord.gateway import DiscordWebSocket
from discord.state import AutoShardedConnectionState

from bot.channels.discord.inbound.events import is_said
from bot.channels.discord.inbound.interpreter import Event
from bot.channels.discord.interactions.invocation import Interaction
from bot.channels.discord.shard import ShardPace, ShardSession, StartBucket, refuse_beyond
from bot.model.shards import ShardRange

log = structlog.get_logger()

GUILDS_S = 2.0
"""Seconds without news of another guild until all of them are taken to be known."""

discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # the pet has no voice


class EventSink(ShardPace, Protocol):
    """Who is told what happens."""

    def heard(self, room: int, event: Event) -> None:
        """Something happened in the room of this number."""
        ...

    async def asked(self, interaction: Interaction) -> None:
        """Take the use of a command or a button."""
        ...

    def began(self) -> None:
        """New gateway sessions: the guilds are known, and no event of them came yet.

        With several shards it is called once, when all are ready; then again whenever the one of
        direct rooms begins anew.
        """
        ...

    async def settled(self, guilds: Sequence[discord.Guild]) -> None:
        """The same of one session, after everything was told that happened meanwhile."""
        ...

    async def joined(self, guild: discord.Guild) -> None:
        """The pet was invited to this guild."""
        ...

    async def arrived(self, guilds: Sequence[discord.Guild]) -> None:
        """Guilds that were not there are: they came late, or back from an outage."""
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


class _State(AutoShardedConnectionState["GatewayClient"]):
    """The library's memory of guilds; a session that begins anew takes none over from the last."""

    async def _delay_ready(self) -> None:
        """Await no session: the next READY would end this, and with it those that still begin."""

    def parse_ready(self, data: Any) -> None:
        """Know the guilds of a session."""
        data.setdefault("shard", [0, 1])  # only where the client said which it is
        for guild in self.guilds:
            if guild.shard_id == data["shard"][0]:
                self._remove_guild(guild)
        super().parse_ready(data)


class GatewayClient(discord.AutoShardedClient):
    """Keeps nothing but guilds and channels, and tells everything to its sink, in order.

    It has one session for each shard: those that were chosen, or all that Discord advises.
    """

    def __init__(self, sink: EventSink, *, content: bool, shards: ShardRange | None = None) -> None:
        super().__init__(
            intents=intents(content=content),
            max_messages=None,
            chunk_guilds_at_startup=False,
            guild_ready_timeout=GUILDS_S,
            member_cache_flags=discord.MemberCacheFlags.none(),
            allowed_mentions=discord.AllowedMentions.none(),
        )
        self._sink = sink
        self._chosen = shards
        self._range = shards or ShardRange(first=0, last=0, total=1)
        self._sessions: dict[int, ShardSession] = {}
        self._is_whole = False
        self._away: set[int] = set()

    @property
    def is_there(self) -> bool:
        """Whether the guilds of a session are known, so that something can be heard and said."""
        return any(one.is_ready for one in self._sessions.values())

    @property
    def sessions(self) -> tuple[int, int]:
        """How many sessions hear now, and how many there are to be."""
        return sum(one.is_open for one in self._sessions.values()), len(self._range.numbers)

    async def connect(self, *, reconnect: bool = True) -> None:
        """Listen on every shard, until Discord says of one that it will not talk.

        Raises:
            ConnectionGone: another client is needed.
            discord.ConnectionClosed: Discord says by a code why it will not talk.

        """
        del reconnect
        advised, url, limit = await self.http.get_bot_gateway()
        self._range = self._chosen or ShardRange(first=0, last=advised - 1, total=advised)
        refuse_beyond(limit, len(self._range.numbers))
        self.shard_count = self._connection.shard_count = self._range.total
        self._connection.shard_ids = self._range.numbers
        buckets = [StartBucket(number) for number in range(limit["max_concurrency"])]
        for number in self._range.numbers:
            self._sessions[number] = ShardSession(
                self,
                self._sink,
                number,
                bucket=buckets[number % len(buckets)],
                lost=self._look_whether_whole,
            )
        await self._listen(yarl.URL(url))

    async def _listen(self, gateway: yarl.URL) -> None:
        if len(self._sessions) == 1:
            [only] = self._sessions.values()
            await only.run(gateway)
        try:
            async with asyncio.TaskGroup() as group:
                for session in self._sessions.values():
                    group.create_task(session.run_again(gateway))
        except ExceptionGroup as refused:
            raise refused.exceptions[0] from None

    async def close(self) -> None:
        """Take leave of every session."""
        await asyncio.gather(*(one.close() for one in self._sessions.values()))
        await super().close()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Keep apart sessions that begin, those too that other clients of this bot began."""
        del initial
        await self._sessions[shard_id or 0].may_identify()

    def _get_websocket(
        self, guild_id: int | None = None, *, shard_id: int | None = None
    ) -> DiscordWebSocket:
        """Where the library asks for the members of a guild."""
        number = self._range.shard_of(guild_id) if shard_id is None else shard_id
        return self._sessions[number].socket

    def _get_state(self, **options: Any) -> _State:
        hears = {"dispatch": self.dispatch, "handlers": self._handlers, "hooks": self._hooks}
        return _State(http=self.http, **hears, **options)

    async def on_message(self, message: discord.Message) -> None:
        """Take a message that an account wrote."""
        if is_said(message):
            self._heard(message.channel.id, message, message.guild.id if message.guild else None)

    async def on_raw_message_edit(self, event: discord.RawMessageUpdateEvent) -> None:
        """A message changed, or what Discord shows with it."""
        self._heard(event.channel_id, event, event.guild_id)

    async def on_raw_message_delete(self, event: discord.RawMessageDeleteEvent) -> None:
        """A message is gone."""
        self._heard(event.channel_id, event, event.guild_id)

    async def on_raw_bulk_message_delete(self, event: discord.RawBulkMessageDeleteEvent) -> None:
        """Several messages are gone."""
        self._heard(event.channel_id, event, event.guild_id)

    async def on_raw_typing(self, event: discord.RawTypingEvent) -> None:
        """Take the sign that an account is typing, but for the pet's own."""
        if self.user is None or event.user_id != self.user.id:
            self._heard(event.channel_id, event, event.guild_id)

    async def on_interaction(self, interaction: Interaction) -> None:
        """Take the use of a command or a button; those of other processes' guilds are theirs."""
        if self._session_of(interaction.guild_id) is None:
            return
        await self._sink.asked(interaction)

    async def on_shard_connect(self, number: int) -> None:
        """A conversation begins: what happens is held until it is known where it happens."""
        self._sessions[number].began()

    async def on_shard_ready(self, number: int) -> None:
        """Discord has said what guilds there are on a shard."""
        guilds = [guild for guild in self.guilds if guild.shard_id == number]
        self._away = {one for one in self._away if self._range.shard_of(one) != number}
        self._away |= {guild.id for guild in guilds if guild.unavailable}
        early = self._sessions[number].knows_guilds()
        log.info("shard.connected", shard=number, guilds=len(guilds))
        is_first = not self._is_whole
        self._look_whether_whole()
        reads_all = not is_first and self._range.shard_of(None) == number  # direct rooms, too
        if reads_all:
            self._sink.began()
        for room, event in early:
            self._sink.heard(room, event)
        if not is_first and not reads_all:
            await self._sink.arrived(guilds)
        await self._sink.settled(guilds)

    async def on_shard_resumed(self, number: int) -> None:
        """A conversation goes on; Discord has told again what was missed."""
        self._sessions[number].works()
        log.info("discord.resumed", shard=number)

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
        session = self._session_of(guild.id)
        if session is None or session.early is not None:
            return
        log.info("guild.arrived", guild=guild.id)
        self._away.discard(guild.id)
        await self._sink.arrived([guild])

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The pet was taken out of a guild, or the guild is no more."""
        log.info("guild.left", guild=guild.id)
        self._sink.left(guild.id)

    async def on_error(self, event_method: str, /, *_: Any, **__: Any) -> None:
        """An event that fails costs itself alone."""
        log.error("event.failed", during=event_method, exc_info=True)  # noqa: LOG014 - in a handler

    def _look_whether_whole(self) -> None:
        """Say that the pet is there once every shard has begun, or could not."""
        sessions = self._sessions.values()
        if self._is_whole or not all(one.is_ready or one.was_lost for one in sessions):
            return
        self._is_whole = self.is_there
        if self._is_whole:
            self._sink.began()

    def _session_of(self, guild: int | None) -> ShardSession | None:
        """The session of a guild or of direct rooms; None where it is of another process."""
        return self._sessions.get(self._range.shard_of(guild))

    def _heard(self, room: int, event: Event, guild: int | None) -> None:
        session = self._session_of(guild)
        if session is None:
            return
        if session.early is None:
            self._sink.heard(room, event)
        else:
            session.early.append((room, event))
