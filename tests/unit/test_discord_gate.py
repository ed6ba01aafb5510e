"""Behind a gate for newcomers a role stands for everybody: who sees a channel, who is a member."""

from typing import Any

import discord
import pytest
from discord.abc import GuildChannel

from bot.channels.discord.communities import DiscordCommunities
from bot.channels.discord.inbound.mentions import text_of
from bot.channels.discord.inbound.rooms import GuildRules, room_of, space_of
from bot.channels.discord.probe import permissions as probe_permissions
from memory.model.rooms import SpaceId
from tests.discord_world import account, knowing, membership
from tests.discord_world import message as payload
from tests.edge.discord_guild import GUILD, HISTORY, SEND, VIEW, guild_of, text_channel
from tests.edge.discord_rest import USER

MEMBER, ADMIN = 51, 52
RULES, HALL, STAFF, GATE = (10**17 + each for each in range(10, 14))
ADMINISTRATOR = 1 << 3


def overwrite(role: int, *, allow: int = 0, deny: int = 0) -> dict[str, Any]:
    """What a channel says of a role."""
    return {"id": str(role), "type": 0, "allow": str(allow), "deny": str(deny)}


def role(number: int, name: str, permissions: int) -> dict[str, Any]:
    """A role."""
    look = {"color": 0, "hoist": False, "managed": False, "mentionable": False, "position": 1}
    return {"id": str(number), "name": name, "permissions": str(permissions), **look}


def channel(number: int, name: str, *overwrites: dict[str, Any]) -> dict[str, Any]:
    """A channel with what it says of roles."""
    return {**text_channel(number, name), "permission_overwrites": list(overwrites)}


@pytest.fixture
def guild() -> discord.Guild:
    """Who has joined sees the rules and the gate; a member the rules and the hall."""
    client = knowing()
    told = guild_of(
        [
            channel(RULES, "rules", overwrite(GUILD, allow=VIEW)),
            channel(HALL, "hall"),
            channel(STAFF, "staff", overwrite(MEMBER, deny=VIEW)),
            channel(GATE, "gate", overwrite(GUILD, allow=VIEW), overwrite(MEMBER, deny=VIEW)),
        ],
        roles=[
            role(GUILD, "@everyone", 0),
            role(MEMBER, "Member", VIEW | SEND | HISTORY),
            role(ADMIN, "Admin", ADMINISTRATOR),
        ],
    )
    client._connection.parse_guild_create({**told, "unavailable": False})
    found = client.get_guild(GUILD)
    assert found is not None
    return found


def chosen(role_number: int | None) -> GuildRules:
    """The rules where this role was chosen."""
    return GuildRules(chosen=lambda _: None if role_number is None else str(role_number))


@pytest.mark.parametrize(
    ("rules", "number", "confidential", "public"),
    [
        (chosen(None), RULES, False, False),
        (chosen(None), HALL, True, False),
        (chosen(MEMBER), RULES, False, True),
        (chosen(MEMBER), HALL, False, False),
        (chosen(MEMBER), STAFF, True, False),
        (chosen(MEMBER), GATE, True, True),
        (chosen(404), HALL, True, False),
        (GuildRules(preset={GUILD: MEMBER}), HALL, False, False),
        (GuildRules(preset={GUILD: MEMBER}, chosen=lambda _: str(GUILD)), HALL, True, False),
    ],
)
def test_a_channel_is_open_if_the_role_that_stands_for_everybody_sees_it(
    guild: discord.Guild, rules: GuildRules, number: int, *, confidential: bool, public: bool
) -> None:
    """One that is seen before the gate is public; a role that is no more sees nothing."""
    place = guild.get_channel(number)
    assert isinstance(place, GuildChannel)
    room = room_of(place, rules)
    assert (room.confidential, room.public) == (confidential, public)


@pytest.mark.parametrize(
    ("rules", "roles", "belongs"),
    [
        (chosen(None), [], True),
        (chosen(MEMBER), [], False),
        (chosen(MEMBER), [MEMBER], True),
        (chosen(MEMBER), [ADMIN], True),
        (chosen(404), [MEMBER], False),
    ],
)
def test_who_lacks_the_role_has_joined_and_is_no_member(
    guild: discord.Guild, rules: GuildRules, roles: list[int], *, belongs: bool
) -> None:
    """Before the gate; who may do everything there needs no role."""
    data: Any = {**membership(roles=[str(one) for one in roles]), "user": account(2)}
    member = discord.Member(data=data, guild=guild, state=guild._state)
    assert rules.has_member(member, GUILD) is belongs


