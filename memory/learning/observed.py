"""What observers keep of what they found: as it is remembered, but for what adds nothing."""

from collections.abc import Sequence
from datetime import timedelta

import structlog

from memory.learning.judging import BY_RULES, Judge
from memory.learning.known import KnownAlready
from memory.learning.store import StatementWriter, Stored
from memory.model.audience import audience_of
from memory.model.settings import InForce, Tuning
from memory.model.statements import NewMemory
from memory.rules.claims import of_one_author
from memory.rules.novelty import about_the_same, is_worth_keeping
from memory.rules.plan import StorePlan
from memory.storage.sqlite.database import Transaction

log = structlog.get_logger()


class Learning:
    """Plans and stores what was found in the background, by the density rule.

    `known` looks up what is kept already.
    """

    def __init__(
        self,
        writer: StatementWriter,
        known: KnownAlready,
        tuning: InForce = Tuning,
        judge: Judge = BY_RULES,
    ) -> None:
        self._writer = writer
        self.known = known
        self._tuning = tuning
        self._judge = judge

    def default_ttl(self, kind: str) -> timedelta | None:
        """How long a statement of this type lasts when its source did not say; None for ever."""
        return self._tuning().ttl_of(kind)

    async def plan(self, news: Sequence[NewMemory]) -> list[StorePlan]:
        """What storing those of the statements will do that are worth keeping, in order."""
        plans = await self._writer.plan(news, self._judge) if news else []
        kept = [plan for plan in plans if await self._is_worth(plan)]
        if len(kept) < len(plans):
            log.info("statements.declined", dense=len(plans) - len(kept), kept=len(kept))
        return kept

    async def apply(self, transaction: Transaction, plan: StorePlan) -> Stored:
        """Do what was planned, inside a transaction; what was forgotten before is not kept."""
        stored = await self._writer.apply(transaction, plan)
        if stored.is_forgotten:
            log.info("statement.refused", reason="forgotten before")
        return stored

    async def _is_worth(self, plan: StorePlan) -> bool:
        new = plan.new
        changes = plan.known is not None or bool(plan.replaces) or plan.overtaken_by is not None
        counts = await self.known.counts(new.subjects, audience_of(new.origin))
        # What one author said makes the word of another no less new.
        similar = about_the_same(new, [one for one in plan.similar if of_one_author(new, one)])
        return is_worth_keeping(new, counts, similar, changes=changes)
