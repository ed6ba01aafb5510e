"""Proposals: two statements that say the same, kept twice until the owner decides."""

from typing import Any

from fastapi import APIRouter

from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.access.principal import Principal
from bot.surfaces.api.cursors import Cursor, Limit, page_of, position_in
from bot.surfaces.api.documented import refusals
from bot.surfaces.api.problems import Conflict, NotFound
from bot.surfaces.parts import Parts, WebParts
from bot.topics.duplicates.duplicates import proposals_json
from memory.model.errors import NotProposed

router = APIRouter(prefix="/api/proposals", tags=["proposals"], responses=refusals())

Json = dict[str, Any]


@router.get("", responses=refusals(400))
async def proposals(
    parts: Parts, principal: Allowed, limit: Limit = 50, cursor: Cursor = None
) -> Json:
    """Those that wait for a decision, oldest first, with both statements."""
    position = position_in(cursor, int)
    return await proposals_page(parts, principal, limit, position[0] if position else 0)


@router.post("/{number}/accept", responses=refusals(404, 409))
async def accept_proposal(parts: Parts, principal: Allowed, number: int) -> Json:
    """Let the one that is kept take the place of the other, which stays as history."""
    await decide(parts, principal, number, accept=True)
    return {"accepted": number}


@router.post("/{number}/dismiss", responses=refusals(404, 409))
async def dismiss_proposal(parts: Parts, principal: Allowed, number: int) -> Json:
    """Let both stay, and never ask about these two again."""
    await decide(parts, principal, number, accept=False)
    return {"dismissed": number}


async def proposals_page(parts: WebParts, principal: Principal, limit: int, after: int) -> Json:
    """A page of open proposals, as JSON."""
    scope, storage = principal.caller.scope, parts.app.storage
    found = await storage.proposals.open(scope, limit + 1, after=after)
    page = page_of(found, limit, lambda one: one.id)
    return {"items": await proposals_json(storage, scope, page.items), "next": page.next}


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
    name = "accept" if accept else "dismiss"
    try:
        await parts.operations(principal).result(name, {"proposal": number})
    except NotProposed as error:
        raise Conflict(str(error)) from error
