"""The page of what is kept twice: both statements side by side, for the owner to decide."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse

from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.api.cursors import Cursor, position_in
from bot.surfaces.api.problems import Conflict, NotFound
from bot.surfaces.pages.navigation import PREFIX
from bot.surfaces.pages.rendering import Renderer
from bot.surfaces.parts import Parts
from bot.topics.duplicates import routes as resource

HERE = f"{PREFIX}/memory/proposals"
router = APIRouter(prefix=HERE)

A_PAGE = 20
"""Proposals of a page."""

MOST_AT_ONCE = 200
"""Proposals that are accepted together, all of which the preview shows."""

_DONE = {
    "accepted": "memory.done.accepted",
    "dismissed": "memory.done.dismissed",
    "all": "memory.done.accepted_all",
    "late": "memory.done.decided",
}


@router.get("")
async def proposals_page(
    request: Request,
    parts: Parts,
    principal: Allowed,
    done: Annotated[str, Query(max_length=20)] = "",
    cursor: Cursor = None,
) -> Response:
    """What waits for a decision."""
    position = position_in(cursor, int)
    page = await resource.proposals_page(parts, principal, A_PAGE, position[0] if position else 0)
    return Renderer(request, principal).page(
        "duplicates/proposals.html",
        done=_DONE.get(done),
        proposals=page.items,
        older=page.next and f"{HERE}?cursor={page.next}",
    )


@router.get("/all")
async def every_proposal(request: Request, parts: Parts, principal: Allowed) -> Response:
    """What accepting all of them would end, before it is done."""
    page = await resource.proposals_page(parts, principal, MOST_AT_ONCE, 0)
    return Renderer(request, principal).page(
        "duplicates/proposals_all.html", proposals=page.items, more=page.next is not None
    )


@router.post("/all")
async def accept_every(request: Request, parts: Parts, principal: Allowed) -> Response:
    """Accept those that were shown; what cannot be accepted stays open."""
    form = await request.form()
    shown = [int(one) for one in map(str, form.getlist("proposals")) if one.isdecimal()]
    for number in shown[:MOST_AT_ONCE]:
        try:
            await resource.decide(parts, principal, number, accept=True)
        except (Conflict, NotFound):
            continue
    return RedirectResponse(f"{HERE}?done=all", status_code=303)


@router.post("/{number}/{decision}")
async def decide(parts: Parts, principal: Allowed, number: int, decision: str) -> Response:
    """Accept one, or let both stay."""
    accept = decision == "accept"
    try:
        await resource.decide(parts, principal, number, accept=accept)
    except (Conflict, NotFound):
        return RedirectResponse(f"{HERE}?done=late", status_code=303)
    done = "accepted" if accept else "dismissed"
    return RedirectResponse(f"{HERE}?done={done}", status_code=303)
