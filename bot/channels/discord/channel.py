"""The Discord channel: there for as long as the daemon is, whatever happens to the connection."""

import asyncio
from collections.abc import Callable
from functools import partial

import aiohttp
import discord
import structlog
from discord.http import Route

from bot.channels.discord.client import GatewayClient, may_read_content
from bot.channels.discord.communities import DiscordCommunities
from bot.channels.discord.connection import Connection, ConnectionParts, DiscordOptions
from bot.channels.discord.findings import TEXTS, TROUBLES, Trouble
from bot.channels.discord.greeting import Greeting, GreetingRules
from bot.channels.discord.identify_gate import IdentifyGate, MachineQueue
from bot.channels.discord.inbound.history import DiscordPast
from bot.channels.discord.inbound.rooms import PLATFORM, GuildRules
from bot.channels.discord.interactions.buttons import BUTTONS
from bot.channels.discord.interactions.command_tree import Tree
from bot.channels.discord.newcomer_gate import NewcomerGates
from bot.channels.discord.service.http import requested
from bot.channels.discord.service.markup import MARKUP, TEXT_LIMIT
from bot.channels.discord.shard import ConnectionGone
from bot.errors import ChannelAway, DeliveryFailed
from bot.model.turns import Outgoing
from bot.platforms.backoff import Backoff
from bot.platforms.channel_elsewhere import (
    CLOSE_S,
    SLOW_S,
    ChannelElsewhere,
    ConnectionLife,
    Ended,
    LifeLost,
    LifeOver,
    LifeRefused,
)
from bot.platforms.paged_answer import PagedAnswers
from bot.platforms.pages import PageStore
from bot.platforms.receiver import Receiver
from bot.platforms.room_queues import RoomQueues
from bot.ports import Host
from bot.texts.catalogue import ENGLISH, texts_in
from memory.model.rooms import Room, SpaceId
from memory.tasks import InFlight, background_task, within

log = structlog.get_logger()

LONGEST_PAGE = 1800
"""UTF-16 units of a page: Discord takes 2,000 characters, and counts some of them twice."""

UNKNOWN_BOT = (
    "Discord knows no bot by this token: copy it anew from the Discord developer portal > your "
    "application > Bot > Token, into DISCORD_TOKEN, and start again."
)

NO_CONTENT = (
    "Discord shows only direct messages and mentions: switch on Discord developer portal > your "
    "application > Bot > Privileged Gateway Intents > Message Content Intent."
)

_TOKEN_REFUSED, _SHARDS_WANTED, _INTENTS_REFUSED = 4004, 4011, 4014
"""Codes that the gateway closes with."""

_RECOUNT_S = 30.0
"""Seconds until Discord is asked again how many shards it advises."""


def sentence_of(trouble: Trouble) -> str:
    """What is wrong and what there is to do, for the log."""
    texts = texts_in(ENGLISH, TEXTS)
    return f"{texts.say(f'doctor.said.{trouble}')}. {texts.say(f'doctor.todo.{trouble}')}"


class ContentChanged(Exception):
    """Discord shows the words of messages now, or shows them no more."""


