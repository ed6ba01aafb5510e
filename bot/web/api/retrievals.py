"""`/api/memory/retrievals`: what was looked up before each answer, and why."""

from typing import Any
from uuid import UUID

from fastapi import APIRouter

from bot.operations.why import ExplainOperations, TurnNotFound
from bot.web.access.dependencies import Reading
from bot.web.api.protocol.cursors import Cursor, Limit, cursor_of, position_in
from bot.web.api.protocol.documented import CursorPage, refusals
from bot.web.api.protocol.problems import NotFound
from bot.web.parts import Parts
from memory.model.messages import TurnId
from memory.storage.reporting.retrieval_log import AFTER_ALL, LoggedRetrieval

router = APIRouter(prefix="/api/memory/retrievals", tags=["recall"])


@router.get("", responses=refusals(400))
async def list_retrievals(
    principal: Reading, parts: Parts, limit: Limit = 50, cursor: Cursor = None
) -> CursorPage[LoggedRetrieval]:
    """Look-ups, newest first."""
    (before,) = position_in(cursor, int) or (AFTER_ALL,)
    log = parts.app.storage.reports.retrievals
    found = await log.page(principal.caller.scope, limit + 1, before)
    more = cursor_of(found[limit - 1].id) if len(found) > limit else None
    return CursorPage(items=found[:limit], next=more)


@router.get("/{turn}", responses=refusals(404))
async def explain_retrieval(turn: UUID, principal: Reading, parts: Parts) -> dict[str, Any]:
    """Why a turn was answered so: every candidate with its score, what spoke for it, its fate."""
    found = await parts.app.storage.turns.by_id(TurnId(turn), principal.caller.scope)
    if found is None:
        raise NotFound("There is no such turn.")
    try:
        return await ExplainOperations(parts.app, principal.caller).told(found, dropped=True)
    except TurnNotFound as error:
        raise NotFound(str(error)) from None
