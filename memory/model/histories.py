"""Histories that are brought along from other programs, and what came of each. Values."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NewType

from memory.model.audience import Audience
from memory.model.errors import EkoMemoryError
from memory.model.people import AccountId, PersonId
from memory.model.rooms import RoomId
from memory.model.shown import Shown

ImportId = NewType("ImportId", int)

HISTORY = "history"
"""The platform of rooms and accounts that only a file tells of: no channel has this name."""

UNDO_IMPORT_WITHIN = timedelta(hours=24)
"""How long an import is undone without a trace; later it is forgotten as anything else is."""


class NothingToTakeBack(EkoMemoryError):
    """There is no such import, or it was undone already."""


class HistoryState(StrEnum):
    """How far an import has come."""

    READING = "reading"
    """It is being read, or was broken off: the same file goes on where it ended."""
    READ = "read"
    UNDOING = "undoing"
    """It is being undone, or that was broken off: undoing it again goes on."""
    UNDONE = "undone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """That a message came with a file: by which import, and who may know it.

    `person` wrote it, where that was chosen or matched. `account` is one of theirs that files alone
    tell of; None where the author's own account on their platform is known. `ordinal` is how many
    lines of its author with the same words stand before it in its minute.
    """

    by: ImportId
    audience: Audience
    person: PersonId | None = None
    account: AccountId | None = None
    ordinal: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryFile:
    """A file that is to be read into a room, by a model too where that was chosen."""

    file: str
    fingerprint: str
    format: str
    room: RoomId
    audience: Audience
    by_model: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryCounts:
    """What became of the lines of a file so far.

    `left_out` are those of people left out or not observed, and what no person said.
    """

    stored: Shown[int] = 0
    known: Shown[int] = 0
    forgotten: Shown[int] = 0
    left_out: Shown[int] = 0
    unreadable: Shown[int] = 0

    def __add__(self, other: "HistoryCounts") -> "HistoryCounts":
        """Both together."""
        return HistoryCounts(
            stored=self.stored + other.stored,
            known=self.known + other.known,
            forgotten=self.forgotten + other.forgotten,
            left_out=self.left_out + other.left_out,
            unreadable=self.unreadable + other.unreadable,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BroughtHistory(HistoryCounts):
    """One import as it is kept; its file has no name any more once it was undone."""

    id: Shown[ImportId]
    file: Shown[str]
    format: Shown[str]
    room: Shown[RoomId]
    audience: Audience
    state: Shown[HistoryState]
    read_to: int
    by_model: Shown[bool]
    begun_at: Shown[datetime]
    read_at: Shown[datetime | None]
    undone_at: Shown[datetime | None]

    @property
    def counts(self) -> HistoryCounts:
        """What became of its lines so far."""
        return HistoryCounts(
            stored=self.stored,
            known=self.known,
            forgotten=self.forgotten,
            left_out=self.left_out,
            unreadable=self.unreadable,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class GoingWithImport:
    """What goes when an import is undone: messages, and what rests on them alone."""

    messages: Shown[int]
    statements: Shown[int]
    people: Shown[int]
    samples: Shown[tuple[str, ...]] = ()
    """The latest few of its lines."""
