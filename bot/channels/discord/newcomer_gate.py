"""A gate for newcomers, recognised by itself: one role sees what those who only joined do not.

Taken for one is only what leaves no doubt: a wrong role would make a few people's words known to
all. Where there is doubt every channel stays closed, and the greeting says so.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import discord
import structlog

from bot.channels.discord.inbound.rooms import SPOKEN_IN, GuildRules, sees, space_of
from bot.channels.discord.service.http import requested
from bot.errors import DeliveryFailed
from memory.model.rooms import SpaceId

log = structlog.get_logger()

PREFIXES = "asmjlcdtbkernpghfioyvwzxqu0123456789_."
"""What names begin with, the frequent first: Discord shows all members only to bots that ask for a
further right, but to any bot those whose names begin in some way."""

ENOUGH = 50
"""People whose roles are looked at: two thirds of so many are surely most of all."""

FEWEST = 3
"""Of fewer people it cannot be said what most have."""

LIMIT_S, LIMIT_OF_ALL_S = 5.0, 20.0
"""Seconds for one question, and for all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewcomerGate:
    """A guild whose channels are hidden from who has only joined.

    `role` stands for its members; None where that is in doubt, and `candidates` are those it could
    be.
    """

    role: discord.Role | None
    candidates: tuple[discord.Role, ...] = ()


async def people_in(guild: discord.Guild) -> Sequence[Collection[int]]:
    """The roles of some people of a guild, whose names begin in all ways; none if that fails."""
    found: dict[int, discord.Member] = {}
    try:
        async with asyncio.timeout(LIMIT_OF_ALL_S):
            for prefix in PREFIXES:
                asking = guild.query_members(prefix, limit=100, cache=False)
                members = await requested(asking, limit_s=LIMIT_S)
                found.update({member.id: member for member in members})
                people = [one for one in found.values() if not one.bot]
                if len(people) >= ENOUGH or len(found) >= (guild.member_count or ENOUGH):
                    break
    except (DeliveryFailed, TimeoutError) as error:
        log.info("members.missed", guild=guild.id, reason=str(error))
        return ()
    return [frozenset(role.id for role in one.roles) for one in people]


class NewcomerGates:
    """Recognises gates where it was not said yet which role stands for all members."""

    def __init__(
        self,
        guilds: GuildRules,
        choose: Callable[[SpaceId, str], Awaitable[None]],
        people: Callable[[discord.Guild], Awaitable[Sequence[Collection[int]]]] = people_in,
    ) -> None:
        self._guilds = guilds
        self._choose = choose
        self._people = people

    async def of(self, guild: discord.Guild) -> NewcomerGate | None:
        """The gate of a guild; None without one, or where it was said who is everybody."""
        is_said = self._guilds.chosen(space_of(guild.id)) or guild.id in self._guilds.preset
        if is_said or not _may_be_gated(guild):
            return None
        return gate_of(guild, await self._people(guild))

    async def passed_by(self, guild: discord.Guild, role: discord.Role) -> None:
        """Let a role stand for everybody in a guild from now on."""
        await self._choose(space_of(guild.id), str(role.id))


def gate_of(guild: discord.Guild, people: Sequence[Collection[int]]) -> NewcomerGate | None:
    """Who stands for everybody in a guild, by what its roles see and what roles people have. Pure.

    `people` are some of its members, no programs, each by the numbers of their roles.
    """
    if not _may_be_gated(guild):
        return None
    opened = _opened(guild)
    held = [role for role in opened if _is_held_by_most(role, people)]
    most = max((len(opened[role]) for role in held), default=0)
    if _written_in(guild) and most <= len(_seen(guild)):
        return None  # an open guild with some channels for a few
    if len(held) != 1:
        return NewcomerGate(role=None, candidates=tuple(held or opened))
    role, places = held[0], opened[held[0]]
    rivals = [
        other
        for other in opened
        if other != role and opened[other] & places and not opened[other] >= places
    ]
    if rivals or _lets_in_by_name(guild, places):
        return NewcomerGate(role=None, candidates=(role, *rivals))
    return NewcomerGate(role=role)


def _may_be_gated(guild: discord.Guild) -> bool:
    """Whether there are hidden channels, and at most one where all who join may write."""
    return len(_places(guild)) > len(_seen(guild)) and len(_written_in(guild)) <= 1


def _places(guild: discord.Guild) -> list[discord.abc.GuildChannel]:
    return [place for place in guild.channels if isinstance(place, SPOKEN_IN)]


def _seen(guild: discord.Guild) -> list[discord.abc.GuildChannel]:
    """The channels that all who join see."""
    return [place for place in _places(guild) if sees(place, guild.id)]


def _written_in(guild: discord.Guild) -> list[discord.abc.GuildChannel]:
    everyone = guild.default_role
    return [one for one in _seen(guild) if one.permissions_for(everyone).send_messages]


def _opened(guild: discord.Guild) -> Mapping[discord.Role, frozenset[int]]:
    """The hidden channels that roles of people open; who sees all by rank is left out."""
    hidden = [place for place in _places(guild) if not sees(place, guild.id)]
    found = {
        role: frozenset(place.id for place in hidden if sees(place, role.id))
        for role in guild.roles
        if not (role.is_default() or role.is_bot_managed() or role.permissions.administrator)
    }
    return {role: places for role, places in found.items() if places}


def _is_held_by_most(role: discord.Role, people: Sequence[Collection[int]]) -> bool:
    holders = sum(role.id in roles for roles in people)
    return len(people) >= FEWEST and holders * 3 >= len(people) * 2


def _lets_in_by_name(guild: discord.Guild, places: Collection[int]) -> bool:
    """Whether some account, other than the pet's, is let into one of these channels by itself."""
    return any(
        allowed.view_channel and not isinstance(target, discord.Role) and target.id != _pet(guild)
        for place in _places(guild)
        if place.id in places
        for target, allowed in place.overwrites.items()
    )


def _pet(guild: discord.Guild) -> int:
    me: discord.Member | None = guild.me
    return 0 if me is None else me.id
