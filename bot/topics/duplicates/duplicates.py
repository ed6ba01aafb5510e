"""The operations behind `eko tidy`: what is kept twice."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from bot.surfaces.operations import TopicOperations, operation
from bot.surfaces.requests import NoArguments, OperationRequest
from bot.surfaces.values import Event
from memory.model.audience import Scope
from memory.model.errors import NotProposed
from memory.model.proposals import Likeness, Proposal
from memory.model.shown import Shown
from memory.model.statements import Memory
from memory.storage.storage import Storage

MOST = 10_000
"""Proposals that one command reads: more than anybody decides."""


class ListProposalsRequest(OperationRequest):
    """Memories that say the same and wait for a decision."""

    limit: Annotated[int, Field(ge=1, le=10000)] = 50


class DecideRequest(OperationRequest):
    """Accept a proposal by its number; None accepts all that are open."""

    proposal: int | None = None


class DismissRequest(OperationRequest):
    """Let both memories of a proposal stay."""

    proposal: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedDuplicate:
    """Two statements that say the same: `drop` would be replaced by `keep`."""

    id: Shown[int]
    keep: Shown[Memory]
    drop: Shown[Memory]
    why: Shown[Likeness]
    similarity: Shown[float | None]


class DuplicateOperations(TopicOperations):
    """Lets the operator decide what is kept twice."""

    @operation("proposals")
    async def proposals(self, request: ListProposalsRequest) -> Event:
        """What waits for a decision, with both statements."""
        found = await self._app.storage.proposals.open(self._caller.scope, request.limit)
        shown = await shown_proposals(self._app.storage, self._caller.scope, found)
        return {"proposals": shown}

    @operation("tidy")
    async def run(self, _request: NoArguments) -> AsyncIterator[Event]:
        """Look for what says the same now instead of at night."""
        yield {"progress": {"state": "comparing"}}
        report = await self._app.services.tidying.run()
        yield {
            "result": {
                "walked": report.walked,
                "proposed": report.proposed,
                "interrupted": report.interrupted,
            }
        }

    @operation("accept")
    async def accept(self, request: DecideRequest) -> Event:
        """Accept one proposal, or all that are open; the result lists those that cannot be."""
        storage, accepted, refused = self._app.storage, [], []
        chosen = (
            await storage.proposals.open(self._caller.scope, MOST)
            if request.proposal is None
            else [await storage.proposals.one(request.proposal, self._caller.scope)]
        )
        for one in chosen:
            try:
                await self._app.services.tidying.accept(one, self._caller.scope, self._caller.actor)
                accepted.append(one.id)
            except NotProposed as error:
                refused.append(str(error))
        if refused and request.proposal is not None:
            raise NotProposed(refused[0])
        return {"accepted": accepted, "refused": refused}

    @operation("dismiss")
    async def dismiss(self, request: DismissRequest) -> Event:
        """Let both stay, and never ask about them again."""
        await self._app.storage.proposals.dismiss(
            request.proposal, self._caller.scope, self._caller.signature
        )
        return {"dismissed": request.proposal}


async def shown_proposals(
    storage: Storage, scope: Scope, found: Sequence[Proposal]
) -> list[ProposedDuplicate]:
    """Proposals with both statements, without those that changed meanwhile."""
    ids = [id_ for one in found for id_ in (one.keep, one.drop)]
    known = {one.id: one for one in await storage.memories.visible(ids, scope)}
    return [
        ProposedDuplicate(
            id=one.id,
            keep=known[one.keep],
            drop=known[one.drop],
            why=one.why,
            similarity=None if one.similarity is None else round(one.similarity, 3),
        )
        for one in found
        if one.keep in known and one.drop in known
    ]
