"""The background pass: ties what was stored together, or while the vector store was away."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import structlog

from memory.learning.association import Associator
from memory.model.audience import Scope, audience_of
from memory.model.errors import VectorStoreUnavailable
from memory.model.statements import Association, Memory, MemoryId, Relation
from memory.ports import Vectors, VectorSearch
from memory.rules.comparison import Verdict, compare
from memory.storage.search.embeddings import Embeddings
from memory.storage.statements.associations import Associations, Walked
from memory.storage.statements.statements import Memories

log = structlog.get_logger()

AT_ONCE = 50
"""Statements between two commits: some 100 ms of work is the most that a crash repeats."""

A_RUN = 2_000
"""Statements looked at in one run: some seconds of work, and an import takes several runs."""

NEAREST = 10
"""Neighbours by meaning that a statement is compared with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassReport:
    """What a run came to; `interrupted` when the vector store went away in it."""

    walked: int = 0
    found: int = 0
    interrupted: bool = False


class AssociationPass:
    """Walks statements once, in the order they were stored, and ties those that nothing ties yet.

    Those that are tied already are only read for causes, results and wholes that were stored with
    them: what one digest chunk tells is planned before any of it is kept.

    Where it has come to is kept with what it found, so it may be cut anywhere and run again.
    """

    def __init__(
        self,
        associations: Associations,
        memories: Memories,
        embeddings: Embeddings,
        index: VectorSearch,
        associator: Associator,
    ) -> None:
        self._associations = associations
        self._memories = memories
        self._embeddings = embeddings
        self._index = index
        self._associator = associator

    async def run(self) -> PassReport:
        """Walk on from where the last run ended; without anything new it is one look-up."""
        walked = found = 0
        interrupted = False
        try:
            while walked < A_RUN and (batch := await self._associations.walk(AT_ONCE)):
                found += await self._associations.keep(await self._found(batch), batch[-1].seq)
                walked += len(batch)
        except VectorStoreUnavailable:
            interrupted = True  # the cursor stays, and the next run begins with this batch
        if walked or interrupted:
            log.info("associations.walked", walked=walked, found=found, interrupted=interrupted)
        return PassReport(walked=walked, found=found, interrupted=interrupted)

    async def _found(self, batch: Sequence[Walked]) -> list[Association]:
        tied = {one.id for one in batch if one.is_tied}
        return [
            one
            for memory in await self._read(batch)
            for one in await self._around(memory)
            if memory.id not in tied or one.relation is not Relation.RELATED_TO
        ]

    async def _read(self, batch: Sequence[Walked]) -> list[Memory]:
        """The statements, each read as its own audience would."""
        by_audience = defaultdict(list)
        for one in batch:
            by_audience[one.audience].append(one.id)
        return [
            memory
            for audience, ids in by_audience.items()
            for memory in await self._memories.visible(ids, Scope(frozenset({audience})))
        ]

    async def _around(self, memory: Memory) -> list[Association]:
        with self._embeddings.held():
            kept = await self._embeddings.of(memory.store.collection, [memory.id])
            vector = kept.get(memory.id)
            near = {} if vector is None else await self._near(memory, vector)
            others = {
                other.id: other
                for other in await self._memories.rivals(memory, list(near))
                if other.id != memory.id
            }
            ties = await self._associator.ties(memory, vector, list(others.values()), near)
        return [
            tie.of(memory.id)
            for tie in ties
            if compare(memory, others[tie.other]) is Verdict.UNRELATED
        ]

    async def _near(self, memory: Memory, vector: Vectors) -> Mapping[MemoryId, float]:
        hits = await self._index.search(
            memory.store.collection,
            vector,
            limit=NEAREST + 1,  # it finds itself
            scope=Scope(frozenset({audience_of(memory.origin)})),
        )
        return {MemoryId(hit.id): hit.similarity for hit in hits}
