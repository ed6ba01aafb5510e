"""Statements over time: what held at a past moment, what replaced it, and what has expired."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from memory.model.audience import Scope
from memory.model.errors import NotArchived
from memory.model.listing import Archived, Counted, HeldStatement, Month, Replaced
from memory.model.people import AuditedChange, Signature
from memory.model.statements import Memory, MemoryId
from memory.model.stores import Store
from memory.model.ttl import ttl_text
from memory.storage.search.outbox import announce
from memory.storage.sqlite.audit import record
from memory.storage.sqlite.database import TimedTable, Transaction
from memory.storage.sqlite.rows import Row, audiences, maybe_millis, millis, queries, row_as
from memory.storage.statements.statements import memory_of

_SQL = queries("statements/history")


class History(TimedTable):
    """Reads past statements beside those that hold. Every method takes the scope of the reader."""

    async def as_of(
        self, at: datetime, store: Store | None, scope: Scope, limit: int
    ) -> list[Memory]:
        """The statements that held at a moment, latest first, without forgotten ones."""
        values = {
            "at": millis(at),
            "store": store,
            "audiences": audiences(scope),
            "limit": limit,
        }
        return [memory_of(row) for row in await self._database.all(_SQL["as_of"], values)]

    async def called(self, beginning: str, scope: Scope) -> Sequence[MemoryId]:
        """The statements whose id begins like this, at most two."""
        values = {"beginning": beginning, "audiences": audiences(scope)}
        rows = await self._database.all(_SQL["called"], values)
        return [MemoryId(UUID(row["id"])) for row in rows]

    async def history(self, memory: MemoryId, scope: Scope) -> list[HeldStatement]:
        """The statements that this one replaced and that replaced it, in the order of time."""
        values = {"id": str(memory), "audiences": audiences(scope)}
        rows = await self._database.all(_SQL["history"], values)
        return [row_as(HeldStatement, row, memory=memory_of(row)) for row in rows]

    async def months(self, store: Store, scope: Scope) -> list[Month]:
        """How much was said of each category in each month, oldest first."""
        return await self._months("months", store, scope)

    async def growth(self, store: Store, scope: Scope) -> list[Month]:
        """The same, with the type for statements without a category; reads the whole store."""
        return await self._months("growth", store, scope)

    async def latest_of(
        self, store: Store, kinds: Sequence[str], scope: Scope, each: int
    ) -> Mapping[str, list[Memory]]:
        """The latest statements of these categories, or types in the store of memories."""
        query = _SQL["latest_of_type" if store is Store.MEMORY else "latest_of_category"]
        values = self._within(scope, store=store, limit=each)
        return await self._database.read(
            lambda snapshot: {
                kind: [memory_of(row) for row in snapshot.all(query, {**values, "kind": kind})]
                for kind in kinds
            }
        )

    async def _months(self, query: str, store: Store, scope: Scope) -> list[Month]:
        values = self._within(scope, store=store)
        return await self._database.all_as(Month, _SQL[query], values)

    async def latest_of_each(self, store: Store, scope: Scope) -> list[Memory]:
        """The latest statement of each category that holds."""
        values = self._within(scope, store=store)
        return [memory_of(row) for row in await self._database.all(_SQL["latest_of_each"], values)]

    async def replaced(self, store: Store, scope: Scope, limit: int) -> list[Replaced]:
        """Replaced statements, the latest first, with the words of the replacement."""
        values = {"store": store, "audiences": audiences(scope), "limit": limit}
        rows = await self._database.all(_SQL["replaced"], values)
        return [Replaced(memory=memory_of(row), survivor=row["survivor"]) for row in rows]

    async def census(self, scope: Scope) -> list[Counted]:
        """The number of statements by store, kind, source and state, without forgotten ones."""
        values = self._within(scope)
        return await self._database.all_as(Counted, _SQL["census"], values)


class Archive(TimedTable):
    """Statements that have expired, which are never deleted and can be brought back.

    Every method takes the scope of the reader.
    """

    async def latest(self, store: Store | None, scope: Scope, limit: int) -> list[Archived]:
        """The latest archived statements, of one store or of all, newest first."""
        values = {"store": store, "audiences": audiences(scope), "limit": limit}
        return [_archived(row) for row in await self._database.all(_SQL["latest_archived"], values)]

    async def restore(
        self, beginning: str, scope: Scope, ttl: timedelta | None, by: Signature
    ) -> Archived:
        """Recall a statement again, for a time from now on or without end.

        Raises:
            NotArchived: no archived statement, or more than one, has an id that begins like this.

        """
        values = {"beginning": beginning.lower(), "audiences": audiences(scope)}
        found = await self._database.all(_SQL["archived_starting"], values)
        if len(found) != 1:
            several = "Several archived memories begin" if found else "No archived memory begins"
            raise NotArchived(f'{several} with "{beginning[:40]}": see `eko memories --archived`.')
        return await self._restored(found[0]["id"], ttl, by)

    async def _restored(self, id_: str, ttl: timedelta | None, by: Signature) -> Archived:
        now = self._clock.now()
        values = {"id": id_, "expires_at": maybe_millis(now + ttl if ttl else None)}
        lasts = f"for {ttl_text(ttl)}" if ttl else "for ever"
        change = AuditedChange(actor=by, action="memory.restored", target=id_, detail=lasts)

        async def work(transaction: Transaction) -> Archived:
            row = await transaction.one(_SQL["restore"], values)
            if row is None:
                raise NotArchived("It was forgotten or replaced meanwhile.")
            restored = _archived(row)
            await announce(transaction, restored.store.collection, [restored.id])
            await record(transaction, change, now)
            return restored

        return await self._database.write(work)


def _archived(row: Row) -> Archived:
    return row_as(Archived, row, kind=row["category"] or row["memory_type"])
