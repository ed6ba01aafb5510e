"""Statements kept and put right by explicit commands, each with its entry in the audit log."""

from memory.learning.correction import Corrections
from memory.learning.store import StatementWriter, Stored
from memory.model.authority import Actor, RowChange
from memory.model.errors import HoldsNoMore, NotTheirsToCorrect
from memory.model.people import AuditedChange
from memory.model.statements import Memory, NewMemory
from memory.ports import Clock
from memory.storage.forgotten.ownership import permitted
from memory.storage.sqlite.audit import record, signature_of
from memory.storage.sqlite.database import Check, Transaction, no_check
from memory.storage.statements.statements import Memories


class CommandedStatements:
    """Keeps statements as commands want them; what was changed meanwhile is left as it is."""

    def __init__(
        self, writer: StatementWriter, correcting: Corrections, memories: Memories, clock: Clock
    ) -> None:
        self._writer = writer
        self._correcting = correcting
        self._memories = memories
        self._clock = clock

    async def add(self, new: NewMemory, actor: Actor) -> Stored:
        """Keep a statement, or freshen the one that says the same.

        Raises:
            UnknownCategory: its category does not exist in its store.
            ForgottenBefore: it says what was forgotten before.

        """
        (plan,) = await self._writer.plan([new])

        async def work(transaction: Transaction) -> Stored:
            stored = (await self._writer.apply(transaction, plan, actor)).unless_forgotten()
            action = "memory.added" if stored.is_new else "memory.freshened"
            replaced = ", ".join(str(one.id) for one in stored.replaced) or None
            change = AuditedChange(
                actor=signature_of(actor), action=action, target=str(stored.id), before=replaced
            )
            await record(transaction, change, self._clock.now())
            return stored

        return await self._memories.write(work)

    async def correct(
        self, wrong: Memory, right: NewMemory, actor: Actor, check: Check = no_check
    ) -> Stored:
        """Put a statement in the place of one that still holds, if `check` lets it.

        Raises:
            HoldsNoMore: it was forgotten or replaced meanwhile; nothing was changed.
            NotTheirsToCorrect: another said it.

        """

        async def noted(transaction: Transaction, stored: Stored) -> None:
            if not await permitted(transaction, [wrong.id], actor, RowChange.CORRECT):
                raise NotTheirsToCorrect("It is for its author to correct; nothing was changed.")
            if wrong.id not in {stored.id, *(one.id for one in stored.replaced)}:
                raise HoldsNoMore("It was changed meanwhile; nothing was corrected.")
            change = AuditedChange(
                actor=signature_of(actor),
                action="memory.corrected",
                target=str(wrong.id),
                before=str(wrong.id),
                after=str(stored.id),
            )
            await record(transaction, change, self._clock.now())

        return await self._correcting.correct(wrong, right, actor, noted, check)
