"""What a room of Matrix is to the pet, by its state."""

from collections.abc import Mapping
from typing import Any

import pytest

from bot.channels.matrix.inbound.rooms import (
    Access,
    CommunityKind,
    Exposure,
    KnownRooms,
    RoomState,
    exposure_of,
    parts_of,
    thread_id,
)

OPEN = Exposure(confidential=False, public=False)
SHUT = Exposure(confidential=True, public=False)
WIDE = Exposure(confidential=False, public=True)
BOTH = Exposure(confidential=True, public=True)
HISTORIES = ("world_readable", "shared", "invited", "joined", "unheard-of")

OWN = {
    "public": (WIDE, OPEN, SHUT, SHUT, BOTH),
    "knock": (WIDE, OPEN, SHUT, SHUT, BOTH),
    "invite": (WIDE, OPEN, SHUT, SHUT, BOTH),
    "private": (WIDE, OPEN, SHUT, SHUT, BOTH),
    "restricted": (WIDE, OPEN, SHUT, SHUT, BOTH),
    "knock_restricted": (WIDE, OPEN, SHUT, SHUT, BOTH),
    "unheard-of": (BOTH, BOTH, BOTH, BOTH, BOTH),
}
SPACE_OPEN = {
    "public": (WIDE, OPEN, SHUT, SHUT, BOTH),
    "knock": (BOTH, SHUT, SHUT, SHUT, BOTH),
    "invite": (BOTH, SHUT, SHUT, SHUT, BOTH),
    "private": (BOTH, SHUT, SHUT, SHUT, BOTH),
    "restricted": (BOTH, SHUT, SHUT, SHUT, BOTH),
    "knock_restricted": (BOTH, SHUT, SHUT, SHUT, BOTH),
    "unheard-of": (BOTH, BOTH, BOTH, BOTH, BOTH),
}
SPACE_CLOSED = SPACE_OPEN | {"public": (WIDE, WIDE, BOTH, BOTH, BOTH)}
LETS_IN = {
    "restricted": (WIDE, OPEN, SHUT, SHUT, BOTH),
    "knock_restricted": (WIDE, OPEN, SHUT, SHUT, BOTH),
}
"""Where the rule names the space that the room is in."""

CELLS = [
    (Access(join_rule=rule, history=history, community=kind, lets_in=lets_in), expected)
    for kind, lets_in, table in (
        (CommunityKind.OWN, False, OWN),
        (CommunityKind.OPEN, False, SPACE_OPEN),
        (CommunityKind.CLOSED, False, SPACE_CLOSED),
        (CommunityKind.OPEN, True, LETS_IN),
        (CommunityKind.CLOSED, True, LETS_IN),
    )
    for rule, row in table.items()
    for history, expected in zip(HISTORIES, row, strict=True)
]


@pytest.mark.parametrize(("access", "expected"), CELLS)
def test_each_cell_of_the_table_says_who_reads_along(access: Access, expected: Exposure) -> None:
    """What is not known of a room lets nothing out of it, and nothing in."""
    assert exposure_of(access) == expected


def test_strangers_in_a_room_of_a_closed_space_make_it_public() -> None:
    """They are told nothing that was said elsewhere in the space; an open one has no strangers."""
    room = {"join_rule": "restricted", "history": "shared", "lets_in": True, "strangers": True}
    assert exposure_of(Access(community=CommunityKind.CLOSED, **room)).public  # type: ignore[arg-type]
    assert not exposure_of(Access(community=CommunityKind.OPEN, **room)).public  # type: ignore[arg-type]


def test_a_room_without_rules_has_those_of_the_specification() -> None:
    """One whose rules cannot be read has none that is known."""
    assert (RoomState().join_rule, RoomState().history) == ("invite", "shared")
    odd = room_of(state("m.room.join_rules", {"join_rule": 7}))
    assert odd.join_rule == "?"


@pytest.mark.parametrize(
    ("levels", "manages"),
    [
        ({"users": {"@a:x": 50}}, True),
        ({"users": {"@a:x": "100"}}, True),
        ({"users": {"@a:x": 49}}, False),
        ({"users": {"@a:x": 50}, "state_default": 80}, False),
        ({"users_default": 0, "state_default": 0}, False),
        ({"users": {"@a:x": True}}, False),
        ({"users": ["@a:x"]}, False),
    ],
)
def test_power_is_what_changes_rooms(levels: Mapping[str, Any], *, manages: bool) -> None:
    """At least that of moderators, however little a room asks for."""
    assert room_of(state("m.room.power_levels", levels)).is_managed_by("@a:x") is manages


def test_creators_of_newer_rooms_stand_above_all_levels() -> None:
    """Not those of older ones, who may have given their power away."""
    levels = state("m.room.power_levels", {"users": {"@b:x": 100}})
    for version, manages in (("11", False), ("12", True)):
        made = {**state("m.room.create", {"room_version": version}), "sender": "@a:x"}
        assert room_of(made, levels).is_managed_by("@a:x") is manages


def test_only_a_space_itself_says_which_rooms_it_holds() -> None:
    """A room that names a space is in none by that; of several the room says which is the main."""
    rooms = KnownRooms()
    rooms.states["!room:x"] = room_of(
        state("m.space.parent", {"canonical": True, "via": ["x"]}, "!two:x")
    )
    assert rooms.space_with("!room:x") is None
    for space in ("!one:x", "!two:x"):
        child = state("m.space.child", {"via": ["x"]}, "!room:x")
        rooms.states[space] = room_of(state("m.room.create", {"type": "m.space"}), child)
    assert rooms.space_with("!room:x") == "!two:x"
    rooms.states["!two:x"].apply(state("m.space.child", {}, "!room:x"))
    assert rooms.space_with("!room:x") == "!one:x"


@pytest.mark.parametrize("room", ["!abc:example.org", "!abc", "!a/b:example.org"])
def test_a_thread_is_known_by_its_room_and_its_beginning(room: str) -> None:
    """And read back from that."""
    assert parts_of(thread_id(room, "$root/x")) == (room, "$root/x")
    assert parts_of(room) == (room, None)


def state(kind: str, content: Mapping[str, Any], key: str = "") -> dict[str, Any]:
    """A state event."""
    return {"type": kind, "state_key": key, "content": content}


def room_of(*events: Mapping[str, Any]) -> RoomState:
    """A room with these events."""
    room = RoomState()
    for event in events:
        room.apply(event)
    return room
