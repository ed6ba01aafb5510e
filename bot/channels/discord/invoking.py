"""What somebody asked with an interaction, read from it. Pure but for who shares a space."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import discord

from bot.commands.lines import YES
from bot.model import AuthorRef, Invoked, RoomRef
from bot.register import nearest_locale
from memory.model import SpaceId

PLATFORM = "discord"

Interaction = discord.Interaction[Any]
"""Any, as it is the same for every kind of client."""

RoomOf = Callable[[Any], RoomRef]
"""The room that a channel of Discord's is; Any, as the library has eight kinds of channels."""

SpacesOf = Callable[[discord.abc.User], Awaitable[frozenset[SpaceId]]]
"""The spaces in which somebody and the pet both are, as Discord vouches."""

_GROUPS = (1, 2)
"""Kinds of options that are a subcommand, or a group of them."""


class NoChannel(Exception):
    """Discord did not say where something was asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A command by the words of its name, with its arguments; `focused` is being typed."""

    command: str
    arguments: Mapping[str, str]
    focused: str | None = None


def asked_in(data: Mapping[str, Any]) -> Asked:
    """The command of an interaction's data."""
    words, options = [str(data["name"])], data.get("options", ())
    while options and options[0]["type"] in _GROUPS:
        words.append(str(options[0]["name"]))
        options = options[0].get("options", ())
    focused = (str(one["name"]) for one in options if one.get("focused"))
    return Asked(
        command=" ".join(words), arguments=_arguments(options), focused=next(focused, None)
    )


class Invoking:
    """Makes of an interaction what the desk takes, by what Discord vouches for."""

    def __init__(self, room_of: RoomOf, spaces_of: SpacesOf, *, locale: str) -> None:
        self._room_of = room_of
        self._spaces_of = spaces_of
        self._locale = locale

    def language(self, interaction: Interaction) -> str:
        """The pet's language that is nearest to what somebody reads Discord in."""
        return nearest_locale(str(interaction.locale), self._locale)

    async def invoked(self, interaction: Interaction, asked: Asked) -> Invoked:
        """Who asked for what, and where.

        Nobody manages anything in a direct room: what Discord says of permissions there is about
        the room and no community.

        Raises:
            NoChannel: Discord did not say where.

        """
        if interaction.channel is None:
            raise NoChannel
        may = interaction.permissions
        return Invoked(
            external_id=str(interaction.id),
            room=self._room_of(interaction.channel),
            author=_author(interaction.user),
            command=asked.command,
            arguments=asked.arguments,
            locale=str(interaction.locale),
            spaces=await self._spaces(interaction),
            manages_space=interaction.guild_id is not None
            and (may.manage_guild or may.administrator),
        )

    async def _spaces(self, interaction: Interaction) -> frozenset[SpaceId]:
        if interaction.guild_id is None:
            return await self._spaces_of(interaction.user)
        return frozenset({SpaceId(f"{PLATFORM}:{interaction.guild_id}")})


def _author(user: discord.User | discord.Member) -> AuthorRef:
    return AuthorRef(
        platform=PLATFORM, external_id=str(user.id), name=user.display_name, is_bot=user.bot
    )


def _arguments(options: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """What was given: a flag only where it is set, a text only where it says something."""
    given = ((str(one["name"]), _value(one.get("value"))) for one in options)
    return {name: value for name, value in given if value}


def _value(value: object) -> str:
    if isinstance(value, bool):
        return YES if value else ""
    return "" if value is None else str(value).strip()
