"""Durable statements, where they came from, and how they are tied to each other."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NewType
from uuid import UUID

from memory.model.audience import Origin
from memory.model.messages import MessageId
from memory.model.people import PersonId
from memory.model.rooms import RoomId, Visibility
from memory.model.shown import Shown
from memory.model.stores import Store

MemoryId = NewType("MemoryId", UUID)


class Source(StrEnum):
    """Where a statement came from."""

    CONVERSATION = "conversation"
    CHAT = "chat"
    DIGEST = "digest"
    NOTE = "note"
    SEED = "seed"
    IMPORT = "import"


class MemoryType(StrEnum):
    """What kind of statement about people and their world this is."""

    IDENTITY = "identity"
    GOAL = "goal"
    DECISION = "decision"
    TODO = "todo"
    PREFERENCE = "preference"
    FACT = "fact"
    EVENT = "event"
    OBSERVATION = "observation"

    @property
    def default_importance(self) -> float:
        """Importance in 0..1 of a statement whose source gave none."""
        return _DEFAULT_IMPORTANCE[self]


_DEFAULT_IMPORTANCE = {
    MemoryType.IDENTITY: 1.0,
    MemoryType.GOAL: 0.9,
    MemoryType.DECISION: 0.8,
    MemoryType.TODO: 0.8,
    MemoryType.PREFERENCE: 0.7,
    MemoryType.FACT: 0.6,
    MemoryType.EVENT: 0.4,
    MemoryType.OBSERVATION: 0.3,
}


class SelfCategory(StrEnum):
    """What the pet notices about itself."""

    CONTEXT = "context"
    CAPABILITY = "capability"
    LIMITATION = "limitation"
    PREFERENCE = "preference"
    RELATION = "relation"


class GoalCategory(StrEnum):
    """What the pet wants."""

    CAPABILITY_REQUEST = "capability_request"
    UNDERSTANDING = "understanding"
    CONNECTION = "connection"


class Relation(StrEnum):
    """How one statement is tied to another, read from the first to the second."""

    RELATED_TO = "related_to"
    """They speak of the same thing; the only one without a direction."""
    UPDATES = "updates"
    """It took the place of the other, saying more or what is so now; kept as history."""
    CONTRADICTS = "contradicts"
    """It says the opposite of the other and took its place; or disagrees with it, and both stay
    where taking the place would lose something or what was meant cannot be told."""
    CAUSED_BY = "caused_by"
    """Its reason is the other, by words such as "because"."""
    RESULT_OF = "result_of"
    """It follows from the other, by words such as "therefore"."""
    PART_OF = "part_of"
    """It happened in, or belongs to, what the other names."""


class RowState(StrEnum):
    """What became of a row since something was made of it."""

    KNOWN = "known"
    """It is recalled as before."""
    FORGOTTEN = "forgotten"
    REPLACED = "replaced"
    """Another statement took its place."""
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"
    """A message that its author took back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMemory:
    """A statement on its way into a store.

    `importance` is in 0..1; None takes the default of the type.
    """

    store: Store
    content: str
    origin: Origin
    source: Source
    memory_type: MemoryType = MemoryType.FACT
    category: str | None = None
    subjects: tuple[str, ...] = ()
    importance: float | None = None
    ttl: timedelta | None = None
    said_by: str | None = None
    author: PersonId | None = None
    """Whose claim it is; where it is not given, who wrote the messages behind it."""
    about_person: PersonId | None = None
    """Whom it is about; read from its words where it is not given."""
    said_at: datetime | None = None
    """When it was said, if not now: its age and its time to live run from there."""
    corrects: bool = False
    """Whether it was said as a correction, by words that may stand beside it: "en fait"."""
    beside: str = ""
    """What its author said around it then, which may tell what a correction is about."""
    messages: tuple[MessageId, ...] = ()
    core: tuple[str, str] | None = None
    """The key and the value of what it says of its speaker, where that was read with it."""
    ends: tuple[MemoryId, ...] = ()
    """What no longer holds by it, where who read it was shown what is kept and says so."""
    shown: tuple[MemoryId, ...] = ()
    """What of the kept who read it was shown."""
    id: MemoryId | None = None
    """Given when the id is derived, so that writing it twice stores it once."""


class StatedBefore(StrEnum):
    """What is there of a statement that a file brings."""

    NOTHING = "nothing"
    KEPT = "kept"
    FORGOTTEN = "forgotten"


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementPlace:
    """The id of a statement that a file brings, and what is there under it."""

    id: MemoryId
    before: StatedBefore


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One durable statement as it is kept."""

    id: Shown[MemoryId]
    store: Shown[Store]
    content: Shown[str]
    memory_type: MemoryType
    category: Shown[str | None]
    subjects: Shown[tuple[str, ...]]
    importance: Shown[float]
    source: Shown[Source]
    said_by: Shown[str | None]
    author: PersonId | None
    """Whose claim it is; None where only a name is known, or nothing."""
    about_person: PersonId | None
    origin: Origin
    created_at: Shown[datetime]
    updated_at: datetime
    expires_at: Shown[datetime | None]
    revision: int
    words: str = ""
    """Its stems, as full text keeps them."""
    uses: int = 0
    """How often it was put before the model or listed by a tool."""
    said_at: datetime | None = None
    """When it was said; None where only when it was kept is known."""
    valid_until: Shown[datetime | None] = None
    """When what took its place was said; None while it holds."""

    @property
    def type(self) -> Shown[MemoryType]:
        """What kind of statement it is."""
        return self.memory_type

    @property
    def visibility(self) -> Shown[Visibility]:
        """How far it may travel."""
        return self.origin.visibility

    @property
    def room(self) -> Shown[RoomId | None]:
        """Where it was said."""
        return self.origin.room

    @property
    def valid_from(self) -> Shown[datetime]:
        """Since when it holds: since it was said, as far as that is known."""
        return self.said_at or self.created_at

    @property
    def is_reported(self) -> bool:
        """Whether it is what its author says of others, and is quoted as that."""
        is_claim = self.store is Store.MEMORY and self.author is not None
        return is_claim and bool(self.said_by) and self.about_person != self.author


Statement = NewMemory | Memory
"""What is about to be kept, or is: either can be compared with what is kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Association:
    """One statement tied to another; `weight` in 0..1 says how closely."""

    start: MemoryId
    end: MemoryId
    relation: Relation
    weight: float
