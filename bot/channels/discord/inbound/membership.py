"""Which guilds a user shares with the pet, as Discord vouches; what is not known is no.

An account that has joined, and lacks the role that stands for everybody there, is no member yet.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection

import discord
import structlog

from bot.channels.discord.inbound.rooms import PLATFORM, GuildRules, space_of
from bot.channels.discord.service.http import RequestRefused, requested
from bot.errors import DeliveryFailed
from memory.model.people import AccountId, account_id
from memory.model.rooms import SpaceId

log = structlog.get_logger()

LASTS_S = 300
"""Seconds an answer is good for: who left a guild hears of it for that long at most."""

LIMIT_S = 5
"""Seconds a message in a direct room waits for all answers; the rest is known next time."""

AGAIN_S = 30
"""Seconds until an account is asked about again that Discord did not answer for: each message of
it would wait for nothing, and all that it says after."""

MOST_AT_ONCE = 8
"""Requests at a time."""

MOST_KEPT = 4096
"""Answers kept, one for each account and guild; the oldest go first."""


MOST_ASKED = 100
"""Guilds that Discord is asked about for one account; of more only those it has spoken in."""


class Membership:
    """Asks Discord who is a member where, as the list of members is not given to every bot.

    `spoken_in` says by an account in which communities it has said something.
    """

    def __init__(
        self,
        client: discord.Client,
        guilds: GuildRules,
        spoken_in: Callable[[AccountId], Awaitable[Collection[SpaceId]]],
    ) -> None:
        self._client = client
        self._guilds = guilds
        self._spoken_in = spoken_in
        # By guild, account, and the role that stood for everybody when Discord was asked.
        self._known: OrderedDict[tuple[int, int, int], tuple[bool, float]] = OrderedDict()
        self._missed: OrderedDict[int, float] = OrderedDict()
        self._slots = asyncio.Semaphore(MOST_AT_ONCE)

    async def spaces(self, user: int) -> frozenset[SpaceId]:
        """The spaces of the guilds that an account is in together with the pet."""
        guilds = await self._asked_about(user)
        unknown = [guild for guild in guilds if self._recalled(guild.id, user) is None]
        if unknown and not self._was_missed(user):
            await self._ask(unknown, user)
        return frozenset(space_of(one.id) for one in guilds if self._recalled(one.id, user))

    def forget(self, guild: int) -> None:
        """Drop what is known of a guild that the pet has left."""
        for key in [key for key in self._known if key[0] == guild]:
            del self._known[key]

    async def _asked_about(self, user: int) -> list[discord.Guild]:
        guilds = list(self._client.guilds)
        if len(guilds) <= MOST_ASKED:
            return guilds
        spoken = await self._spoken_in(account_id(PLATFORM, str(user)))
        return [guild for guild in guilds if space_of(guild.id) in spoken][:MOST_ASKED]

    async def _ask(self, guilds: list[discord.Guild], user: int) -> None:
        try:
            async with asyncio.timeout(LIMIT_S), asyncio.TaskGroup() as group:
                for guild in guilds:
                    group.create_task(self._look_up(guild, user))
        except TimeoutError:
            log.warning("membership.postponed", guilds=len(guilds), limit_s=LIMIT_S)
            self._miss(user)

    async def _look_up(self, guild: discord.Guild, user: int) -> None:
        async with self._slots:
            try:
                member = await requested(guild.fetch_member(user), limit_s=LIMIT_S)
            except RequestRefused as refusal:
                if refusal.status == 404:
                    self._keep(guild.id, user, is_member=False)
            except DeliveryFailed as error:
                log.warning("membership.missed", guild=guild.id, reason=str(error))
                self._miss(user)
            else:
                self._keep(guild.id, user, is_member=self._guilds.has_member(member, guild.id))

    def _was_missed(self, user: int) -> bool:
        missed_at = self._missed.get(user, float("-inf"))
        return asyncio.get_running_loop().time() - missed_at < AGAIN_S

    def _miss(self, user: int) -> None:
        self._missed[user] = asyncio.get_running_loop().time()
        self._missed.move_to_end(user)
        if len(self._missed) > MOST_KEPT:
            self._missed.popitem(last=False)

    def _recalled(self, guild: int, user: int) -> bool | None:
        """Whether they are a member, None when that is known no longer."""
        is_member, told_at = self._known.get(self._key(guild, user), (False, float("-inf")))
        return is_member if asyncio.get_running_loop().time() - told_at < LASTS_S else None

    def _key(self, guild: int, user: int) -> tuple[int, int, int]:
        return guild, user, self._guilds.everyone(guild)

    def _keep(self, guild: int, user: int, *, is_member: bool) -> None:
        key = self._key(guild, user)
        self._known[key] = is_member, asyncio.get_running_loop().time()
        self._known.move_to_end(key)
        if len(self._known) > MOST_KEPT:
            self._known.popitem(last=False)
