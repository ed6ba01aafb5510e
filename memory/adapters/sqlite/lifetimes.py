"""What held when: statements at a past moment, what took whose place, and how a store grew."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory.adapters.sqlite.columns import audiences, millis
from memory.adapters.sqlite.database import Database
from memory.adapters.sqlite.memories import memory_of
from memory.adapters.sqlite.queries import queries
from memory.model import Memory, MemoryId, Relation, Source, Store
from memory.ports import Clock
from memory.scope import Scope

_SQL = queries("lifetimes")


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A statement in its history, with what took its place and what that was to it."""

    memory: Memory
    heir: MemoryId | None = None
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
    heir: str


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


class Lifetimes:
    """Reads statements that held once beside those that do. Every reading takes a scope."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def as_of(
        self, at: datetime, store: Store | None, scope: Scope, limit: int
    ) -> list[Memory]:
        """What had been said and still held at a moment, latest first; nothing forgotten."""
        values = {
            "at": millis(at),
            "store": store,
            "audiences": audiences(scope),
            "limit": limit,
        }
        return [memory_of(row) for row in await self._database.all(_SQL["as_of"], values)]

    async def called(self, beginning: str, scope: Scope) -> Sequence[MemoryId]:
        """The statements whose id begins like this; two when it is not one alone."""
        values = {"beginning": beginning, "audiences": audiences(scope)}
        rows = await self._database.all(_SQL["called"], values)
        return [MemoryId(UUID(row["id"])) for row in rows]

    async def history(self, memory: MemoryId, scope: Scope) -> list[Held]:
        """What a statement took the place of and what took its place, as they were said."""
        values = {"id": str(memory), "audiences": audiences(scope)}
        return [
            Held(
                memory=memory_of(row),
                heir=MemoryId(UUID(row["superseded_by"])) if row["superseded_by"] else None,
                relation=Relation(row["relation"]) if row["relation"] else None,
            )
            for row in await self._database.all(_SQL["history"], values)
        ]

    async def months(self, store: Store, scope: Scope) -> list[Month]:
        """How much was said of each category in each month, oldest first."""
        values = {
            "store": store,
            "now": millis(self._clock.now()),
            "audiences": audiences(scope),
        }
        return [
            Month(
                month=row["month"],
                category=row["category"],
                said=row["said"],
                holds=row["holds"],
            )
            for row in await self._database.all(_SQL["months"], values)
        ]

    async def latest_of_each(self, store: Store, scope: Scope) -> list[Memory]:
        """The latest statement of each category that holds."""
        values = {
            "store": store,
            "now": millis(self._clock.now()),
            "audiences": audiences(scope),
        }
        return [memory_of(row) for row in await self._database.all(_SQL["latest_of_each"], values)]

    async def replaced(self, store: Store, scope: Scope, limit: int) -> list[Replaced]:
        """What was superseded, the latest first, with what took its place."""
        values = {"store": store, "audiences": audiences(scope), "limit": limit}
        rows = await self._database.all(_SQL["replaced"], values)
        return [Replaced(memory=memory_of(row), heir=row["heir"]) for row in rows]

    async def census(self, scope: Scope) -> list[Counted]:
        """How many statements there are of what, but for what was forgotten."""
        values = {"now": millis(self._clock.now()), "audiences": audiences(scope)}
        return [
            Counted(
                store=Store(row["store"]),
                kind=row["kind"],
                source=Source(row["source"]),
                state=row["state"],
                statements=row["statements"],
            )
            for row in await self._database.all(_SQL["census"], values)
        ]
