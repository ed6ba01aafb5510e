"""`/api/memory/retrievals`: what was looked up before each answer, and why."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import BaseModel

from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.api.cursors import Cursor, Limit, cursor_after, position_in
from bot.surfaces.api.documented import CursorPage, refusals
from bot.surfaces.api.problems import NotFound
from bot.surfaces.parts import Parts
from bot.topics.answers import conversations
from memory.model.messages import TurnId
from memory.model.people import PersonId

router = APIRouter(prefix="/api/memory/retrievals", tags=["recall"])


class LookupView(BaseModel):
    """Why something was looked up or not; of the rows `considered` so many were `injected`.

    `late` are the sources that missed the deadline.
    """

    reason: str
    considered: int
    injected: int
    tokens: int
    took_ms: float
    late: list[str]


class AnswerView(BaseModel):
    """An answer with what was looked up for it; `error` says why rules answered.

    `asked` is "" once its words were taken back.
    """

    turn: str
    at: str
    person: str
    person_id: str
    room: str
    where: str
    asked: str
    reply: str
    expression: str
    recall: LookupView
    error: str | None


@router.get("", responses=refusals(400))
async def list_retrievals(
    principal: Allowed,
    parts: Parts,
    limit: Limit = 50,
    cursor: Cursor = None,
    person: Annotated[str | None, Query(max_length=80, description="Of one person, by id.")] = None,
) -> CursorPage[AnswerView]:
    """Answers with their look-ups, newest first."""
    (before,) = position_in(cursor, int) or (None,)
    found = await conversations.turns(
        parts.app,
        principal.caller,
        limit,
        before=before,
        person=None if person is None else PersonId(person),
    )
    return CursorPage(items=found["items"], next=cursor_after(found["next"]))


@router.get("/{turn}", responses=refusals(404))
async def explain_retrieval(turn: UUID, principal: Allowed, parts: Parts) -> dict[str, Any]:
    """Why a turn was answered so: every candidate with its score, what spoke for it, its fate."""
    found = await conversations.turn(parts.app, principal.caller, TurnId(turn))
    if found is None:
        raise NotFound("There is no such turn.")
    return found
