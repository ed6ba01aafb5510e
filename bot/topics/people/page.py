"""People by name, and one with what is known of them."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.api.cursors import Cursor, position_in
from bot.surfaces.api.problems import NotFound
from bot.surfaces.pages.rendering import Renderer
from bot.surfaces.parts import Parts
from bot.topics.people import people
from memory.model.people import PersonId

router = APIRouter()

_AT_ONCE = 25
"""People on a page."""

_STATEMENTS = 20
"""Statements on a page about one person."""


@router.get("/dashboard/people", response_class=HTMLResponse)
async def listed(
    request: Request,
    principal: Allowed,
    parts: Parts,
    after: Cursor = None,
    q: Annotated[str, Query(max_length=100)] = "",
) -> HTMLResponse:
    """People by name; `q` leaves those whose name has it."""
    position = position_in(after, str)
    found = await people.people(
        parts.app,
        _AT_ONCE,
        after=PersonId(position[0]) if position else None,
        called=q.strip(),
    )
    return Renderer(request, principal).page(
        "people/people.html", people=found.items, more=found.next, q=q.strip()
    )


@router.get("/dashboard/people/{person}", response_class=HTMLResponse)
async def one(
    request: Request,
    principal: Allowed,
    parts: Parts,
    *,
    person: Annotated[str, "their id"],
    after: Cursor = None,
    done: Annotated[str | None, Query(max_length=20)] = None,
    receipt: Annotated[int | None, Query(ge=1)] = None,
) -> HTMLResponse:
    """One person, with the latest that is known of them."""
    position = position_in(after, int)
    found = await people.person(
        parts.app,
        principal.caller,
        PersonId(person),
        _STATEMENTS,
        position[0] if position else None,
    )
    if found is None:
        raise NotFound("There is no such person.")
    return Renderer(request, principal).page(
        "people/person.html", person=found, done=done, receipt=receipt
    )
