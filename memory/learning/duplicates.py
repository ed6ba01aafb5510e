"""Finds statements that say the same, at night, and proposes them to the operator to merge."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import structlog

from memory.model.audience import Scope, audience_of
from memory.model.authority import Actor
from memory.model.errors import NotProposed, VectorStoreUnavailable
from memory.model.proposals import FoundDuplicate, Passed, Proposal
from memory.model.statements import Association, Memory, MemoryId, Relation
from memory.ports import Clock, VectorSearch
from memory.rules.duplicates import duplicate_of, lost
from memory.storage.search.embeddings import Embeddings
from memory.storage.sqlite.audit import signature_of
from memory.storage.sqlite.database import Transaction
from memory.storage.statements.associations import FoundDuring as Origin
from memory.storage.statements.associations import associate, inherit
from memory.storage.statements.merge_proposals import Proposals, decide
from memory.storage.statements.profiles import move_core_facts
from memory.storage.statements.statements import Memories
from memory.storage.statements.supersession import supersede

log = structlog.get_logger()

AT_ONCE = 50
"""Statements between two commits: the most that a crash repeats."""

A_NIGHT = 2_000
"""Statements looked at in one night: at 20 ms each, less than a minute beside everything else. An
import takes several nights."""

NEAREST = 10
"""Neighbours by meaning that a statement is compared with, besides ten by words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TidyReport:
    """What a run came to; `interrupted` when the vector store went away in it."""

    walked: int = 0
    proposed: int = 0
    interrupted: bool = False


class DuplicateSweep:
    """Walks statements once, in the order they were stored, each among those of its own audience.

    Where it has come to is kept with what it found, so it may be cut anywhere and run again;
    without anything new a night is one look-up. It changes no statement: that takes an operator
    who accepts what it proposes.
    """

    def __init__(
        self,
        proposals: Proposals,
        memories: Memories,
        embeddings: Embeddings,
        index: VectorSearch,
        clock: Clock,
    ) -> None:
        self._proposals = proposals
        self._memories = memories
        self._embeddings = embeddings
        self._index = index
        self._clock = clock

    async def run(self) -> TidyReport:
        """Walk on from where the last night ended."""
        walked = proposed = 0
        interrupted = False
        try:
            while walked < A_NIGHT and (batch := await self._proposals.walk(AT_ONCE)):
                found = await self._found(batch)
                proposed += await self._proposals.keep(found, batch[-1].seq)
                walked += len(batch)
        except VectorStoreUnavailable:
            interrupted = True  # the cursor stays, and the next night begins with this batch
        if walked or interrupted:
            log.info("memories.compared", walked=walked, found=proposed, interrupted=interrupted)
        return TidyReport(walked=walked, proposed=proposed, interrupted=interrupted)

    async def accept(self, proposal: Proposal, scope: Scope, actor: Actor) -> None:
        """Let the richer statement take the place of the poorer, which stays as history.

        Raises:
            NotProposed: something would be lost by it, it is not for the actor to decide, or it
                was decided meanwhile.

        """
        kept = {one.id: one for one in await self._memories.visible(_both(proposal), scope)}
        if len(kept) < len(_both(proposal)):
            raise NotProposed(f"One of the memories of proposal {proposal.id} is kept no more.")
        gone = lost(kept[proposal.drop], kept[proposal.keep])
        if gone:
            raise NotProposed(f"Proposal {proposal.id} would lose {', '.join(gone)}.")

        until = max(one.valid_from for one in kept.values())

        async def work(transaction: Transaction) -> None:
            now, keep, drop = self._clock.now(), proposal.keep, proposal.drop
            await decide(transaction, proposal, "accepted", signature_of(actor), self._clock)
            await move_core_facts(transaction, drop, kept[keep], now)
            if not await supersede(transaction, [drop], actor, by=keep, until=until, now=now):
                raise NotProposed(f"Proposal {proposal.id} is not for you to decide.")
            tie = Association(start=keep, end=drop, relation=Relation.UPDATES, weight=1.0)
            await associate(transaction, [tie], Origin.WRITE, now)
            await inherit(transaction, drop, keep, now)

        await self._proposals.write(work)

    async def _found(self, batch: Sequence[Passed]) -> list[FoundDuplicate]:
        return [one for memory in await self._read(batch) for one in await self._twins(memory)]

    async def _read(self, batch: Sequence[Passed]) -> list[Memory]:
        """The statements, each read as its own audience would."""
        by_audience = defaultdict(list)
        for one in batch:
            by_audience[one.audience].append(one.id)
        return [
            memory
            for audience, ids in by_audience.items()
            for memory in await self._memories.visible(ids, Scope(frozenset({audience})))
        ]

    async def _twins(self, memory: Memory) -> list[FoundDuplicate]:
        near = await self._near(memory)
        rivals = await self._memories.rivals(memory, list(near))
        twins = [(duplicate_of(memory, rival), near.get(rival.id)) for rival in rivals]
        return [
            FoundDuplicate(duplicate=twin, similarity=near)
            for twin, near in twins
            if twin is not None
        ]

    async def _near(self, memory: Memory) -> Mapping[MemoryId, float]:
        """The cosine of each of the nearest of its own audience; none where it has no vector."""
        collection = memory.store.collection
        own = Scope(frozenset({audience_of(memory.origin)}))
        with self._embeddings.held():
            vector = (await self._embeddings.of(collection, [memory.id])).get(memory.id)
            if vector is None:
                return {}
            hits = await self._index.search(collection, vector, limit=NEAREST + 1, scope=own)
        return {MemoryId(hit.id): hit.similarity for hit in hits}


def _both(proposal: Proposal) -> list[MemoryId]:
    return [proposal.keep, proposal.drop]
