"""One client with everything that hears and answers through it."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial

import discord
import structlog

from bot.channels.discord.client import GatewayClient
from bot.channels.discord.greeting import Greeting
from bot.channels.discord.identify_gate import IdentifyGate
from bot.channels.discord.inbound.events import EventReader
from bot.channels.discord.inbound.interpreter import Event, Interpreter
from bot.channels.discord.inbound.membership import Membership
from bot.channels.discord.inbound.rooms import PLATFORM, GuildRules
from bot.channels.discord.interactions.command_tree import Tree
from bot.channels.discord.interactions.direct_answer import DirectAnswers
from bot.channels.discord.interactions.handler import Interactions
from bot.channels.discord.interactions.invocation import Interaction, InvocationReader
from bot.channels.discord.outbound.sender import Sender, SendingRules
from bot.channels.discord.shard import ConnectionGone
from bot.model.events import InboundEvent
from bot.model.shards import ShardRange
from bot.platforms.paged_answer import PagedAnswers
from bot.platforms.receiver import Read
from bot.platforms.room_queues import RoomQueues
from bot.ports import CatchUpRules, FileStore, PlatformCommands
from memory.model.people import AccountId, account_id
from memory.model.rooms import RoomRole, SpaceId
from memory.tasks import InFlight

log = structlog.get_logger()


A_DAY = CatchUpRules(reach=timedelta(days=1), most_messages=2000)
"""How far channels are read back where nothing else was chosen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscordOptions:
    """The account, and how the pet behaves there; `api_url` is another server, for trials.

    `shards` are those of this process; None is all that Discord advises. `everyone_roles` are the
    roles that stand for everybody, by the numbers of their guilds.
    """

    token: str
    pet_name: str
    locale: str = "en"
    default_role: RoomRole = RoomRole.LOBBY
    everyone_roles: Mapping[int, int] = field(default_factory=dict)
    greets: bool = True
    sending: SendingRules = field(default_factory=SendingRules)
    catch_up: CatchUpRules = A_DAY
    files: FileStore | None = None
    shards: ShardRange | None = None
    api_url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionParts:
    """What outlives a connection: the rooms' queues, what answers commands, who greets, if any.

    `answering` are the commands and clicks that are not answered yet; `arrived` is told of the
    channels of a guild that was not there, `spoken_in` and `spaces_elsewhere` are as in
    Host.
    """

    queues: RoomQueues[Read]
    platform_commands: PlatformCommands
    tree: Tree
    pages: PagedAnswers
    greeting: Greeting | None
    answering: InFlight
    gate: IdentifyGate
    guilds: GuildRules
    arrived: Callable[[Collection[str]], None]
    spoken_in: Callable[[AccountId], Awaitable[Collection[SpaceId]]]
    spaces_elsewhere: Callable[[AccountId], Awaitable[frozenset[SpaceId]]]


class Connection:
    """Hears, reads, sends and answers over one client; `content`: it is shown all that is said."""

    def __init__(
        self,
        options: DiscordOptions,
        parts: ConnectionParts,
        connected: Callable[[], None],
        *,
        content: bool,
    ) -> None:
        self._options = options
        self._parts = parts
        self._connected = connected
        self._content = content
        self.client = GatewayClient(self, content=content, shards=options.shards)
        self.sender = Sender(self.client, options.sending)
        self._membership = Membership(self.client, parts.guilds, parts.spoken_in)
        self._interpreter: Interpreter | None = None
        invoking = InvocationReader(parts.guilds, self._spaces_alone, locale=options.locale)
        direct = DirectAnswers(self.sender)
        self._interactions = Interactions(parts.platform_commands, invoking, parts.pages, direct)

    async def log_in(self) -> None:
        """Make sure who the pet is there.

        Raises:
            discord.LoginFailure: the token is no bot's.

        """
        await self.client.login(self._options.token)
        if self.client.user is None:
            raise ConnectionGone("Discord did not say who the pet is there.")
        reading = EventReader(
            pet_id=self.client.user.id,
            pet_name=self._options.pet_name,
            guilds=self._parts.guilds,
            content=self._content,
        )
        self._interpreter = Interpreter(self.client, self._spaces_alone, reading)

    async def spaces_here(self, user: int) -> frozenset[SpaceId]:
        """The spaces of this process's guilds that an account is in."""
        return await self._membership.spaces(user)

    async def _spaces_alone(self, user: int) -> frozenset[SpaceId]:
        """The spaces that an account is in who writes to the pet alone, of every process."""
        here, elsewhere = await asyncio.gather(
            self._membership.spaces(user),
            self._parts.spaces_elsewhere(account_id(PLATFORM, str(user))),
        )
        return here | elsewhere

    async def read(self, event: Event) -> Sequence[InboundEvent]:
        """An event, or a message read back later, as the inbox takes it."""
        if self._interpreter is None:
            raise ConnectionGone("Nobody has logged in.")
        return await self._interpreter.read(event)

    def heard(self, room: int, event: Event) -> None:
        """Let an event wait for its turn in its room."""
        self._parts.queues.put(room, partial(self.read, event))

    async def wait_for_space(self) -> None:
        """Wait while too many events wait."""
        await self._parts.queues.wait_for_space()

    async def may_begin(self, bucket: int) -> None:
        """Wait until a session may begin; only those of one bucket wait for each other."""
        account = f"discord:{self.client.application_id}"
        await self._parts.gate.passed(f"{account}:{bucket}" if bucket else account)

    async def asked(self, interaction: Interaction) -> None:
        """Answer a command or a button."""
        with self._parts.answering.one():
            await self._interactions.take(interaction)

    def began(self) -> None:
        """Say that the pet is there."""
        log.info("discord.connected", name=str(self.client.user), guilds=len(self.client.guilds))
        self._connected()

    async def settled(self, guilds: Sequence[discord.Guild]) -> None:
        """Tell Discord the commands, where they have changed, and new guilds who the pet is.

        A guild that invited it while it was away is new, too: no event tells of that.
        """
        if self.client.application_id is not None:
            await self._parts.tree.sync(self.client.http, self.client.application_id)
        for guild in guilds:
            await self.joined(guild)

    async def joined(self, guild: discord.Guild) -> None:
        """Say who the pet is."""
        if self._parts.greeting is not None:
            await self._parts.greeting.joined(guild)

    async def arrived(self, guilds: Sequence[discord.Guild]) -> None:
        """Have read back what their channels said meanwhile; say who the pet is if it is new."""
        places = (place for guild in guilds for place in (*guild.channels, *guild.threads))
        self._parts.arrived([str(place.id) for place in places])
        for guild in guilds:
            await self.joined(guild)

    def left(self, guild: int) -> None:
        """Vouch for no member there any more."""
        self._membership.forget(guild)
