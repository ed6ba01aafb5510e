"""What a member asked with an interaction, read from it. Pure but for who shares a space."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import discord

from bot.channels.discord.inbound.rooms import (
    GuildRules,
    Place,
    author_of,
    manages,
    room_of,
    space_of,
)
from bot.commands.syntax import YES
from bot.model.events import AuthorRef, Invoked, RoomRef
from bot.texts.choice import nearest_locale
from memory.model.rooms import SpaceId

Interaction = discord.Interaction[Any]
"""Any, as it is the same for every kind of client."""

SpacesOf = Callable[[int], Awaitable[frozenset[SpaceId]]]
"""The spaces in which an account and the pet both are, as Discord vouches."""

_GROUPS = (1, 2)
"""Kinds of options that are a subcommand, or a group of them."""


class NoChannel(Exception):
    """Discord did not say where something was asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandInput:
    """A command by the words of its name, with its arguments; `focused` is being typed."""

    command: str
    arguments: Mapping[str, str]
    focused: str | None = None


def asked_in(data: Mapping[str, Any]) -> CommandInput:
    """The command of an interaction's data."""
    words, options = [str(data["name"])], data.get("options", ())
    while options and options[0]["type"] in _GROUPS:
        words.append(str(options[0]["name"]))
        options = options[0].get("options", ())
    focused = (str(one["name"]) for one in options if one.get("focused"))
    return CommandInput(
        command=" ".join(words), arguments=_arguments(options), focused=next(focused, None)
    )


class InvocationReader:
    """Makes of an interaction what the dispatcher takes, by what Discord vouches for."""

    def __init__(self, guilds: GuildRules, spaces_of: SpacesOf, *, locale: str) -> None:
        self._guilds = guilds
        self._spaces_of = spaces_of
        self._locale = locale

    def language(self, interaction: Interaction) -> str:
        """The pet's language that is nearest to the one the member reads Discord in."""
        return nearest_locale(str(interaction.locale), self._locale)

    def origin(self, interaction: Interaction) -> tuple[AuthorRef, RoomRef]:
        """Who does something, and where; Discord is asked nothing for it.

        Raises:
            NoChannel: Discord did not say where.

        """
        if interaction.channel is None:
            raise NoChannel
        room = self._room(interaction.channel, interaction.user.display_name)
        return author_of(interaction.user), room

    async def invoked(self, interaction: Interaction, asked: CommandInput) -> Invoked:
        """Who asked for what, and where.

        A direct room has no manager: what Discord says of permissions there is about the room and
        no community.

        Raises:
            NoChannel: Discord did not say where.

        """
        author, room = self.origin(interaction)
        return Invoked(
            external_id=str(interaction.id),
            room=room,
            author=author,
            command=asked.command,
            arguments=asked.arguments,
            locale=str(interaction.locale),
            spaces=await self._spaces(interaction),
            manages_space=interaction.guild_id is not None and manages(interaction.user),
        )

    def _room(self, place: Place, speaker: str) -> RoomRef:
        """The room of a channel; one that the library does not know is confidential."""
        room = room_of(place, self._guilds, speaker=speaker)
        if isinstance(place, discord.abc.GuildChannel) and not place.guild.get_channel(place.id):
            return replace(room, confidential=True)
        return room

    async def _spaces(self, interaction: Interaction) -> frozenset[SpaceId]:
        if interaction.guild_id is None:
            return await self._spaces_of(interaction.user.id)
        return frozenset({space_of(interaction.guild_id)})


def _arguments(options: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """What was given: a flag only where it is set, a text only where it says something."""
    given = ((str(one["name"]), _value(one.get("value"))) for one in options)
    return {name: value for name, value in given if value}


def _value(value: object) -> str:
    if isinstance(value, bool):
        return YES if value else ""
    return "" if value is None else str(value).strip()
