"""Who judges how a new statement relates to what is kept: rules at once, a model once a batch."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from memory.model.statements import Memory, NewMemory
from memory.rules.comparison import Verdict
from memory.rules.supersession import judged_by_rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A new statement, what it may change, and what rules say of each of these."""

    new: NewMemory
    said_at: datetime
    rivals: Sequence[Memory]
    verdicts: Sequence[Verdict]


class Judge(Protocol):
    """Says how statements relate to what is kept."""

    async def by_rules(
        self, new: NewMemory, rivals: Sequence[Memory], said_at: datetime
    ) -> Sequence[Verdict]:
        """One verdict for each rival, in order; `said_at` is when the new one was said."""
        ...

    async def asked(self, cases: Sequence[Case]) -> Sequence[Sequence[Verdict]]:
        """The verdicts of all cases once what rules left open was asked about, in order."""
        ...


class RuleJudge:
    """Judges by rules alone, so that a turn waits for no further model call."""

    async def by_rules(
        self, new: NewMemory, rivals: Sequence[Memory], said_at: datetime
    ) -> Sequence[Verdict]:
        """One verdict for each rival, in order; reading them holds nothing else up."""
        if not rivals:
            return []
        return await asyncio.to_thread(judged_by_rules, new, rivals, said_at)

    async def asked(self, cases: Sequence[Case]) -> Sequence[Sequence[Verdict]]:
        """The verdicts of the rules: there is no one to ask."""
        return [case.verdicts for case in cases]


BY_RULES = RuleJudge()
"""The judge where no other is given."""
