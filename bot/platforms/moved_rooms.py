"""Rooms that go on under another id on their platform; the pet keeps each by its first. Values."""

from dataclasses import dataclass, field
from typing import Generic, TypeVar

Id = TypeVar("Id", int, str)
"""What a platform calls a room by."""


@dataclass(slots=True)
class MovedRooms(Generic[Id]):
    """The first ids of rooms by those of now, and the other way round.

    What was said in a room stays its own that way, whatever it is called by since.
    """

    first: dict[Id, Id] = field(default_factory=dict)
    now: dict[Id, Id] = field(default_factory=dict)

    def moved(self, old: Id, new: Id) -> None:
        """Take note that a room has another id now."""
        first = self.first_of(old)
        if first != new:
            self.first[new], self.now[first] = first, new

    def first_of(self, room: Id) -> Id:
        """The id under which the pet keeps a room."""
        return self.first.get(room, room)

    def now_of(self, kept: Id) -> Id:
        """The id that a room has on its platform now."""
        return self.now.get(kept, kept)