class DiscordChannel(ChannelElsewhere):
    """The Platform port over a client: whatever ends one, a new one is made after a while."""

    text_limit = TEXT_LIMIT
    markup = MARKUP

    def __init__(self, options: DiscordOptions) -> None:
        super().__init__(PLATFORM)
        self.life = ConnectionLife(PLATFORM, Backoff(first_s=1, longest_s=60, healthy_s=60))
        self._options = options
        self._content = True
        self.trouble: Trouble | None = None
        self._connection: Connection | None = None
        self.past: DiscordPast = DiscordPast()
        self.communities: DiscordCommunities = DiscordCommunities()
        self.catch_up = options.catch_up
        self.files = options.files
        self._answering = InFlight()
        if options.api_url is not None:
            Route.BASE = options.api_url.rstrip("/")

    @property
    def is_connected(self) -> bool:
        """Whether it hears and can be heard there now."""
        return self._connection is not None and self._connection.client.is_there

    @property
    def sessions(self) -> tuple[int, int]:
        """How many shards hear now, of how many; none while nothing is known of them."""
        return (0, 0) if self._connection is None else self._connection.client.sessions

    async def spaces_of(self, external_id: str) -> frozenset[SpaceId]:
        """The spaces of this process's guilds that an account is in; none without a connection."""
        if self._connection is None or not external_id.isdecimal():
            return frozenset()
        return await self._connection.spaces_here(int(external_id))

    async def send(self, message: Outgoing) -> str | None:
        """Put one message into a room, see Sender.send.

        Raises:
            ChannelAway: there is no connection.
            DeliveryFailed: Discord did not take it.
            DeliveryRefused: it never will.

        """
        if self._connection is None:
            raise ChannelAway("There is no connection to Discord.")
        return await self._connection.sender.send(message)

    async def show_typing(self, room: Room) -> None:
        """Show for some seconds that the pet is writing; a failure shows nothing."""
        if self._connection is not None:
            await self._connection.sender.show_typing(room)

    async def quiet(self) -> None:
        """Wait until every command and click is answered."""
        await self._answering.quiet()

    async def run(self, host: Host) -> None:
        """Be there until cancelled; what was taken by then is still stored.

        Raises:
            TableUnfit: Discord cannot have the commands as they are.

        """
        parts = self._parts(host)
        async with asyncio.TaskGroup() as group:
            working = group.create_task(parts.queues.run(), name="discord rooms")
            try:
                await self.life.run(partial(self._live, parts, host.connected), self._why)
            finally:
                await within(CLOSE_S, parts.queues.empty())
                working.cancel()

    def _parts(self, host: Host) -> ConnectionParts:
        guilds = GuildRules(
            default_role=self._options.default_role,
            chosen=host.member_role,
            preset=self._options.everyone_roles,
        )
        return ConnectionParts(
            queues=RoomQueues(Receiver(host.inbox).take),
            platform_commands=host.platform_commands,
            tree=Tree(host.platform_commands.table, host.announced),
            pages=PagedAnswers(PageStore(host.clock), BUTTONS.split, LONGEST_PAGE),
            greeting=self._greeting(host, guilds) if self._options.greets else None,
            answering=self._answering,
            arrived=host.arrived,
            spoken_in=host.spoken_in,
            spaces_elsewhere=host.spaces_elsewhere,
            gate=IdentifyGate(host.clock, host.session_times, queue=self._queue()),
            guilds=guilds,
        )

    def _queue(self) -> MachineQueue | None:
        """Where other processes of the pet take their turns, if there are any."""
        shards = self._options.shards
        return None if shards is None or shards.is_all else MachineQueue()

    def _greeting(self, host: Host, guilds: GuildRules) -> Greeting:
        rules = GreetingRules(
            pet_name=self._options.pet_name,
            locale=self._options.locale,
            guilds=guilds,
            offers_past=self._options.catch_up.asked_days > 0,
        )
        gates = NewcomerGates(guilds, host.choose_member_role)
        return Greeting(host.introductions, self.send, rules, gates)

    async def _live(self, parts: ConnectionParts, connected: Callable[[], None]) -> None:
        connection = Connection(
            self._options, parts, partial(self._began, connected), content=self._content
        )
        client = connection.client
        try:
            await connection.log_in()
            self._check_content(client)
            self._connection = connection
            self.past.follow(client, connection.read)
            self.communities.follow(client, parts.guilds)
            await self._listen(client)
        finally:
            self._connection = None
            if not await within(CLOSE_S, client.close()):
                await client.http.close()

    async def _listen(self, client: GatewayClient) -> None:
        """Listen until it ends; without words, look now and then whether they are shown now."""
        async with background_task(client.connect(), name="discord gateway") as reading:
            while not reading.done():
                await asyncio.wait({reading}, timeout=None if self._content else SLOW_S)
                if not self._content and not reading.done():
                    await self._look_for_content(client)

    def _check_content(self, client: GatewayClient) -> None:
        """Ask for words only where they are allowed: else Discord does not talk at all."""
        if self._content and not may_read_content(client.application_flags):
            self.life.say(NO_CONTENT)
            self._content = False
            raise ContentChanged

    async def _look_for_content(self, client: GatewayClient) -> None:
        try:
            application = await requested(client.application_info(), limit_s=10)
        except DeliveryFailed:
            return
        if may_read_content(application.flags):
            self._content = True
            raise ContentChanged

    def _began(self, connected: Callable[[], None]) -> None:
        self.trouble = None
        self.life.began(still=() if self._content else [NO_CONTENT])
        connected()

    def _why(self, error: Exception) -> Ended | None:
        """What the end of a life means."""
        match error:
            case ContentChanged():
                return LifeOver()
            case discord.LoginFailure():
                return LifeRefused(UNKNOWN_BOT)
            case discord.ConnectionClosed():
                return self._closed(error.code)
            case ConnectionGone() | discord.DiscordException() | aiohttp.ClientError() | OSError():
                return LifeLost(str(error) or type(error).__name__)
        return None

    def _closed(self, code: int) -> Ended:
        if code == _TOKEN_REFUSED:
            return LifeRefused(UNKNOWN_BOT)
        if code == _INTENTS_REFUSED and self._content:
            self.life.say(NO_CONTENT)
            self._content = False
            return LifeLost()
        if code == _SHARDS_WANTED and self._options.shards is None:
            return LifeLost("Discord wants more shards: it is asked how many", least_s=_RECOUNT_S)
        if code in TROUBLES:
            self.trouble = TROUBLES[code]
            return LifeRefused(sentence_of(self.trouble))
        return LifeLost(f"Discord closed the connection with code {code}")
