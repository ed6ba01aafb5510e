"""Statements page by page: which are wanted, and where a page ended."""

from dataclasses import dataclass
from datetime import datetime

from memory.model.knowledge import CoreFact
from memory.model.people import PersonId
from memory.model.rooms import RoomId, SpaceId, Visibility
from memory.model.shown import Shown
from memory.model.statements import Association, Memory, MemoryType, Source
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
