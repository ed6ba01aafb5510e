"""A message's words as people read them: names where Discord has numbers. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

import discord

from bot.channels.discord.inbound.rooms import GuildRules, may_be_named
from bot.conversation.rooms import name_in_text

SOMEBODY = "someone"
"""The name of an account that is mentioned and not known here."""

_MARKUP = re.compile(
    r"<@!?(?P<user>\d+)>|<@&(?P<role>\d+)>|<#(?P<channel>\d+)>"
    r"|<a?:(?P<emoji>\w+):\d+>|</(?P<command>[^:<>]{1,100}):\d+>|<t:(?P<moment>-?\d{1,12})(?::\w)?>"
)
"""What clients show as something else (Discord's reference, "Message formatting")."""

_QUOTE_TO_END = re.compile(r"^>>> ", re.MULTILINE)
"""What makes all that follows a quote: there, and nowhere else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """What the numbers in a message stand for; `pet` is the pet's own and its name.

    A channel that not everybody can see has no name: Discord shows it to those alone who can. Nor
    has one of the members' before strangers.
    """

    pet: tuple[int, str]
    users: Mapping[int, str] = field(default_factory=dict)
    roles: Mapping[int, str] = field(default_factory=dict)
    channels: Mapping[int, str] = field(default_factory=dict)


def text_of(message: discord.Message, pet: tuple[int, str], guilds: GuildRules) -> str:
    """What the author of a message typed."""
    return _quoted_by_line(readable(message.content, _names_in(message, pet, guilds)))


def _quoted_by_line(content: str) -> str:
    """The content with a sign before each line of a quote that goes on to its end."""
    found = _QUOTE_TO_END.search(content)
    if found is None:
        return content
    quoted = content[found.end() :].splitlines()
    return content[: found.start()] + "\n".join(f"> {line}" for line in quoted)


def readable(content: str, names: Names) -> str:
    """The content with names in place of mentions, emoji by name and moments as dates."""
    return _MARKUP.sub(lambda found: _shown(found, names), content)


def _shown(found: re.Match[str], names: Names) -> str:
    number = int(found["user"] or found["role"] or found["channel"] or 0)
    match found.lastgroup:
        case "user":
            return f"@{_user(number, names)}"
        case "role":
            return f"@{names.roles.get(number, SOMEBODY)}"
        case "channel":
            return f"#{names.channels.get(number, number)}"
        case "emoji":
            return f":{found['emoji']}:"
        case "command":
            return f"/{found['command']}"
        case _:
            return _moment(found)


def _user(number: int, names: Names) -> str:
    """The name of an account; the pet's own is the pet's alone: only its mention calls it."""
    pet_id, pet_name = names.pet
    if number == pet_id:
        return pet_name
    return name_in_text(names.users.get(number, ""), (pet_name,)) or SOMEBODY


def _moment(found: re.Match[str]) -> str:
    try:
        return f"{datetime.fromtimestamp(int(found['moment']), UTC):%Y-%m-%d %H:%M} UTC"
    except (OverflowError, ValueError, OSError):
        return found[0]


def _names_in(message: discord.Message, pet: tuple[int, str], guilds: GuildRules) -> Names:
    if "<" not in message.content:
        return Names(pet=pet)
    guild = message.guild
    channels = (
        () if guild is None else map(guild.get_channel_or_thread, message.raw_channel_mentions)
    )
    return Names(
        pet=pet,
        users={user.id: user.display_name for user in message.mentions},
        roles={role.id: name_in_text(role.name, (pet[1],)) for role in message.role_mentions},
        channels={
            one.id: one.name
            for one in channels
            if one and may_be_named(one, message.channel, guilds)
        },
    )
