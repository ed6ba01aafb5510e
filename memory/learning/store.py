"""Remembering: stored once; a sharper statement takes the place, nothing is overwritten."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import uuid4

import structlog

from memory.learning.association import Associator
from memory.learning.fulfilled_requests import closes, may_close, met_by
from memory.learning.judging import BY_RULES, Case, Judge
from memory.learning.nearest import nearest
from memory.model.audience import Scope, audience_of, closable_from
from memory.model.authority import Actor
from memory.model.errors import (
    EmbeddingFailed,
    ForgottenBefore,
    UnknownCategory,
)
from memory.model.shown import Shown
from memory.model.statements import (
    GoalCategory,
    Memory,
    MemoryId,
    NewMemory,
    Relation,
    SelfCategory,
)
from memory.model.stores import Store
from memory.ports import Clock, EmbedderInUse, Vectors, VectorSearch
from memory.rules.association import Tie
from memory.rules.comparison import Verdict
from memory.rules.plan import Before, StorePlan
from memory.rules.supersession import (
    RELATIONS,
    Judged,
    Settled,
    completed,
    ended_by_name,
    judged,
    settled,
)
from memory.storage.forgotten.ownership import author_of, speaker_of
from memory.storage.people.people import as_survivors
from memory.storage.sqlite.database import Transaction
from memory.storage.statements.associations import FoundDuring, associate, inherit
from memory.storage.statements.profiles import keep_core_fact
from memory.storage.statements.statements import Added, Memories, add_memory, touch_memory
from memory.storage.statements.supersession import history_of, overtake, supersede

log = structlog.get_logger()

CATEGORIES: Mapping[Store, frozenset[str]] = {
    Store.MEMORY: frozenset(),
    Store.SELF: frozenset(SelfCategory),
    Store.GOALS: frozenset(GoalCategory),
}
"""The categories each store knows; statements about people have a type instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Met:
    """A statement that is to be stored, with what of the kept ones it meets.

    `near` has the cosine of each of the nearest; `closes` is what it ends by itself, `open` what
    else the pet cannot do or wishes for that may have to do with it.
    """

    id: MemoryId
    new: NewMemory
    said_at: datetime
    vector: Vectors | None
    near: Mapping[MemoryId, float]
    rivals: Sequence[Memory]
    closes: tuple[Memory, ...]
    open: tuple[Memory, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """What became of a statement: its row, whether that is new, what it replaced and closed.

    `beside` are the nearest of what stays beside it. There is no row where `is_forgotten`: it says
    what was forgotten before.
    """

    id: Shown[MemoryId]
    is_new: bool
    is_forgotten: bool = False
    replaced: Shown[tuple[Memory, ...]] = ()
    closed: Shown[tuple[Memory, ...]] = ()
    beside: tuple[Memory, ...] = ()

    @property
    def new(self) -> Shown[bool]:
        """Whether it was not known yet."""
        return self.is_new

    def unless_forgotten(self) -> "Stored":
        """The same, where there is a row.

        Raises:
            ForgottenBefore: there is none.

        """
        if self.is_forgotten:
            raise ForgottenBefore(
                "Not stored: it says what was forgotten here. Who it belonged to may tell it anew."
            )
        return self


class StatementWriter:
    """Stores statements; one embedding each, used for comparing and for the index."""

    def __init__(
        self,
        memories: Memories,
        embedder: EmbedderInUse,
        index: VectorSearch,
        associator: Associator,
        clock: Clock,
    ) -> None:
        self._memories = memories
        self._embedder = embedder
        self._index = index
        self._associator = associator
        self._clock = clock

    async def store(self, new: NewMemory, by: Actor | None = None) -> Stored:
        """Keep a statement, by its author's own word unless `by` has another mandate.

        Raises:
            UnknownCategory: its category does not exist in its store.
            ForgottenBefore: it says what was forgotten before.
            StorageFailed: nothing was stored.

        """
        (stored,) = await self.store_all([new], by)
        return stored.unless_forgotten()

    async def store_all(self, news: Sequence[NewMemory], by: Actor | None = None) -> list[Stored]:
        """Store statements that are learnt together, in one transaction; see `store`."""
        plans = await self.plan(news)

        async def work(transaction: Transaction) -> list[Stored]:
            return [await self.apply(transaction, plan, by) for plan in plans]

        return await self._memories.write(work)

    async def plan(self, news: Sequence[NewMemory], judge: Judge = BY_RULES) -> list[StorePlan]:
        """What storing each of these in turn will do, with one embedding call for all of them.

        Each is compared with what is kept and with those before it, as if they were stored already.
        """
        news = [replace(new, content=one_line(new.content)) for new in news]
        news = await self._memories.attributed(news)
        for new in news:
            check_category(new.store, new.category)
        with self._embedder.held():
            vectors = await self._embedded([new.content for new in news])
            met = [await self._met(new, vector) for new, vector in zip(news, vectors, strict=True)]
            cases, plans = await self._in_turn(met, judge, {})
            told = await judge.asked(cases)
            if [*map(list, told)] == [list(case.verdicts) for case in cases]:
                return plans
            others = {
                (one.id, rival.id): verdict
                for one, case, verdicts in zip(met, cases, told, strict=True)
                for rival, verdict in zip(case.rivals, verdicts, strict=True)
            }
            return (await self._in_turn(met, judge, others))[1]

    async def apply(
        self, transaction: Transaction, plan: StorePlan, by: Actor | None = None
    ) -> Stored:
        """Do what was planned, inside a transaction, as far as it is for `by` to do.

        Of what it would replace stays what others said: it is added beside it.
        """
        now = self._clock.now()
        plan = replace(plan, new=await as_survivors(transaction, plan.new))
        by = by or await author_of(transaction, plan.new)
        if plan.known is not None and await touch_memory(transaction, plan.known.id, plan.new, now):
            # A seed planted again says nothing new about what was noticed since.
            closes = () if plan.new.id else plan.closes
            over = tuple(one.rival for one in plan.replaces)
            gone = await supersede(
                transaction,
                _ids((*over, *closes)),
                by,
                by=plan.known.id,
                until=plan.said_at,
                now=now,
            )
            await keep_core_fact(transaction, plan.known.id, plan.new, plan.said_at, now)
            return Stored(
                id=plan.known.id,
                is_new=False,
                replaced=_among(gone, over),
                closed=_among(gone, closes),
                beside=plan.similar,
            )
        if (past := await history_of(transaction, plan.new)) is not None:
            return Stored(id=past, is_new=False)
        added, became = await add_memory(
            transaction,
            replace(plan.new, id=plan.id, said_at=plan.said_at),
            now,
            embedding=plan.embedding,
        )
        if became is not Added.NEW:
            return Stored(id=added, is_new=False, is_forgotten=became is Added.FORGOTTEN)
        replaced = tuple(one.rival for one in plan.replaces)
        gone = await supersede(
            transaction,
            _ids((*replaced, *plan.closes)),
            by,
            by=added,
            until=plan.said_at,
            now=now,
        )
        await keep_core_fact(transaction, added, plan.new, plan.said_at, now)
        await self._tie(transaction, plan, by, gone)
        return Stored(
            id=added,
            is_new=True,
            replaced=_among(gone, replaced),
            closed=_among(gone, plan.closes),
            beside=plan.similar,
        )

    async def _tie(
        self, transaction: Transaction, plan: StorePlan, by: Actor, gone: Sequence[MemoryId]
    ) -> None:
        """Tie what was added; what the same person said since it was takes its place."""
        now = self._clock.now()
        beside = {one.rival.id: one for one in plan.replaces if one.rival.id not in gone}
        if (later := plan.overtaken_by) is not None:
            rival = later.rival
            actor = by if by.commands else await speaker_of(transaction, rival.id)
            if not await overtake(
                transaction, plan.id, actor, by=rival.id, until=rival.valid_from, now=now
            ):
                beside[rival.id] = later
        ties = [
            _beside(tie, beside[tie.other]) if tie.other in beside else tie for tie in plan.ties
        ]
        await associate(transaction, [tie.of(plan.id) for tie in ties], FoundDuring.WRITE, now)
        for one in plan.replaces:
            if one.verdict is Verdict.MORE_PRECISE and one.rival.id in gone:
                await inherit(transaction, one.rival.id, plan.id, now)

    async def _met(self, new: NewMemory, vector: Vectors | None) -> _Met:
        own = Scope(frozenset({audience_of(new.origin)}))
        near = await nearest(self._index, new.store, vector, own)
        found = await met_by(new, vector, self._index, self._memories)
        named = await self._named_elsewhere(new)
        over = {
            one.id: one for one in (*(one for one in found if closes(new.content, one)), *named)
        }
        return _Met(
            id=new.id or MemoryId(uuid4()),
            new=new,
            said_at=new.said_at or self._clock.now(),
            vector=vector,
            near=near,
            rivals=await self._memories.rivals(new, [*near, *new.ends]),
            closes=tuple(over.values()),
            open=tuple(one for one in found if one.id not in over),
        )

    async def _named_elsewhere(self, new: NewMemory) -> list[Memory]:
        """What the pet noticed or wanted that a statement about it is said to end."""
        if not new.ends or new.store is not Store.SELF:
            return []
        named = await self._memories.visible(new.ends, closable_from(new.origin))
        return [one for one in named if one.store is not Store.MEMORY]

    async def _in_turn(
        self,
        met: Sequence[_Met],
        judge: Judge,
        told: Mapping[tuple[MemoryId, MemoryId], Verdict],
    ) -> tuple[list[Case], list[StorePlan]]:
        """What each in turn does after those before it; `told` counts before the rules."""
        cases: list[Case] = []
        plans: list[StorePlan] = []
        for one in met:
            before = Before(plans)
            found = (
                *(rival for rival in one.rivals if before.left(rival)),
                *before.rivals(one.new),
            )
            rivals = [rival for rival in found if rival not in one.closes]
            by_rules = await judge.by_rules(one.new, rivals, one.said_at)
            verdicts = [
                told.get((one.id, rival.id), ended_by_name(one.new, rival, verdict))
                for rival, verdict in zip(rivals, by_rules, strict=True)
            ]
            cases.append(Case(new=one.new, said_at=one.said_at, rivals=rivals, verdicts=verdicts))
            plans.append(await self._planned(one, judged(one.new, rivals, verdicts)))
        return cases, plans

    async def _planned(self, met: _Met, found: Sequence[Judged]) -> StorePlan:
        new, vector = met.new, met.vector
        outcome = settled(found, met.said_at)
        kept = {rival.id for rival in met.rivals}
        loose = [one.rival for one in found if one.verdict is Verdict.UNRELATED]
        others = [one for one in loose if one.id in kept] if outcome.known is None else []
        over = tuple(one for one in found if one.rival.id in new.ends and one.verdict in RELATIONS)
        told = completed(new, outcome)
        ties = await self._associator.ties(new, vector, others, met.near)
        return StorePlan(
            id=met.id,
            new=told,
            said_at=met.said_at,
            known=outcome.known,
            replaces=over if outcome.known else outcome.replaces,
            overtaken_by=outcome.overtaken_by,
            closes=met.closes,
            ties=(*_ties(outcome, met.closes), *ties),
            # What was completed is embedded by the indexer, with the words it has now.
            embedding=(self._embedder.fingerprint, vector)
            if vector is not None and told is new
            else None,
            similar=met.open if may_close(new) else tuple(others),
        )

    async def _embedded(self, texts: Sequence[str]) -> Sequence[Vectors | None]:
        if not self._embedder.fingerprint.embeds:
            return [None] * len(texts)
        try:
            return list(await self._embedder.embed(texts, "document"))
        except EmbeddingFailed:
            log.warning("embedding.missed", texts=len(texts))
            return [None] * len(texts)  # the indexer embeds them later


def _ids(memories: Sequence[Memory]) -> list[MemoryId]:
    return [memory.id for memory in memories]


def _among(gone: Sequence[MemoryId], memories: Sequence[Memory]) -> tuple[Memory, ...]:
    return tuple(one for one in memories if one.id in gone)


def _beside(tie: Tie, other: Judged) -> Tie:
    """The tie to a statement that stays, since it is for another person to change."""
    agrees = other.verdict is Verdict.MORE_PRECISE
    return replace(tie, relation=Relation.RELATED_TO if agrees else Relation.CONTRADICTS)


def _ties(outcome: Settled, closed: Sequence[Memory]) -> Iterator[Tie]:
    """What ties a statement to what it was compared with, and to a limitation that it ends."""
    for one in outcome.replaces:
        yield Tie(other=one.rival.id, relation=one.relation, weight=1.0)
    if outcome.overtaken_by is not None:
        later = outcome.overtaken_by
        yield Tie(other=later.rival.id, relation=later.relation, weight=1.0, is_outward=False)
    denied = [one for one in closed if one.category == SelfCategory.LIMITATION]
    for rival in (*outcome.disputed, *denied):
        yield Tie(other=rival.id, relation=Relation.CONTRADICTS, weight=1.0)
    for rival in outcome.related:
        yield Tie(other=rival.id, relation=Relation.RELATED_TO, weight=1.0)


def one_line(content: str) -> str:
    """A statement as one line: a line break would forge a second row wherever it is listed."""
    return " ".join(content.split())


def check_category(store: Store, category: str | None) -> None:
    """Refuse a category that the store does not have.

    Raises:
        UnknownCategory: with the categories there are.

    """
    known = CATEGORIES[store]
    if (category or None) is None and not known:
        return
    if category not in known:
        there = ", ".join(sorted(known)) or "none"
        raise UnknownCategory(f'"{category}" is not a category of {store}: there are {there}.')
