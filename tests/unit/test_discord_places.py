import discord
import pytest
from discord.abc import GuildChannel

from bot.channels.discord.inbound.rooms import GuildRules, author_of, is_hidden, room_of, space_of
from memory.model.rooms import HOME, RoomKind, RoomRole
from tests.discord_world import (
    HIDDEN_THREAD,
    LOBBY,
    NEWS,
    OPEN_THREAD,
    STAFF,
    STAFF_THREAD,
    STRAY_THREAD,
    TALK,
    knowing,
    membership,
    message,
    said,
)
from tests.edge.discord_guild import GUILD


@pytest.mark.parametrize(
    ("channel", "hidden", "parent"),
    [
        (LOBBY, False, None),
        (NEWS, False, None),
        (STAFF, True, None),
        (TALK, True, None),
        (OPEN_THREAD, False, LOBBY),
        (HIDDEN_THREAD, True, LOBBY),
        (STRAY_THREAD, True, 999),
        (STAFF_THREAD, True, STAFF),
    ],
)
def test_a_channel_of_a_guild_is_a_room_of_its_space(
    channel: int, parent: int | None, *, hidden: bool
) -> None:
    """One that not everybody can see, and one below such a one, is confidential."""
    place = said(knowing(), message("hi", channel=channel)).channel
    room = room_of(place, GuildRules())
    assert (room.platform, room.external_id, room.kind) == ("discord", str(channel), RoomKind.GROUP)
    assert (room.space, room.role) == (space_of(GUILD), RoomRole.LOBBY)
    assert room.confidential is hidden
    assert room.parent == (None if parent is None else str(parent))


def test_a_direct_channel_is_a_direct_room_named_after_who_writes() -> None:
    """Its people are alone with the pet, and of no community."""
    message_ = said(knowing(), message("hi", channel=55, guild_id=None))
    room = room_of(message_.channel, GuildRules(), speaker="ada")
    assert (room.external_id, room.name, room.kind) == ("55", "ada", RoomKind.DIRECT)
    assert (room.role, room.space, room.parent) == (RoomRole.PET, HOME, None)


def test_a_channel_that_nobody_knows_is_not_observed_and_confidential() -> None:
    """What cannot be told of it is taken to be the narrowest."""
    message_ = said(knowing(), message("hi", channel=12345))
    room = room_of(message_.channel, GuildRules())
    assert (room.role, room.confidential) == (RoomRole.MENTION, True)
    assert room.space == space_of(GUILD)


def test_several_people_of_no_guild_are_a_community_of_their_own() -> None:
    """What was said in groups on the pet's own machine is none of theirs."""
    client = knowing()
    place = client.get_partial_messageable(77, type=discord.ChannelType.group)
    room = room_of(place, GuildRules())
    assert (room.kind, room.confidential) == (RoomKind.GROUP, True)
    assert room.space != HOME


def test_a_channel_is_hidden_while_the_roles_are_unknown() -> None:
    """A guild that is not available has none."""
    client = knowing()
    lobby = client.get_channel(LOBBY)
    assert isinstance(lobby, GuildChannel)
    assert not is_hidden(lobby, GuildRules())
    lobby.guild._roles.clear()
    assert is_hidden(lobby, GuildRules())


def test_an_account_goes_by_the_name_that_others_see() -> None:
    """Its nickname in the guild, where it has one."""
    with_nick = message("hi", member=membership(nick="Ada L."))
    assert author_of(said(knowing(), with_nick).author).name == "Ada L."
    assert author_of(said(knowing(), message("hi")).author).name == "ada"
