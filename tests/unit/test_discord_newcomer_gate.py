"""A gate for newcomers is recognised where there is no doubt, and nowhere else."""

from typing import Any

import discord
import pytest

from bot.channels.discord.newcomer_gate import NewcomerGate, gate_of
from tests.discord_world import CONNECT, PET, knowing
from tests.edge.discord_guild import GUILD, SEND, VIEW, guild_of, text_channel
from tests.unit.test_discord_gate import ADMINISTRATOR, role

VERIFIED, LEVEL, STAFF, GUEST, BOSS, PROGRAM = range(51, 57)
WELCOME, HALL, GARDEN, OFFICE, TALK = (10**17 + each for each in range(20, 25))
NAMES = {
    VERIFIED: "Verified",
    LEVEL: "Level 5",
    STAFF: "Staff",
    GUEST: "Guest",
    BOSS: "Boss",
    PROGRAM: "Program",
}
MEMBERS = [{VERIFIED}, {VERIFIED}, {VERIFIED, LEVEL}, {VERIFIED, STAFF}, set()]
"""The roles of five people, one of whom has only joined."""


def place(number: int, *opens: int, shut: bool = True, **fields: Any) -> dict[str, Any]:
    """A channel that is hidden from everyone, unless it is not shut, and opened to some roles."""
    hidden = [{"id": str(GUILD), "type": 0, "allow": "0", "deny": str(VIEW)}] if shut else []
    opened = [{"id": str(one), "type": 0, "allow": str(VIEW), "deny": "0"} for one in opens]
    told = text_channel(number, f"c{number}")
    return {**told, "permission_overwrites": hidden + opened, **fields}


def by_name(account: int) -> dict[str, Any]:
    """What lets one account into a channel."""
    return {"id": str(account), "type": 1, "allow": str(VIEW), "deny": "0"}


def told_of(*channels: dict[str, Any], everyone: int = VIEW | SEND | CONNECT) -> discord.Guild:
    """A guild with these channels."""
    client = knowing()
    client._connection._guilds.clear()  # the one that it knows has other channels
    roles = [role(GUILD, "@everyone", everyone)]
    roles += [role(number, name, 0) for number, name in NAMES.items() if number < BOSS]
    roles.append(role(BOSS, "Boss", ADMINISTRATOR))
    roles.append({**role(PROGRAM, "Program", 0), "managed": True, "tags": {"bot_id": "99"}})
    told = guild_of(channels, roles=roles)
    client._connection.parse_guild_create({**told, "unavailable": False})
    found = client.get_guild(GUILD)
    assert found is not None
    return found


def read_only(number: int) -> dict[str, Any]:
    """A channel that everyone reads and nobody writes in."""
    silent = {"id": str(GUILD), "type": 0, "allow": "0", "deny": str(SEND)}
    return {**text_channel(number, "rules"), "permission_overwrites": [silent]}


def names(gate: NewcomerGate | None) -> set[str]:
    """The roles that it could be."""
    return set() if gate is None else {one.name for one in gate.candidates}


@pytest.mark.parametrize(
    "channels",
    [
        [place(HALL, VERIFIED)],
        [read_only(WELCOME), place(HALL, VERIFIED)],
        [place(WELCOME, shut=False), place(HALL, VERIFIED), place(GARDEN, VERIFIED)],
        [place(HALL, VERIFIED), place(OFFICE, STAFF)],
        [place(HALL, VERIFIED, STAFF), place(OFFICE, STAFF)],
        [place(HALL, VERIFIED, PROGRAM), place(GARDEN, VERIFIED)],
    ],
)
def test_one_role_that_most_have_and_that_alone_opens_is_recognised(
    channels: list[dict[str, Any]],
) -> None:
    """Whatever else a few see, or see besides; who sees all by rank does not count."""
    gate = gate_of(told_of(*channels), MEMBERS)
    assert gate is not None
    assert gate.role is not None
    assert gate.role.name == "Verified"


@pytest.mark.parametrize(
    ("channels", "people", "candidates"),
    [
        ([place(HALL, VERIFIED, LEVEL)], [{VERIFIED, LEVEL}] * 5, {"Verified", "Level 5"}),
        ([place(HALL, VERIFIED, GUEST), place(GARDEN, VERIFIED)], MEMBERS, {"Verified", "Guest"}),
        ([place(HALL, VERIFIED)], [], {"Verified"}),
        ([place(HALL, VERIFIED)], [{VERIFIED}] * 2, {"Verified"}),
        ([place(HALL, VERIFIED)], [{VERIFIED}] * 3 + [set()] * 2, {"Verified"}),
        ([place(HALL, STAFF), place(OFFICE, STAFF)], MEMBERS, {"Staff"}),
        ([place(HALL), place(OFFICE)], MEMBERS, set()),
    ],
)
def test_where_there_is_doubt_nothing_is_recognised(
    channels: list[dict[str, Any]], people: list[set[int]], candidates: set[str]
) -> None:
    """Two roles that most have; one whose holders see a part; too few people, too few of them."""
    gate = gate_of(told_of(*channels), people)
    assert gate is not None
    assert gate.role is None
    assert names(gate) == candidates


def test_somebody_who_is_let_in_by_name_is_a_doubt() -> None:
    """They need not have the role, and would hear what is said where they are not; the pet may."""
    both = [place(HALL, VERIFIED), place(GARDEN, VERIFIED)]
    both[0]["permission_overwrites"].append(by_name(PET))
    gate = gate_of(told_of(*both), MEMBERS)
    assert gate is not None
    assert gate.role is not None
    both[0]["permission_overwrites"].append(by_name(1234))
    gate = gate_of(told_of(*both), MEMBERS)
    assert gate is not None
    assert gate.role is None


@pytest.mark.parametrize(
    "channels",
    [
        [place(HALL, shut=False)],
        [place(HALL, shut=False), place(OFFICE, STAFF)],
        [place(HALL, shut=False), place(GARDEN, shut=False), place(OFFICE, VERIFIED)],
        [place(HALL, shut=False), place(OFFICE, VERIFIED)],
        [read_only(WELCOME)],
        [],
    ],
)
def test_an_open_guild_has_no_gate(channels: list[dict[str, Any]]) -> None:
    """Also where most have a role that opens a channel more: nothing is said of it then."""
    assert gate_of(told_of(*channels), MEMBERS) is None


def test_a_voice_channel_is_open_to_who_may_enter() -> None:
    """To see it is not enough."""
    enters = {"id": str(VERIFIED), "type": 0, "allow": str(VIEW | CONNECT), "deny": "0"}
    sees = {"id": str(LEVEL), "type": 0, "allow": str(VIEW), "deny": "0"}
    talk = place(TALK, type=2, bitrate=1, user_limit=0)
    shut = {"id": str(GUILD), "type": 0, "allow": "0", "deny": str(VIEW | CONNECT)}
    talk["permission_overwrites"] = [shut, enters, sees]
    gate = gate_of(told_of(talk), [{VERIFIED, LEVEL}] * 4)
    assert gate is not None
    assert gate.role is not None
    assert gate.role.name == "Verified"
