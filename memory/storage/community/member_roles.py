"""Which role stands for a whole community, each choice with its entry in the audit log."""

from memory.model.people import AuditedChange, Signature
from memory.model.rooms import SpaceId
from memory.storage.sqlite.audit import record
from memory.storage.sqlite.database import TimedTable, Transaction
from memory.storage.sqlite.rows import millis, queries

_SQL = queries("community/member_roles")


class MemberRoles(TimedTable):
    """The member_roles table."""

    async def chosen(self) -> dict[SpaceId, str]:
        """Every role that was chosen, by its community, as the platform numbers it."""
        rows = await self._database.all(_SQL["chosen"])
        return {SpaceId(row["space"]): str(row["role"]) for row in rows}

    async def choose(self, space: SpaceId, role: str | None, *, by: Signature) -> None:
        """Let this role stand for a community from now on; None takes a choice back."""
        now = self._clock.now()
        values = {"space": space, "role": role, "now": millis(now), "by": by}
        detail = "default" if role is None else role
        change = AuditedChange(actor=by, action="everyone.chosen", target=space, detail=detail)

        async def work(transaction: Transaction) -> None:
            if role is None:
                await transaction.run(_SQL["drop"], {"space": space})
            else:
                await transaction.run(_SQL["choose"], values)
            await record(transaction, change, now)

        await self._database.write(work)
