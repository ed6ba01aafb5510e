"""What would it say? The lines that a question of a person in a room would bring up."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.api.problems import NotFound
from bot.surfaces.pages.rendering import Renderer
from bot.surfaces.parts import Parts
from bot.topics.answers import asking
from bot.topics.people import people
from memory.model.people import PersonId
from memory.model.rooms import RoomId
from memory.storage.linking.directory import PersonListing

router = APIRouter()

_MOST_PEOPLE = 200
"""People to choose from; another one is asked for on their own page."""

IN_PRIVATE = "private"
"""The choice of a room that stands for being alone with the pet."""


@router.get("/dashboard/ask", response_class=HTMLResponse)
async def ask(
    request: Request,
    principal: Allowed,
    parts: Parts,
    *,
    person: Annotated[str | None, Query(max_length=80)] = None,
    room: Annotated[str, Query(max_length=300)] = IN_PRIVATE,
    question: Annotated[str, Query(max_length=2000)] = "",
) -> HTMLResponse:
    """A form, and below it what may be recalled there; nothing is sent, stored or counted."""
    known = (await people.people(parts.app, _MOST_PEOPLE)).items
    chosen = await _chosen(parts, person, known)
    found = None
    if person and question.strip():
        where = None if room == IN_PRIVATE else RoomId(room)
        found = await asking.recallable(
            parts.app, principal.caller, PersonId(person), where, question
        )
        if found is None:
            raise NotFound("There is no such person or room.")
    return Renderer(request, principal).page(
        "answers/ask.html",
        people=chosen,
        rooms=await asking.rooms_to_ask_in(parts.app),
        person=person,
        room=room,
        question=question,
        found=found,
    )


async def _chosen(
    parts: Parts, person: str | None, known: Sequence[PersonListing]
) -> Sequence[PersonListing]:
    """Who can be chosen: also the person whose page leads here, past the first ones by name."""
    if not person or any(one.id == person for one in known):
        return known
    named = await parts.app.storage.directory.one(PersonId(person))
    return known if named is None else [*known, named]
