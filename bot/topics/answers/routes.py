"""`/api/memory/retrievals`: what was looked up before each answer, and why."""

from typing import Annotated, Any, cast
from uuid import UUID

from fastapi import APIRouter, Query

from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.api.cursors import Cursor, Limit, Page, position_in
from bot.surfaces.api.documented import refusals
from bot.surfaces.api.problems import NotFound
from bot.surfaces.api.routing import ValueRoute
from bot.surfaces.parts import Parts
from bot.surfaces.values import as_json
from bot.topics.answers import conversations
from bot.topics.answers.conversations import AnsweredTurn
from memory.model.messages import TurnId
from memory.model.people import PersonId

router = APIRouter(prefix="/api/memory/retrievals", tags=["recall"], route_class=ValueRoute)


@router.get("", responses=refusals(400))
async def list_retrievals(
    principal: Allowed,
    parts: Parts,
    limit: Limit = 50,
    cursor: Cursor = None,
    person: Annotated[str | None, Query(max_length=80, description="Of one person, by id.")] = None,
) -> Page[AnsweredTurn]:
    """Answers with what was looked up for them, newest first."""
    (before,) = position_in(cursor, int) or (None,)
    return await conversations.turns(
        parts.app,
        principal.caller,
        limit,
        before=before,
        person=None if person is None else PersonId(person),
    )


@router.get("/{turn}", responses=refusals(404))
async def explain_retrieval(turn: UUID, principal: Allowed, parts: Parts) -> dict[str, Any]:
    """Why a turn was answered so: each candidate with its score, its signals and its fate."""
    found = await conversations.turn(parts.app, principal.caller, TurnId(turn))
    if found is None:
        raise NotFound("There is no such turn.")
    return cast("dict[str, Any]", as_json(found))
