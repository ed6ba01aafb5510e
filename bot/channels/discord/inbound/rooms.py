"""Discord's channels and accounts in the pet's terms. Pure.

Where the library does not know who may read a channel, it counts as hidden.
"""

import discord

from bot.model.events import AuthorRef, RoomRef
from memory.model.rooms import RoomKind, RoomRole, SpaceId

PLATFORM = "discord"
"""The platform of the rooms and accounts."""

Place = (
    discord.abc.GuildChannel
    | discord.Thread
    | discord.abc.PrivateChannel
    | discord.PartialMessageable
)
"""Where a message can stand, as the library gives it; the last one is a channel it knows not."""


def space_of(guild_id: int) -> SpaceId:
    """The community of a guild."""
    return SpaceId(f"{PLATFORM}:{guild_id}")


def author_of(user: discord.abc.User, *, webhook: bool = False) -> AuthorRef:
    """An account under the name that the others see."""
    return AuthorRef(
        platform=PLATFORM,
        external_id=str(user.id),
        name=user.display_name,
        is_bot=user.bot or webhook,
    )


def room_of(place: Place, default_role: RoomRole, *, speaker: str = "") -> RoomRef:
    """A channel as a room: one of a guild has the default role, unless more is known of it.

    `speaker` names the direct channel of an account that the library does not know yet.
    """
    if isinstance(place, discord.DMChannel):
        return _direct(place.id, speaker or _recipient(place))
    if isinstance(place, discord.Thread):
        return _thread(place, default_role)
    if isinstance(place, discord.abc.GuildChannel):
        hidden = is_hidden(place)
        return _group(place.id, place.name, default_role, place.guild.id, hidden=hidden)
    guild_id = place.guild_id if isinstance(place, discord.PartialMessageable) else None
    return _group(place.id, "", RoomRole.MENTION, guild_id, hidden=True)


def is_hidden(channel: discord.abc.GuildChannel) -> bool:
    """Whether some of the guild cannot see what is said in a channel; so too if that is unknown."""
    everyone = channel.guild.get_role(channel.guild.id)
    if everyone is None:
        return True
    may = channel.permissions_for(everyone)
    has_voice = isinstance(channel, discord.VoiceChannel | discord.StageChannel)
    return not may.view_channel or (has_voice and not may.connect)


def is_closed(place: discord.abc.GuildChannel | discord.Thread) -> bool:
    """Whether some of the guild cannot see what is said in a channel or a thread."""
    if not isinstance(place, discord.Thread):
        return is_hidden(place)
    return place.is_private() or place.parent is None or is_hidden(place.parent)


def manages(user: discord.abc.User) -> bool:
    """Whether an account may manage its guild by its roles there, or because it owns it.

    What Discord says of its rights in one channel may have been granted there alone.
    """
    return isinstance(user, discord.Member) and user.guild_permissions.manage_guild


def _thread(thread: discord.Thread, default_role: RoomRole) -> RoomRef:
    return _group(
        thread.id,
        thread.name,
        default_role,
        thread.guild.id,
        hidden=is_closed(thread),
        parent=str(thread.parent_id),
    )


def _recipient(place: discord.DMChannel) -> str:
    return place.recipient.display_name if place.recipient else ""


def _direct(id_: int, name: str) -> RoomRef:
    return RoomRef(
        platform=PLATFORM,
        external_id=str(id_),
        name=name,
        kind=RoomKind.DIRECT,
        role=RoomRole.PET,
    )


def _group(
    id_: int,
    name: str,
    role: RoomRole,
    guild_id: int | None,
    *,
    hidden: bool,
    parent: str | None = None,
) -> RoomRef:
    return RoomRef(
        platform=PLATFORM,
        external_id=str(id_),
        name=name,
        kind=RoomKind.GROUP,
        role=role,
        # Several people of no guild are a community of their own, and not that of this machine.
        space=space_of(id_ if guild_id is None else guild_id),
        confidential=hidden,
        parent=parent,
    )
