"""Guilds as communities: their roles, and what their channels are if one role stands for all."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import discord

from bot.channels.discord.inbound.rooms import SPOKEN_IN, GuildRules, room_of, space_of
from bot.channels.discord.probe import PERMISSION_NAMES, permissions
from bot.model.events import RoomRef
from memory.model.rooms import SpaceId


class DiscordCommunities:
    """The Communities port over the client that it follows now."""

    def __init__(self) -> None:
        self._client: discord.Client | None = None
        self._rules = GuildRules()

    def follow(self, client: discord.Client, rules: GuildRules) -> None:
        """Know the guilds of this client from now on."""
        self._client, self._rules = client, rules

    def roles(self, space: SpaceId) -> Mapping[str, str]:
        """The names of a guild's roles by their numbers; empty while it is not there."""
        guild = self._guild(space)
        return {} if guild is None else {str(one.id): one.name for one in guild.roles}

    def member_role(self, space: SpaceId) -> str:
        """The role of the settings, or else the one that all have who join."""
        return str(self._rules.preset_of(_number(space)))

    def rooms(self, space: SpaceId, role: str | None) -> Sequence[RoomRef]:
        """The channels and open threads of a guild as they would be if this role stood for all."""
        guild = self._guild(space)
        if guild is None:
            return []
        rules = replace(self._rules, chosen=lambda _: role)
        places = (*guild.channels, *guild.threads)
        return [
            room_of(place, rules)
            for place in places
            if isinstance(place, (*SPOKEN_IN, discord.Thread))
        ]

    def away(self) -> int:
        """How many guilds have an outage, or are yet to come after the connection."""
        return sum(guild.unavailable for guild in self._client.guilds) if self._client else 0

    def gated(self) -> Sequence[str]:
        """The names of guilds where nothing is said before everybody, by the role as it stands."""
        if self._client is None:
            return []
        return [guild.name for guild in self._client.guilds if self._is_gated(guild)]

    def lacking(self) -> Mapping[str, Sequence[str]]:
        """The permissions that the pet lacks, by the names of the guilds that did not give them.

        Also by a channel's own rules, where everybody may write and the pet may not.
        """
        guilds = [] if self._client is None else self._client.guilds
        found = {guild.name: _lacked(guild) for guild in guilds if not guild.unavailable}
        return {name: lacked for name, lacked in found.items() if lacked}

    def _is_gated(self, guild: discord.Guild) -> bool:
        rooms = self.rooms(space_of(guild.id), self._rules.chosen(space_of(guild.id)))
        return bool(rooms) and all(room.confidential or room.public for room in rooms)

    def _guild(self, space: SpaceId) -> discord.Guild | None:
        guild = None if self._client is None else self._client.get_guild(_number(space))
        return None if guild is None or guild.unavailable else guild


def _lacked(guild: discord.Guild) -> Sequence[str]:
    """Which of the needed permissions the pet lacks; none while it is not known there."""
    me: discord.Member | None = guild.me
    if me is None:
        return ()
    missing = permissions() & ~me.guild_permissions
    everywhere = [name for key, name in PERMISSION_NAMES.items() if getattr(missing, key)]
    if missing.send_messages:
        return everywhere
    mute = [f"#{one.name}" for one in guild.channels if _is_mute_in(one, guild.default_role, me)]
    return [*everywhere, *(f"{PERMISSION_NAMES['send_messages']}: {name}" for name in mute)]


def _is_mute_in(
    channel: discord.abc.GuildChannel, everyone: discord.Role, me: discord.Member
) -> bool:
    """Whether everybody may write in a channel, and the pet reads it and may not."""
    if not isinstance(channel, SPOKEN_IN):
        return False
    mine = channel.permissions_for(me)
    theirs = channel.permissions_for(everyone)
    return mine.view_channel and not mine.send_messages and theirs.send_messages


def _number(space: SpaceId) -> int:
    """The number of a guild; 0, which none has, for a space of the settings' own."""
    number = space.rpartition(":")[2]
    return int(number) if number.isdecimal() and space == space_of(int(number)) else 0
