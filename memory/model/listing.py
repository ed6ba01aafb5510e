"""Statements for looking through: filtered, in pages, and what held until when. Values."""

from dataclasses import dataclass
from datetime import datetime

from memory.model.knowledge import CoreFact
from memory.model.people import PersonId
from memory.model.rooms import RoomId, SpaceId, Visibility
from memory.model.shown import Shown
from memory.model.statements import Association, Memory, MemoryId, MemoryType, Relation, Source
from memory.model.stores import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementFilter:
    """Which statements are wanted: all criteria hold together.

    `person` said them or is whom they are about. `since` is the first moment that counts, `until`
    the first that does not. With `at` those are wanted that held at that moment.
    """

    store: Store | None = None
    memory_type: MemoryType | None = None
    category: str | None = None
    person: PersonId | None = None
    room: RoomId | None = None
    space: SpaceId | None = None
    visibility: Visibility | None = None
    source: Source | None = None
    since: datetime | None = None
    until: datetime | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class StatementPosition:
    """Where a page of statements ended: when its last one was said, and its place of that time."""

    said_at: int
    seq: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementPage:
    """Statements, the latest said first, and where the next page begins; None on the last."""

    statements: tuple[Memory, ...]
    next: StatementPosition | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLine:
    """A message that a statement rests on."""

    id: Shown[int]
    author: Shown[str]
    text: Shown[str]
    at: Shown[datetime]
    room: Shown[RoomId]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tied:
    """A statement that another is tied to, and how."""

    memory: Memory
    tie: Association


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonFacts:
    """A person with the core facts about them."""

    person: PersonId
    name: str
    facts: tuple[CoreFact, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Archived:
    """A statement that has expired; `archived_at` is None once it was brought back."""

    id: Shown[MemoryId]
    store: Shown[Store]
    content: Shown[str]
    kind: Shown[str]
    expires_at: Shown[datetime | None]
    archived_at: Shown[datetime | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptStatement:
    """A statement that was kept of a person's own words, and the words of what it replaced."""

    seq: int
    id: MemoryId
    content: str
    replaced: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldStatement:
    """A statement in its history, with what took its place and what that was to it."""

    memory: Memory
    survivor: MemoryId | None = None
    relation: Relation | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Month:
    """What was said of one category in one month (UTC, `2026-01`), and how much holds still."""

    month: str
    category: str
    said: int
    holds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Replaced:
    """A statement that held, and the words of what took its place."""

    memory: Memory
    survivor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """How many statements of a store have this kind (category or type), source and state.

    `state` is holds, expired (recalled no more, not swept yet), archived or replaced.
    """

    store: Store
    kind: str
    source: Source
    state: str
    statements: int