def test_a_guild_is_gated_until_a_role_stands_for_its_members(guild: discord.Guild) -> None:
    """Where the only open channel would be one before the gate, too."""
    known, now = DiscordCommunities(), {"role": str(GUILD)}
    known.follow(_client(guild), GuildRules(chosen=lambda _: now["role"]))
    rules = guild.get_channel(RULES)
    gate = guild.get_channel(GATE)
    assert rules is not None
    assert gate is not None
    for one in (rules, gate):
        guild._remove_channel(one)
    assert known.gated() == ["guild"]
    now["role"] = str(MEMBER)
    assert known.gated() == []


def test_roles_and_rooms_are_those_of_a_guild_that_is_there(guild: discord.Guild) -> None:
    """Neither of a space of the settings' own, nor of a guild in an outage."""
    known = DiscordCommunities()
    assert (known.roles(space_of(GUILD)), known.away()) == ({}, 0)
    known.follow(_client(guild), GuildRules(preset={GUILD: MEMBER}))
    assert known.roles(space_of(GUILD))[str(MEMBER)] == "Member"
    assert known.member_role(space_of(GUILD)) == str(MEMBER)
    assert known.rooms(SpaceId("home"), None) == []
    guild.unavailable = True
    assert known.roles(space_of(GUILD)) == {}
    assert known.away() == 1


@pytest.mark.parametrize(
    ("where", "shown"),
    [(RULES, f"#{HALL} #rules #{STAFF}"), (HALL, f"#hall #rules #{STAFF}")],
)
def test_before_strangers_a_channel_of_the_members_has_no_name(
    guild: discord.Guild, where: int, shown: str
) -> None:
    """Discord shows it to those alone who see it."""
    text = f"<#{HALL}> <#{RULES}> <#{STAFF}>"
    place: Any = guild.get_channel(where)
    data: Any = payload(text, channel=where)
    written = discord.Message(state=guild._state, channel=place, data=data)
    assert text_of(written, (7, "Eko"), chosen(MEMBER)) == shown


def _client(guild: discord.Guild) -> discord.Client:
    return guild._state._get_client()


def test_a_channel_that_shuts_the_pet_up_is_named() -> None:
    """Where everybody may write; a channel of announcements, or one it does not see, is not."""
    mute = {"id": str(USER["id"]), "type": 1, "allow": "0", "deny": str(SEND)}
    blind = {**mute, "deny": str(SEND | VIEW)}
    told = guild_of(
        [
            channel(HALL, "hall", mute),
            channel(RULES, "rules", overwrite(GUILD, deny=SEND)),
            channel(STAFF, "staff", blind),
            channel(GATE, "gate"),
        ],
        roles=[role(GUILD, "@everyone", probe_permissions().value)],
    )
    client, communities = knowing(), DiscordCommunities()
    communities.follow(client, GuildRules())
    client._connection._guilds.clear()
    client._connection.parse_guild_create({**told, "unavailable": False})
    assert communities.lacking() == {"guild": ["Send Messages: #hall"]}


def test_permissions_that_a_guild_did_not_give_are_known() -> None:
    """By the pet's own roles; nothing is said of a guild whose member it is not yet known to be."""
    client, communities = knowing(), DiscordCommunities()
    communities.follow(client, GuildRules())
    lacked = ["Send Messages in Threads", "Add Reactions", "Attach Files"]
    assert communities.lacking() == {"guild": lacked}
    given = role(GUILD, "@everyone", probe_permissions().value)
    told = {**guild_of([]), "roles": [given], "unavailable": False}
    client._connection._guilds.clear()
    client._connection.parse_guild_create(told)
    assert communities.lacking() == {}
    client._connection._guilds.clear()
    client._connection.parse_guild_create({**guild_of([], members=[]), "unavailable": False})
    assert communities.lacking() == {}
