"""What rooms said before the pet came, read an hour after they were told. Values."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NewType

from memory.model.histories import ImportId
from memory.model.rooms import RoomId
from memory.model.shown import Shown

ReadBackId = NewType("ReadBackId", int)

TIME_TO_OBJECT = timedelta(hours=1)
"""From when a room was told until it is read: nothing is asked of its platform before."""


class ReadBackState(StrEnum):
    """How far the reading of a room's past is."""

    ASKED = "asked"
    """The room is yet to be told."""
    TOLD = "told"
    """It waits until people could object, or is being read; after a crash it goes on."""
    READ = "read"
    STOPPED = "stopped"
    """A manager of the room ended it, or the room was closed."""
    FAILED = "failed"
    """The platform refused to tell the room, or to list what was said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomReadBack:
    """The reading of one room's `days` before it was asked for, in the language of who asked.

    It is kept as the import `import_id`; `stored` of its lines are kept so far.
    """

    id: ReadBackId
    room: Shown[RoomId]
    days: Shown[int]
    locale: str
    asked_at: datetime
    told_at: Shown[datetime | None]
    state: Shown[ReadBackState]
    import_id: Shown[ImportId | None] = None
    stored: Shown[int] = 0

    @property
    def is_open(self) -> bool:
        """Whether it is still to be read."""
        return self.state in {ReadBackState.ASKED, ReadBackState.TOLD}

    @property
    def due_at(self) -> datetime | None:
        """When people have had time to object; None while the room is not told."""
        return None if self.told_at is None else self.told_at + TIME_TO_OBJECT
