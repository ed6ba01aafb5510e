"""Proposals to merge two statements that say the same, kept until the operator decides."""

from collections.abc import Sequence
from typing import Any, Literal

from memory.model.audience import Scope
from memory.model.errors import NotProposed
from memory.model.people import AuditedChange, Signature
from memory.model.proposals import FoundDuplicate, Passed, Proposal
from memory.ports import Clock
from memory.storage.sqlite.audit import record
from memory.storage.sqlite.database import TimedTable, Transaction, Work
from memory.storage.sqlite.rows import millis, queries

_SQL = queries("statements/merge_proposals")

_CURSOR = "tidied_to"
"""How far the nightly pass has come, in `meta`."""


class Proposals(TimedTable):
    """The proposals table, and how far the pass that fills it has come."""

    async def write(self, work: Work[Any]) -> Any:
        """Run work on proposals in one transaction, see `decide`."""
        return await self._database.write(work)

    async def walk(self, limit: int) -> list[Passed]:
        """The next statements that the pass has not looked at, oldest first."""
        return await self._database.all_as(Passed, _SQL["walk"], {"key": _CURSOR, "limit": limit})

    async def keep(self, found: Sequence[FoundDuplicate], walked_to: int) -> int:
        """Store the proposals of a pass and how far it came; returns how many were new."""
        now = millis(self._clock.now())

        async def work(transaction: Transaction) -> int:
            new = [await transaction.run(_SQL["propose"], _columns(one, now)) for one in found]
            await transaction.run(_SQL["walked"], {"key": _CURSOR, "seq": walked_to})
            return sum(new)

        return await self._database.write(work)

    async def open(self, scope: Scope, limit: int, *, after: int = 0) -> list[Proposal]:
        """The open proposals, oldest first, as long as both statements are recalled.

        `after` is the number of the last one of the page before.
        """
        return await self._open(scope, None, limit, after)

    async def one(self, id_: int, scope: Scope) -> Proposal:
        """An open proposal by its number.

        Raises:
            NotProposed: there is none of that number.

        """
        found = await self._open(scope, id_, 1)
        if not found:
            raise NotProposed(f"There is no open proposal {id_}: see `eko tidy`.")
        return found[0]

    async def dismiss(self, id_: int, scope: Scope, by: Signature) -> None:
        """Keep both statements, and never propose to merge them again.

        Raises:
            NotProposed: there is none of that number.

        """
        proposal = await self.one(id_, scope)
        await self._database.write(
            lambda transaction: decide(transaction, proposal, "dismissed", by, self._clock)
        )

    async def _open(
        self, scope: Scope, id_: int | None, limit: int, after: int = 0
    ) -> list[Proposal]:
        values = self._within(scope, id=id_, after=after, limit=limit)
        return await self._database.all_as(Proposal, _SQL["open"], values)


async def decide(
    transaction: Transaction,
    proposal: Proposal,
    state: Literal["accepted", "dismissed"],
    by: Signature,
    clock: Clock,
) -> None:
    """Close a proposal inside a transaction, with its entry in the audit log.

    Raises:
        NotProposed: it was decided meanwhile.

    """
    now = clock.now()
    values = {"id": proposal.id, "state": state, "now": millis(now), "by": by}
    if not await transaction.run(_SQL["decide"], values):
        raise NotProposed(f"Proposal {proposal.id} was decided meanwhile.")
    told = f"keep {proposal.keep}, drop {proposal.drop}"
    change = AuditedChange(
        actor=by, action=f"proposal.{state}", target=str(proposal.id), detail=told
    )
    await record(transaction, change, now)


def _columns(one: FoundDuplicate, now: int) -> dict[str, Any]:
    return {
        "keep": str(one.duplicate.keep.id),
        "drop": str(one.duplicate.drop.id),
        "why": one.duplicate.why,
        "similarity": one.similarity,
        "now": now,
    }
