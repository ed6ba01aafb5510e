"""Remembering: stored once; a sharper statement takes the place, nothing is overwritten."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import structlog

from memory.adapters.sqlite.associations import Found, associate, inherit
from memory.adapters.sqlite.database import Transaction
from memory.adapters.sqlite.memories import Memories, add_memory, supersede, touch_memory
from memory.associating import Associator
from memory.association_rules import Tie
from memory.closing import closed_by
from memory.errors import EmbeddingFailed, UnknownCategory, VectorStoreUnavailable
from memory.model import GoalCategory, Memory, MemoryId, NewMemory, Relation, SelfCategory, Store
from memory.ports import Clock, Embedder, Fingerprint, Vectors, VectorSearch
from memory.sameness import Verdict, compare
from memory.scope import Scope, audience_of

log = structlog.get_logger()

NEAREST = 10
"""Neighbours a new statement is compared with; what it repeats is among the first."""

CATEGORIES: Mapping[Store, frozenset[str]] = {
    Store.MEMORY: frozenset(),
    Store.SELF: frozenset(SelfCategory),
    Store.GOALS: frozenset(GoalCategory),
}
"""The categories each store knows; statements about people have a type instead."""

_TAKES_PLACE = {Verdict.SHARPER: Relation.UPDATES, Verdict.REVERSED: Relation.CONTRADICTS}
"""What a statement is to the one whose place it takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What storing a statement will do: touch `known`, or add `new` in the place of `replaces`.

    Either way it closes `closes`: what the pet could not do, or wished for, before it could.
    """

    new: NewMemory
    known: Memory | None = None
    replaces: tuple[Memory, ...] = ()
    closes: tuple[Memory, ...] = ()
    ties: tuple[Tie, ...] = ()
    """To what it replaces, and to others."""
    embedding: tuple[Fingerprint, Vectors] | None = None
    similar: tuple[Memory, ...] = ()
    """What it was compared with and stands beside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """What became of a statement: its row, whether that is new, what it replaced and closed."""

    id: MemoryId
    is_new: bool
    replaced: tuple[Memory, ...] = ()
    closed: tuple[Memory, ...] = ()


class Remember:
    """Stores statements; one embedding each, used for comparing and for the index."""

    def __init__(
        self,
        memories: Memories,
        embedder: Embedder,
        index: VectorSearch,
        associator: Associator,
        clock: Clock,
    ) -> None:
        self._memories = memories
        self._embedder = embedder
        self._index = index
        self._associator = associator
        self._clock = clock

    async def store(self, new: NewMemory) -> Stored:
        """Keep a statement.

        Raises:
            UnknownCategory: its category does not exist in its store.
            StorageFailed: nothing was stored.

        """
        plan = (await self.plan([new]))[0]
        return await self._memories.write(lambda transaction: self.apply(transaction, plan))

    async def plan(self, news: Sequence[NewMemory]) -> list[Plan]:
        """What storing each of these will do, with one embedding call for all of them."""
        news = [replace(new, content=one_line(new.content)) for new in news]
        for new in news:
            check_category(new.store, new.category)
        vectors = await self._embedded([new.content for new in news])
        return [await self._planned(new, vector) for new, vector in zip(news, vectors, strict=True)]

    async def apply(self, transaction: Transaction, plan: Plan) -> Stored:
        """Do what was planned, inside a transaction."""
        now = self._clock.now()
        if plan.known is not None:
            await touch_memory(transaction, plan.known.id, plan.new, now)
            # A seed planted again says nothing new about what was noticed since.
            closes = () if plan.new.id else plan.closes
            await supersede(transaction, _ids(closes), by=plan.known.id, now=now)
            return Stored(id=plan.known.id, is_new=False, closed=closes)
        added, is_new = await add_memory(
            transaction,
            plan.new,
            now,
            embedding=plan.embedding,
            supersedes=_ids((*plan.replaces, *plan.closes)),
        )
        if not is_new:
            return Stored(id=added, is_new=False)
        await associate(transaction, [tie.of(added) for tie in plan.ties], Found.WRITE, now)
        for tie in plan.ties:
            if tie.relation is Relation.UPDATES:
                await inherit(transaction, tie.other, added, now)
        return Stored(id=added, is_new=True, replaced=plan.replaces, closed=plan.closes)

    async def _planned(self, new: NewMemory, vector: Vectors | None) -> Plan:
        near = {} if vector is None else await self._near(new, vector)
        rivals = await self._memories.rivals(new, list(near))
        verdicts = [(compare(new, rival), rival) for rival in rivals]
        closes = await closed_by(new, self._memories)
        embedding = None if vector is None else (self._embedder.fingerprint, vector)
        for verdict, rival in verdicts:
            if verdict is Verdict.KNOWN:
                return Plan(new=new, known=rival, closes=closes, embedding=embedding)
        others = [rival for verdict, rival in verdicts if verdict is Verdict.DIFFERENT]
        ties = await self._associator.ties(new, vector, others, near)
        replaced = [one for one in verdicts if one[0] in _TAKES_PLACE and one[1] not in closes]
        return Plan(
            new=new,
            replaces=tuple(rival for _, rival in replaced),
            closes=closes,
            ties=(*_ties_to_replaced(replaced), *ties),
            embedding=embedding,
            similar=tuple(others),
        )

    async def _near(self, new: NewMemory, vector: Vectors) -> Mapping[MemoryId, float]:
        """The cosine of each of the nearest of its own audience."""
        scope = Scope(frozenset({audience_of(new.origin)}))
        try:
            hits = await self._index.search(
                new.store.collection, vector, limit=NEAREST, scope=scope
            )
        except VectorStoreUnavailable:
            return {}  # full text proposes rivals too
        return {MemoryId(hit.id): hit.similarity for hit in hits}

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


def _ties_to_replaced(verdicts: Iterable[tuple[Verdict, Memory]]) -> list[Tie]:
    return [
        Tie(other=rival.id, relation=_TAKES_PLACE[verdict], weight=1.0)
        for verdict, rival in verdicts
    ]


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
