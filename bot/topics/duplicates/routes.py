"""Proposals: two statements that say the same, kept twice until the owner decides."""

from fastapi import APIRouter

from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.access.principal import Principal
from bot.surfaces.api.cursors import Cursor, Limit, Page, page_of, position_in
from bot.surfaces.api.documented import refusals
from bot.surfaces.api.problems import Conflict, NotFound
from bot.surfaces.api.routing import ValueRoute
from bot.surfaces.parts import Parts, WebParts
from bot.topics.duplicates.duplicates import (
    DecideRequest,
    DismissRequest,
    DuplicateOperations,
    ProposedDuplicate,
    shown_proposals,
)
from memory.model.errors import NotProposed

router = APIRouter(
    prefix="/api/proposals", tags=["proposals"], responses=refusals(), route_class=ValueRoute
)


@router.get("", responses=refusals(400))
async def proposals(
    parts: Parts, principal: Allowed, limit: Limit = 50, cursor: Cursor = None
) -> Page[ProposedDuplicate]:
    """Pairs of statements that may say the same and wait for a decision, oldest first."""
    position = position_in(cursor, int)
    return await proposals_page(parts, principal, limit, position[0] if position else 0)


@router.post("/{number}/accept", responses=refusals(404, 409))
async def accept_proposal(parts: Parts, principal: Allowed, number: int) -> dict[str, int]:
    """Let `keep` replace `drop`, which stays as history."""
    await decide(parts, principal, number, accept=True)
    return {"accepted": number}


@router.post("/{number}/dismiss", responses=refusals(404, 409))
async def dismiss_proposal(parts: Parts, principal: Allowed, number: int) -> dict[str, int]:
    """Keep both, and never ask about them again."""
    await decide(parts, principal, number, accept=False)
    return {"dismissed": number}


async def proposals_page(
    parts: WebParts, principal: Principal, limit: int, after: int
) -> Page[ProposedDuplicate]:
    """A page of open proposals."""
    scope, storage = principal.caller.scope, parts.app.storage
    found = await storage.proposals.open(scope, limit + 1, after=after)
    page = page_of(found, limit, lambda one: one.id)
    return Page(await shown_proposals(storage, scope, page.items), page.next)


async def decide(parts: WebParts, principal: Principal, number: int, *, accept: bool) -> None:
    """Accept or dismiss a proposal.

    Raises:
        NotFound: no such one waits.
        Conflict: something would be lost by it, or it was decided meanwhile.

    """
    if not 0 < number < 2**62:
        raise NotFound(f"There is no open proposal {number}.")
    try:
        await parts.app.storage.proposals.one(number, principal.caller.scope)
    except NotProposed as error:
        raise NotFound(f"There is no open proposal {number}.") from error
    duplicates = parts.of(DuplicateOperations, principal)
    try:
        if accept:
            await duplicates.accept(DecideRequest(proposal=number))
        else:
            await duplicates.dismiss(DismissRequest(proposal=number))
    except NotProposed as error:
        raise Conflict(str(error)) from error
