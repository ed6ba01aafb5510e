"""The times in which the pet was paused in a space; each change has an entry in the audit log."""

from memory.model.people import AuditedChange, Signature
from memory.model.rooms import Pause, SpaceId
from memory.storage.sqlite.audit import record
from memory.storage.sqlite.database import TimedTable, Transaction
from memory.storage.sqlite.rows import millis, queries

_SQL = queries("community/pauses")


class Pauses(TimedTable):
    """The pauses table."""

    async def all(self) -> list[Pause]:
        """Every pause there was, oldest first."""
        return await self._database.all_as(Pause, _SQL["all"])

    async def begin(self, space: SpaceId, *, by: Signature) -> bool:
        """Pause a space; returns whether it was not paused already."""
        return await self._change("begin", "space.paused", space, by)

    async def end(self, space: SpaceId, *, by: Signature) -> bool:
        """End the pause of a space; returns whether there was one."""
        return await self._change("end", "space.resumed", space, by)

    async def _change(self, query: str, action: str, space: SpaceId, by: Signature) -> bool:
        now = self._clock.now()

        async def work(transaction: Transaction) -> bool:
            values = {"space": space, "by": by, "now": millis(now)}
            if not await transaction.run(_SQL[query], values):
                return False
            await record(transaction, AuditedChange(actor=by, action=action, target=space), now)
            return True

        return await self._database.write(work)
