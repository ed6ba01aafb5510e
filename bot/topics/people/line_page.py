"""The page of one line: who said it, what was learnt of it, and how to put that right."""

from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import HTMLResponse

from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.api.problems import NotFound
from bot.surfaces.pages.rendering import Renderer
from bot.surfaces.parts import Parts
from bot.topics.people.lines import line
from memory.model.messages import MessageId

router = APIRouter()


@router.get("/dashboard/people/lines/{message}", response_class=HTMLResponse)
async def said(
    request: Request,
    principal: Allowed,
    parts: Parts,
    message: Annotated[int, Path(ge=1, le=2**53)],
) -> HTMLResponse:
    """A line, with the statements to correct and the button to forget it."""
    found = await line(parts.app, principal.caller, MessageId(message))
    if found is None:
        raise NotFound("There is no such line any more.")
    return Renderer(request, principal).page("people/line.html", line=found)
