"""Who may know a row, from where it was said, and what a reader may know. Values, and pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NewType

from memory.model.people import AccountId, PersonId
from memory.model.rooms import HOME, Room, RoomId, RoomKind, SpaceId, Visibility

Audience = NewType("Audience", str)
"""Who may know a row, as one key: `person:<id>`, `space:<id>`, `room:<id>` or `everyone`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a statement was made, which decides who may ever know it."""

    visibility: Visibility
    person: PersonId | None = None
    room: RoomId | None = None
    space: SpaceId = HOME
    account: AccountId | None = None
    """The account that it was said from, where that is known; it decides nothing."""


EVERYONE = Audience("everyone")


def person_audience(person: PersonId) -> Audience:
    """The key of what one person said to the pet alone."""
    return Audience(f"person:{person}")


def person_in(audience: Audience) -> PersonId | None:
    """The one person who may know what has this key; None for every other key."""
    kind, _, whose = audience.partition(":")
    return PersonId(whose) if kind == "person" and whose else None


def space_audience(space: SpaceId) -> Audience:
    """The key of what was said in a group of this space."""
    return Audience(f"space:{space}")


def room_audience(room: RoomId) -> Audience:
    """The key of what was said in a confidential room."""
    return Audience(f"room:{room}")


def room_in(audience: Audience) -> RoomId | None:
    """The one room whose words have this key; None for every other key."""
    kind, _, which = audience.partition(":")
    return RoomId(which) if kind == "room" else None


@dataclass(frozen=True, slots=True)
class Scope:
    """What one reader may see: a row is visible when its audience is among `audiences`.

    `audiences` is None for the operator, who can read the data folder anyway.
    """

    audiences: frozenset[Audience] | None

    def allows(self, audience: Audience) -> bool:
        """Whether a row with this audience may be shown."""
        return self.audiences is None or audience in self.audiences

    def within(self, other: "Scope") -> "Scope":
        """What both of them allow."""
        if self.audiences is None or other.audiences is None:
            return other if self.audiences is None else self
        return Scope(self.audiences & other.audiences)


OPERATOR = Scope(None)
"""The scope of the command line; tests/rules holds that the path of a message never uses it."""


def scope_of(room: Room, person: PersonId, spaces: Iterable[SpaceId] = ()) -> Scope:
    """What may be recalled for this person in this room.

    `spaces` are the spaces the platform vouches the person is a member of; they count in direct
    rooms only, so that nothing crosses from one space into another's groups.
    A public room, which others than its community read too, is told only what was said in it.
    """
    keys = {EVERYONE, room_audience(room.id)}
    if room.kind is RoomKind.DIRECT:
        keys.add(person_audience(person))
        keys.update(space_audience(space) for space in spaces)
    elif not room.public:
        keys.add(space_audience(room.space))
    return Scope(frozenset(keys))


def closable_from(origin: Origin) -> Scope:
    """Whose statements about the pet one made there may close.

    Its own audience's; a statement for everyone, which only the operator makes, closes everybody's.
    What is said to some changes nothing for others: they would lose the old one and not learn the
    new one.
    """
    own = audience_of(origin)
    return OPERATOR if own == EVERYONE else Scope(frozenset({own}))


def origin_of(audience: Audience, room: RoomId) -> Origin:
    """The origin of what was said in a room to this audience; no person's when it is unreadable."""
    kind, _, whose = audience.partition(":")
    match kind:
        case "space":
            return Origin(visibility=Visibility.SPACE, space=SpaceId(whose), room=room)
        case "room":
            return Origin(visibility=Visibility.ROOM, room=RoomId(whose))
        case "person":
            return Origin(visibility=Visibility.PRIVATE, person=PersonId(whose), room=room)
        case _:
            return Origin(visibility=Visibility.PRIVATE)


def audience_of(origin: Origin) -> Audience:
    """The one key under which a row made there is visible.

    A private origin without a person, or a confidential one without a room, is visible in no
    scope but the operator's: closed is the default.
    """
    match origin.visibility:
        case Visibility.EVERYONE:
            return EVERYONE
        case Visibility.SPACE:
            return space_audience(origin.space)
        case Visibility.ROOM:
            return room_audience(origin.room or RoomId(""))
        case Visibility.PRIVATE:
            return person_audience(origin.person or PersonId(""))
