"""Answers and why they were given; each injected line can be said to have been of use or not."""

from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.api.cursors import Cursor, position_in
from bot.surfaces.api.problems import NotFound
from bot.surfaces.pages.rendering import Renderer
from bot.surfaces.parts import Parts
from bot.topics.answers import conversations
from bot.topics.answers.labelling import LabelLineRequest, LabelOperations
from memory.model.messages import TurnId
from memory.model.people import PersonId

router = APIRouter()

_AT_ONCE = 30
"""Answers on a page."""

_SIGNALS = frozenset(
    {"words", "meaning", "named", "proper", "speaker", "period", "recent", "tied", "told"}
)
"""Signals of recall that have a text of their own; another is called by its name."""

_LABELS = {"yes": True, "no": False, "unsaid": None}


@router.get("/dashboard/conversations", response_class=HTMLResponse)
async def listed(
    request: Request,
    principal: Allowed,
    parts: Parts,
    after: Cursor = None,
    person: Annotated[str | None, Query(max_length=80)] = None,
) -> HTMLResponse:
    """The latest answers, of one person or to all."""
    position = position_in(after, int)
    found = await conversations.turns(
        parts.app,
        principal.caller,
        _AT_ONCE,
        before=position[0] if position else None,
        person=PersonId(person) if person else None,
    )
    return Renderer(request, principal).page(
        "answers/conversations.html", turns=found.items, older=found.next, person=person
    )


@router.get("/dashboard/conversations/{turn}", response_class=HTMLResponse)
async def one(
    request: Request,
    principal: Allowed,
    parts: Parts,
    turn: UUID,
    done: Annotated[str | None, Query(max_length=20)] = None,
) -> HTMLResponse:
    """One answer, with everything that was considered for it."""
    found = await conversations.turn(parts.app, principal.caller, TurnId(turn))
    if found is None:
        raise NotFound("There is no such answer any more.")
    return Renderer(request, principal).page(
        "answers/conversation.html", turn=found, done=done, signals=_SIGNALS
    )


@router.post("/dashboard/conversations/{turn}/lines")
async def label(
    principal: Allowed,
    parts: Parts,
    turn: UUID,
    line: Annotated[str, Form(max_length=200)],
    useful: Annotated[Literal["yes", "no", "unsaid"], Form()],
) -> RedirectResponse:
    """Say of one injected line whether it was of use."""
    said = LabelLineRequest(turn=turn, line=line, useful=_LABELS[useful])
    await parts.of(LabelOperations, principal).label(said)
    return RedirectResponse(f"/dashboard/conversations/{turn}?done=labelled#lines", status_code=303)
