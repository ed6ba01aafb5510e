"""Matrix's rooms in the pet's terms. Pure.

What is not known of a room counts as what lets the least out of it.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from bot.channels.matrix.service.json_values import (
    Json,
    map_in,
    maps_in,
    number_in,
    text_in,
    texts_in_list,
)
from bot.platforms.moved_rooms import MovedRooms
from memory.model.rooms import SpaceId

PLATFORM = "matrix"
"""The platform of the rooms and accounts."""

MANAGES_FROM = 50
"""The power level of moderators by the specification; below it nothing is managed."""

_KEPT = frozenset(
    {
        "m.room.create",
        "m.room.name",
        "m.room.canonical_alias",
        "m.room.join_rules",
        "m.room.history_visibility",
        "m.room.power_levels",
        "m.room.encryption",
        "m.space.child",
        "m.space.parent",
    }
)
"""The state that says what a room is; who is in it is kept elsewhere."""

_OWNED_BY_CREATORS = 12
"""The first version of rooms whose creators stand above all levels."""


def space_of(room: str) -> SpaceId:
    """The community that a space is, or a room without one."""
    return SpaceId(f"{PLATFORM}:{room}")


class CommunityKind(StrEnum):
    """Of which community a room is."""

    OWN = "own"
    """It is in no space the pet knows: who is in it is the community."""
    OPEN = "open"
    """It is in a space that anybody may join."""
    CLOSED = "closed"
    """It is in a space that not everybody may join."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exposure:
    """Who can read what is said in a room, against its community: see RoomRef."""

    confidential: bool
    public: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """What decides who can read what is said in a room.

    `lets_in`: whether the rule lets in every member of the room's space. `strangers`: whether
    accounts are in the room that are not in its space.
    """

    join_rule: str
    history: str
    community: CommunityKind
    lets_in: bool = False
    strangers: bool = False


def exposure_of(access: Access) -> Exposure:
    """Who can read along: the rules of docs/matrix.md, closed wherever something is not known."""
    if access.join_rule not in _JOIN_RULES or access.history not in _HISTORIES:
        return Exposure(confidential=True, public=True)
    is_hidden_from_late = access.history in {"invited", "joined"}
    is_before_all = access.history == "world_readable"
    if access.community is CommunityKind.OWN:
        return Exposure(confidential=is_hidden_from_late, public=is_before_all)
    is_open_to_members = access.join_rule == "public" or access.lets_in
    is_open_to_strangers = access.community is CommunityKind.CLOSED and (
        access.join_rule == "public" or access.strangers
    )
    return Exposure(
        confidential=is_hidden_from_late or not is_open_to_members,
        public=is_before_all or is_open_to_strangers,
    )


_JOIN_RULES = frozenset({"public", "knock", "invite", "private", "restricted", "knock_restricted"})
_HISTORIES = frozenset({"world_readable", "shared", "invited", "joined"})


