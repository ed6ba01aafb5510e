"""Discord's channels and accounts in the pet's terms. Pure.

Where the library does not know who may read a channel, it counts as hidden.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

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


SPOKEN_IN = (
    discord.TextChannel,
    discord.VoiceChannel,
    discord.StageChannel,
    discord.ForumChannel,
)
"""The channels of a guild in which something is said, threads aside."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class GuildRules:
    """What a guild's channels are: the role of a room, and which of its own stands for everybody.

    `chosen` says by a guild's space which was chosen while the pet ran, `preset` by its number what
    the settings say; where neither does, it is the one that Discord gives to all who join.
    """

    default_role: RoomRole = RoomRole.LOBBY
    chosen: Callable[[SpaceId], str | None] = lambda _: None
    preset: Mapping[int, int] = field(default_factory=dict)

    def preset_of(self, guild: int) -> int:
        """The number of the role that stands for everybody in a guild where none was chosen."""
        return self.preset.get(guild, guild)

    def everyone(self, guild: int) -> int:
        """The number of the role that stands for everybody in a guild."""
        chosen = self.chosen(space_of(guild))
        return self.preset_of(guild) if chosen is None else int(chosen)

    def has_member(self, user: discord.abc.User, guild: int) -> bool:
        """Whether an account that has joined a guild is one of those it calls everybody."""
        role = self.everyone(guild)
        if role == guild:
            return True
        if not isinstance(user, discord.Member):
            return False
        return user.get_role(role) is not None or user.guild_permissions.administrator


def room_of(place: Place, guilds: GuildRules, *, speaker: str = "") -> RoomRef:
    """A channel as a room: one of a guild has the default role, unless more is known of it.

    `speaker` names the direct channel of an account that the library does not know yet.
    """
    if isinstance(place, discord.DMChannel):
        return _direct(place.id, speaker or _recipient(place))
    if isinstance(place, discord.Thread):
        return _thread(place, guilds)
    if isinstance(place, discord.abc.GuildChannel):
        return replace(
            _group(place.id, place.name, guilds.default_role, place.guild.id),
            confidential=is_hidden(place, guilds),
            public=is_before_strangers(place, guilds),
            community=place.guild.name,
        )
    guild_id = place.guild_id if isinstance(place, discord.PartialMessageable) else None
    return replace(_group(place.id, "", RoomRole.MENTION, guild_id), confidential=True)


def is_hidden(channel: discord.abc.GuildChannel, guilds: GuildRules) -> bool:
    """Whether some of the guild cannot see what is said in a channel; so too if that is unknown."""
    return not sees(channel, guilds.everyone(channel.guild.id))


def is_public(channel: discord.abc.GuildChannel, guilds: GuildRules) -> bool:
    """Whether those see what is said in a channel, too, who are not everybody yet."""
    guild = channel.guild.id
    return guilds.everyone(guild) != guild and sees(channel, guild)


def is_before_strangers(place: Place, guilds: GuildRules) -> bool:
    """The same of any place."""
    if isinstance(place, discord.Thread):
        parent = place.parent
        return not place.is_private() and parent is not None and is_public(parent, guilds)
    return isinstance(place, discord.abc.GuildChannel) and is_public(place, guilds)


def may_be_named(
    place: discord.abc.GuildChannel | discord.Thread, where: Place, guilds: GuildRules
) -> bool:
    """Whether all who read what is said somewhere know of another channel or thread."""
    if is_closed(place, guilds):
        return False
    return is_before_strangers(place, guilds) or not is_before_strangers(where, guilds)


def is_closed(place: discord.abc.GuildChannel | discord.Thread, guilds: GuildRules) -> bool:
    """Whether some of the guild cannot see what is said in a channel or a thread."""
    if not isinstance(place, discord.Thread):
        return is_hidden(place, guilds)
    return place.is_private() or place.parent is None or is_hidden(place.parent, guilds)


def sees(channel: discord.abc.GuildChannel, number: int) -> bool:
    """Whether a role sees what is said in a channel; one that is no more sees nothing."""
    role = channel.guild.get_role(number)
    if role is None:
        return False
    may = channel.permissions_for(role)
    has_voice = isinstance(channel, discord.VoiceChannel | discord.StageChannel)
    return may.view_channel and (not has_voice or may.connect)


def manages(user: discord.abc.User) -> bool:
    """Whether an account may manage its guild by its roles there, or because it owns it.

    What Discord says of its rights in one channel may have been granted there alone.
    """
    return isinstance(user, discord.Member) and user.guild_permissions.manage_guild


def _thread(thread: discord.Thread, guilds: GuildRules) -> RoomRef:
    return replace(
        _group(thread.id, thread.name, guilds.default_role, thread.guild.id),
        confidential=is_closed(thread, guilds),
        public=is_before_strangers(thread, guilds),
        parent=str(thread.parent_id),
        community=thread.guild.name,
        starter=str(thread.id),  # a thread has the number of the message that it was made from
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


def _group(id_: int, name: str, role: RoomRole, guild_id: int | None) -> RoomRef:
    return RoomRef(
        platform=PLATFORM,
        external_id=str(id_),
        name=name,
        kind=RoomKind.GROUP,
        role=role,
        # Several people of no guild are a community of their own, and not that of this machine.
        space=space_of(id_ if guild_id is None else guild_id),
    )
