"""The archive: statements that have expired, which are never deleted and can be brought back."""

from datetime import timedelta

from memory.model.audience import Scope
from memory.model.errors import NotArchived
from memory.model.history import Archived
from memory.model.people import AuditedChange, Signature
from memory.model.stores import Store
from memory.model.ttl import ttl_text
from memory.storage.search.outbox import announce
from memory.storage.sqlite.audit import record
from memory.storage.sqlite.columns import audiences, maybe_millis
from memory.storage.sqlite.database import TimedTable, Transaction
from memory.storage.sqlite.queries import queries
from memory.storage.sqlite.readers import Row
from memory.storage.sqlite.rows import row_as

_SQL = queries("statements/archive")


class Archive(TimedTable):
    """Lists archived statements and restores them. Every method takes the scope of the reader."""

    async def latest(self, store: Store | None, scope: Scope, limit: int) -> list[Archived]:
        """The latest archived statements, of one store or of all, newest first."""
        values = {"store": store, "audiences": audiences(scope), "limit": limit}
        return [_archived(row) for row in await self._database.all(_SQL["latest"], values)]

    async def restore(
        self, beginning: str, scope: Scope, ttl: timedelta | None, by: Signature
    ) -> Archived:
        """Recall a statement again, for a time from now on or without end.

        Raises:
            NotArchived: no archived statement, or more than one, has an id that begins like this.

        """
        values = {"beginning": beginning.lower(), "audiences": audiences(scope)}
        found = await self._database.all(_SQL["starting"], values)
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
