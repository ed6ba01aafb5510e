"""Correcting: the right statement takes the place of one that its person says is wrong."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime

from memory.learning.judging import RuleJudge
from memory.learning.store import StatementWriter, Stored
from memory.model.authority import Actor, RowChange
from memory.model.statements import Memory, NewMemory, Relation
from memory.ports import Clock
from memory.rules.association import Tie
from memory.rules.comparison import Verdict
from memory.rules.plan import StorePlan
from memory.rules.supersession import Judged
from memory.storage.forgotten.ownership import permitted
from memory.storage.sqlite.database import Check, Transaction, no_check
from memory.storage.statements.associations import FoundDuring, associate
from memory.storage.statements.statements import Memories
from memory.storage.statements.supersession import supersede

Afterwards = Callable[[Transaction, Stored], Awaitable[None]]
"""What belongs to a correction, in its transaction; raising takes all of it back."""


class Corrections:
    """Puts one statement in the place of another, whatever rules would make of the two."""

    def __init__(self, writer: StatementWriter, memories: Memories, clock: Clock) -> None:
        self._writer = writer
        self._memories = memories
        self._clock = clock

    async def correct(
        self,
        wrong: Memory,
        right: NewMemory,
        actor: Actor,
        also: Afterwards | None = None,
        check: Check = no_check,
    ) -> Stored:
        """Keep what is right and let it take the place of what was wrong, all of it or nothing.

        What is kept already is not kept twice; saying the same again corrects nothing. What others
        said stays beside it, unless it is for the actor to correct.

        Raises:
            ForgottenBefore: what is said to be right was forgotten before; nothing was changed.
            StorageFailed: nothing was changed.

        """
        (plan,) = await self._writer.plan([right], _Told(wrong))

        async def work(transaction: Transaction) -> Stored:
            await check(transaction)
            reached = await self._reached(transaction, _with(plan, wrong), wrong, actor)
            stored = (await self._writer.apply(transaction, reached, actor)).unless_forgotten()
            if stored.id != wrong.id and not stored.is_new:
                stored = await self._give_way(transaction, wrong, stored, actor)
            if also is not None:
                await also(transaction, stored)
            return stored

        return await self._memories.write(work)

    async def _reached(
        self, transaction: Transaction, plan: StorePlan, wrong: Memory, actor: Actor
    ) -> StorePlan:
        """The plan as far as the correction goes: a command is about the one that is named.

        What else it would replace must be the actor's own.
        """
        others = [one.rival.id for one in plan.replaces if one.rival.id != wrong.id]
        own = Actor(person=actor.person)
        mine = await permitted(transaction, others, own, RowChange.SUPERSEDE)
        stays = {*others} - {*mine}
        return replace(
            plan,
            replaces=tuple(one for one in plan.replaces if one.rival.id not in stays),
            ties=tuple(
                replace(tie, relation=Relation.CONTRADICTS) if tie.other in stays else tie
                for tie in plan.ties
            ),
        )

    async def _give_way(
        self, transaction: Transaction, wrong: Memory, stored: Stored, actor: Actor
    ) -> Stored:
        """Let what was known already take the place, if the actor can have it do so."""
        now, right = self._clock.now(), stored.id
        gone = await supersede(
            transaction, [wrong.id], actor, by=right, until=now, now=now, change=RowChange.CORRECT
        )
        if not gone:
            return stored
        tie = Tie(other=wrong.id, relation=Relation.UPDATES, weight=1.0)
        await associate(transaction, [tie.of(right)], FoundDuring.WRITE, now)
        return replace(stored, replaced=(wrong,))


class _Told(RuleJudge):
    """Judges as rules do, but for the one statement that its person says is wrong.

    By rules what says less says the same; here something was left out because it is not so.
    """

    def __init__(self, wrong: Memory) -> None:
        self._wrong = wrong

    async def by_rules(
        self, new: NewMemory, rivals: Sequence[Memory], said_at: datetime
    ) -> Sequence[Verdict]:
        """One verdict for each rival, in order."""
        verdicts = await super().by_rules(new, rivals, said_at)
        corrects = new.content != self._wrong.content
        return [
            Verdict.CHANGED if corrects and rival.id == self._wrong.id else verdict
            for rival, verdict in zip(rivals, verdicts, strict=True)
        ]


def _with(plan: StorePlan, wrong: Memory) -> StorePlan:
    """The plan that also replaces the wrong statement, should it not have been among the rivals."""
    replaced = {one.rival.id for one in plan.replaces}
    if plan.known is not None or wrong.id in replaced:
        return plan
    judged = Judged(rival=wrong, verdict=Verdict.CHANGED)
    tie = Tie(other=wrong.id, relation=judged.relation, weight=1.0)
    others = [one for one in plan.ties if one.other != wrong.id]
    return replace(plan, replaces=(*plan.replaces, judged), ties=(*others, tie))
