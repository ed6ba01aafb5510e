"""What held when: statements at a past moment, what took whose place, and how a store grew."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from memory.model.audience import Scope
from memory.model.history import Counted, HeldStatement, Month, Replaced
from memory.model.statements import Memory, MemoryId
from memory.model.stores import Store
from memory.ports import Clock
from memory.storage.sqlite.columns import audiences, millis
from memory.storage.sqlite.database import Database
from memory.storage.sqlite.queries import queries
from memory.storage.sqlite.rows import row_as
from memory.storage.statements.statements import memory_of

_SQL = queries("statements/history")


class History:
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

    async def history(self, memory: MemoryId, scope: Scope) -> list[HeldStatement]:
        """What a statement took the place of and what took its place, as they were said."""
        values = {"id": str(memory), "audiences": audiences(scope)}
        rows = await self._database.all(_SQL["history"], values)
        return [row_as(HeldStatement, row, memory=memory_of(row)) for row in rows]

    async def months(self, store: Store, scope: Scope) -> list[Month]:
        """How much was said of each category in each month, oldest first."""
        return await self._months("months", store, scope)

    async def growth(self, store: Store, scope: Scope) -> list[Month]:
        """The same with what has no category, under its type; reads all there is of a store."""
        return await self._months("growth", store, scope)

    async def latest_of(
        self, store: Store, kinds: Sequence[str], scope: Scope, each: int
    ) -> Mapping[str, list[Memory]]:
        """The latest statements of these categories, or types in the store of memories."""
        query = _SQL["latest_of_type" if store is Store.MEMORY else "latest_of_category"]
        values = {
            "store": store,
            "now": millis(self._clock.now()),
            "audiences": audiences(scope),
            "limit": each,
        }
        return await self._database.read(
            lambda snapshot: {
                kind: [memory_of(row) for row in snapshot.all(query, {**values, "kind": kind})]
                for kind in kinds
            }
        )

    async def _months(self, query: str, store: Store, scope: Scope) -> list[Month]:
        values = {
            "store": store,
            "now": millis(self._clock.now()),
            "audiences": audiences(scope),
        }
        return [row_as(Month, row) for row in await self._database.all(_SQL[query], values)]

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
        return [Replaced(memory=memory_of(row), survivor=row["survivor"]) for row in rows]

    async def census(self, scope: Scope) -> list[Counted]:
        """How many statements there are of what, but for what was forgotten."""
        values = {"now": millis(self._clock.now()), "audiences": audiences(scope)}
        return [row_as(Counted, row) for row in await self._database.all(_SQL["census"], values)]