@dataclass(slots=True)
class RoomState:
    """What is known of one room from its state events, by their types and keys."""

    events: dict[tuple[str, str], Json] = field(default_factory=dict)

    def apply(self, event: Json) -> None:
        """Take a state event; others, and those of no interest, change nothing."""
        kind, key = text_in(event, "type"), event.get("state_key")
        if kind in _KEPT and isinstance(key, str):
            self.events[kind, key] = event

    def content(self, kind: str, key: str = "") -> Json:
        """The content of a state event; empty where there is none."""
        return map_in(self.events.get((kind, key), {}), "content")

    @property
    def name(self) -> str:
        """What the room is called, "" where it has no name."""
        given = text_in(self.content("m.room.name"), "name").strip()
        return given or text_in(self.content("m.room.canonical_alias"), "alias")

    @property
    def predecessor(self) -> str:
        """The room that it says it follows, "" where it says none."""
        return text_in(map_in(self.content("m.room.create"), "predecessor"), "room_id")

    @property
    def is_space(self) -> bool:
        """Whether it holds rooms instead of talk."""
        return text_in(self.content("m.room.create"), "type") == "m.space"

    @property
    def is_encrypted(self) -> bool:
        """Whether what is said in it is."""
        return ("m.room.encryption", "") in self.events

    @property
    def join_rule(self) -> str:
        """Who may join; by the specification "invite" where nothing is said."""
        content = self.content("m.room.join_rules")
        return text_in(content, "join_rule") or ("?" if content else "invite")

    @property
    def history(self) -> str:
        """Who may read what was said; by the specification "shared" where nothing is said."""
        content = self.content("m.room.history_visibility")
        return text_in(content, "history_visibility") or ("?" if content else "shared")

    @property
    def let_in(self) -> frozenset[str]:
        """The rooms whose members the rule for joining lets in."""
        allowed = maps_in(self.content("m.room.join_rules"), "allow")
        return frozenset(
            text_in(one, "room_id")
            for one in allowed
            if text_in(one, "type") == "m.room_membership"
        )

    @property
    def children(self) -> frozenset[str]:
        """The rooms that a space holds; one without a way in was taken out of it."""
        return frozenset(
            key
            for kind, key in self.events
            if kind == "m.space.child" and texts_in_list(self.content(kind, key), "via")
        )

    @property
    def main_parents(self) -> frozenset[str]:
        """The spaces that the room itself calls the main one it is in."""
        return frozenset(
            key
            for kind, key in self.events
            if kind == "m.space.parent" and self.content(kind, key).get("canonical") is True
        )

    def is_managed_by(self, user: str) -> bool:
        """Whether an account has the power to change what the room is."""
        if user in self._owners:
            return True
        levels = self.content("m.room.power_levels")
        if not levels:
            return user == text_in(self.events.get(("m.room.create", ""), {}), "sender")
        default = number_in(levels, "users_default", 0)
        power = number_in(map_in(levels, "users"), user, default)
        return power >= max(MANAGES_FROM, number_in(levels, "state_default", MANAGES_FROM))

    @property
    def _owners(self) -> frozenset[str]:
        content = self.content("m.room.create")
        if number_in(content, "room_version", 1) < _OWNED_BY_CREATORS:
            return frozenset()
        creator = text_in(self.events.get(("m.room.create", ""), {}), "sender")
        return frozenset({creator, *texts_in_list(content, "additional_creators")})


@dataclass(slots=True)
class KnownRooms:
    """The rooms that the pet is in, and which of them its account calls direct."""

    states: dict[str, RoomState] = field(default_factory=dict)
    direct_with: dict[str, list[str]] = field(default_factory=dict)
    """The direct rooms by the accounts they are with."""
    moves: MovedRooms[str] = field(default_factory=MovedRooms)
    """The rooms that were upgraded, by their first ids and by those of now."""

    @property
    def direct(self) -> frozenset[str]:
        """The rooms that the account calls direct."""
        return frozenset(room for rooms in self.direct_with.values() for room in rooms)

    def joined(self, room: str) -> RoomState:
        """The state of a room that the pet is in."""
        return self.states.setdefault(room, RoomState())

    def left(self, room: str) -> None:
        """Know nothing more of a room."""
        self.states.pop(room, None)

    def take_direct(self, content: Json) -> None:
        """Take the list of direct rooms by the accounts they are with."""
        self.direct_with = {user: texts_in_list(content, user) for user in content}

    def space_with(self, room: str) -> str | None:
        """The space that holds a room; of several the one that it calls its main one.

        Only the space itself is believed: a room could name any. None where there is none, or no
        telling which.
        """
        holding = {
            id_ for id_, state in self.states.items() if state.is_space and room in state.children
        }
        if len(holding) > 1:
            holding &= self.states[room].main_parents if room in self.states else frozenset()
        return next(iter(holding)) if len(holding) == 1 else None


def thread_id(room: str, root: str) -> str:
    """How a thread is known: its room, and the message it began at."""
    return f"{room}/{root}"


def parts_of(external_id: str) -> tuple[str, str | None]:
    """A room, and the message that the thread began at if it is one."""
    room, slash, root = external_id.rpartition("/$")
    return (room, f"${root}") if slash else (external_id, None)
