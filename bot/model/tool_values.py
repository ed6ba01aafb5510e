"""What tools come to, as values, for a model that reads no prose. Pure.

A tool tells a language model in words and gives the same as one of these, so that the words
are not read again to find out what they said.
"""

from dataclasses import dataclass, field
from datetime import datetime

from memory.model.claims import Claim
from memory.model.elsewhere import NOWHERE, Elsewhere
from memory.model.forgetting import Counts
from memory.model.namesakes import NamesOfPeople
from memory.model.people import PersonId
from memory.model.reminders import OwnReminders, ReminderRefused, ReminderSet

EXCHANGE = "exchange"
"""The kind of a row that is an earlier talk with the pet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedRow:
    """One row as a tool lists it; `id` is the one a model is shown.

    `kind`, `age` and `where` are in words: "fact", "3 days ago", "in lobby"; "" where unknown.
    Of an exchange half is the pet's own, so it has no author: `spoke_with` names the other.
    """

    id: str
    kind: str
    content: str
    age: str = ""
    said_by: str | None = None
    """What its author is called now."""
    then: str = ""
    """What they were called then, where that is another name."""
    person: PersonId | None = None
    """Who they are."""
    renamed: tuple[tuple[str, str], ...] = ()
    """Names in it that people no longer go by, each with the name they have now."""
    reported: bool = False
    """Whether it is what `said_by` says of others."""
    own: bool = False
    """Whether the person who is answered said it."""
    against: tuple[str, ...] = ()
    """Who says what cannot hold beside it."""
    spoke_with: str | None = None
    where: str = ""
    is_edited: bool = False
    ref: str = ""
    """The row as the ledger names it, see `Candidate.ref`."""

    @property
    def is_exchange(self) -> bool:
        """Whether the pet itself took part."""
        return self.kind == EXCHANGE


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """The rows that a search found."""

    rows: tuple[ListedRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementStored:
    """A statement is kept; it was known before unless `is_new`."""

    is_new: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementForgotten:
    """A statement is not kept: it says what was forgotten before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementRefused:
    """A statement is not for the person to have forgotten; `said_by` is whose word it is, if known.

    `is_about_others`: it is about the person, and about others as well.
    """

    said_by: str | None
    is_about_others: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerExplained:
    """What stood behind the previous reply; `gone` rows more are recalled no longer."""

    rows: tuple[ListedRow, ...]
    gone: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgettingCounted:
    """How many rows of each kind a forgetting would take, or took.

    `samples` of them, where the asker alone reads the answer, and `offered` lines that may be meant
    as well, `unseen` of them elsewhere; `said_by` are those whose words it is, where none of it is
    the asker's.
    """

    counts: Counts
    samples: tuple[str, ...] = ()
    offered: tuple[str, ...] = ()
    unseen: int = 0
    said_by: tuple[str, ...] = ()
    elsewhere: Elsewhere = NOWHERE
    """Which other processes of the pet have forgotten it too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidLine:
    """A line word for word: who said it, when (aware), in which room; `by_pet` is the pet's own.

    `author` is what its `person` is called now. `private`: its author and the pet were alone.
    `is_here`: in the room that is answered in.
    """

    text: str
    author: str
    at: datetime
    room: str
    by_pet: bool
    private: bool
    is_here: bool
    person: PersonId | None = None
    then: str = ""
    """What its author was called then, where that is another name."""
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadBack:
    """What was said, oldest first, and every name that its authors went by."""

    lines: tuple[SaidLine, ...]
    names: NamesOfPeople = field(default_factory=dict)


ToolValue = (
    ReadBack
    | Listed
    | StatementStored
    | StatementForgotten
    | StatementRefused
    | AnswerExplained
    | ForgettingCounted
    | ReminderSet
    | ReminderRefused
    | OwnReminders
)
