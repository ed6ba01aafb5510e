"""Rooms and spaces: where people and the pet talk, and how far that may travel."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NewType

from memory.model.people import Signature

RoomId = NewType("RoomId", str)

SpaceId = NewType("SpaceId", str)

HOME = SpaceId("home")
"""The space of everything that belongs to no guild."""


class Visibility(StrEnum):
    """How far a statement may travel from where it was said."""

    PRIVATE = "private"
    """Said in a direct room: recalled in that person's direct rooms only, on any channel."""
    SPACE = "space"
    """Said in a group: recalled in that space and in its members' direct rooms."""
    ROOM = "room"
    """Said in a confidential room, or before strangers: never leaves it."""
    EVERYONE = "everyone"
    """About the pet itself, written by the operator."""


class RoomKind(StrEnum):
    """How many people a room holds."""

    DIRECT = "direct"
    GROUP = "group"


class RoomRole(StrEnum):
    """What the pet does in a room."""

    LOBBY = "lobby"
    """Observed; answered only when addressed."""
    PET = "pet"
    """Everything is answered."""
    MENTION = "mention"
    """Answered when addressed; nothing is observed."""
    IGNORED = "ignored"
    """Neither."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A place where people and the pet talk."""

    id: RoomId
    platform: str
    external_id: str
    name: str
    kind: RoomKind
    role: RoomRole
    space: SpaceId = HOME
    confidential: bool = False
    public: bool = False
    """Whether others than its community read it too."""
    parent: RoomId | None = None
    """The room that it hangs under, as a thread does."""
    starter: str | None = None
    """The platform's id of the message that it hangs on, as a thread does."""
    community: str = ""
    """What its community is called on its platform, "" where it has no name."""
    proposed: RoomRole | None = None
    """The role that its platform proposes, where it has another one."""

    @property
    def visibility(self) -> Visibility:
        """How far what is said here may travel."""
        if self.confidential or self.public:
            return Visibility.ROOM
        return Visibility.PRIVATE if self.kind is RoomKind.DIRECT else Visibility.SPACE


EVERYWHERE = SpaceId("*")
"""Stands for every space there is, and for those there are not yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """A time in which nothing is read, kept or answered in a space; `until` is None while it is."""

    space: SpaceId
    since: datetime
    by: Signature
    until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomChoice:
    """What was chosen for a room while the pet ran; no `role` is what settings and platform say."""

    role: RoomRole | None = None
    confidential: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomWish:
    """What is to be chosen for a room; None leaves it as it is.

    `default_role` takes the choice of a role back. With `past` what was said before is closed too,
    where the room becomes confidential.
    """

    role: RoomRole | None = None
    default_role: bool = False
    confidential: bool | None = None
    past: bool = False
