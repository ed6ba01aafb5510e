"""What held until when: statements that were replaced, have expired or were forgotten."""

from dataclasses import dataclass
from datetime import datetime

from memory.model.shown import Shown
from memory.model.statements import Memory, MemoryId, Relation, Source
from memory.model.stores import Store


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
