"""Statements: what the pet keeps of people (`memory`), of itself (`self`), and wants (`goals`)."""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Response

from bot.surfaces.access.dependencies import Allowed, NotAllowed
from bot.surfaces.access.principal import Principal
from bot.surfaces.api.cursors import Cursor, Page, position_in
from bot.surfaces.api.documented import refusals
from bot.surfaces.api.problems import Conflict
from bot.surfaces.api.revisions import IfMatch, came_too_late, check_revision, etag_of
from bot.surfaces.api.routing import ValueRoute
from bot.surfaces.parts import Parts, WebParts
from bot.surfaces.values import extended
from bot.topics.statements.changing import StatementChanges
from bot.topics.statements.listing import (
    Dependents,
    ListedStatement,
    StatementInHistory,
    StatementListing,
)
from bot.topics.statements.requests import (
    CorrectionRequest,
    NewStatementRequest,
    StatementsRequest,
)
from memory.learning.store import Stored
from memory.model.errors import HoldsNoMore
from memory.model.listing import StatementPosition
from memory.model.shown import Shown
from memory.model.statements import MemoryId
from memory.rules.forgetting.receipt import Receipt
from memory.rules.forgetting.selector import Selector
from memory.storage.sqlite.database import Check

router = APIRouter(
    prefix="/api/memories", tags=["memories"], responses=refusals(), route_class=ValueRoute
)


class StatementsQuery(StatementsRequest):
    """Which statements, and which page of them."""

    cursor: Cursor = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementAdded(Stored):
    """A statement that was added, as it is kept."""

    memory: Shown[StatementInHistory]


@router.get("", responses=refusals(400))
async def memories(
    parts: Parts, principal: Allowed, query: Annotated[StatementsQuery, Query()]
) -> Page[ListedStatement]:
    """Statements that hold, or held at `as_of`, the latest said first."""
    position = position_in(query.cursor, int, int)
    after = StatementPosition(*position) if position else None
    return await parts.of(StatementListing, principal).page(query, after)


@router.post(
    "",
    status_code=201,
    responses={
        200: {"description": "It was known already."},
        409: {"description": "It says what was forgotten before."},
    },
)
async def add_memory(
    parts: Parts, principal: Allowed, new: NewStatementRequest, response: Response
) -> StatementAdded:
    """Keep a statement. One that is known already is freshened, a forgotten one refused."""
    stored = await parts.of(StatementChanges, principal).add(new)
    if not stored.new and principal.may_read:
        response.status_code = HTTPStatus.OK
    response.headers["location"] = f"/api/memories/{stored.id}"
    shown = await _shown(parts, principal, stored.id, response)
    return extended(StatementAdded, stored, memory=shown)


@router.get("/{memory}", responses=refusals(404))
async def one_memory(
    parts: Parts, principal: Allowed, memory: UUID, response: Response
) -> StatementInHistory:
    """One statement, also one that was replaced; never one that was forgotten."""
    return await _shown(parts, principal, memory, response)


@router.patch("/{memory}", responses=refusals(404, 409, 412))
async def correct_memory(
    parts: Parts,
    principal: Allowed,
    *,
    memory: UUID,
    correction: CorrectionRequest,
    response: Response,
    if_match: IfMatch = None,
) -> StatementInHistory:
    """Correct a statement: another one replaces it, and it stays as history."""
    right = await corrected(parts, principal, memory, correction, if_match)
    return await _shown(parts, principal, right, response)


@router.delete("/{memory}", responses=refusals(404, 409, 412))
async def forget_memory(
    parts: Parts, principal: Allowed, memory: UUID, if_match: IfMatch = None
) -> Receipt:
    """Forget a statement; the receipt's number undoes it for a day."""
    check = await _held(parts, principal, memory, if_match)
    selector, forgetting = Selector(memories=(MemoryId(memory),)), parts.app.services.forgetting
    if (await forgetting.preview(selector, principal.caller.requester)).is_empty:
        raise NotAllowed("This memory is not yours to have forgotten.")
    try:
        return await forgetting.at_once(selector, principal.caller.requester, check)
    except HoldsNoMore as error:
        raise await _late(parts, principal, memory, if_match, str(error)) from error


@router.get("/{memory}/history", responses=refusals(404))
async def memory_history(
    parts: Parts, principal: Allowed, memory: UUID
) -> Page[StatementInHistory]:
    """What a statement replaced and what replaced it, in the order of saying."""
    return await parts.of(StatementListing, principal).history(MemoryId(memory))


@router.get("/{memory}/dependents", responses=refusals(404))
async def memory_dependents(parts: Parts, principal: Allowed, memory: UUID) -> Dependents:
    """What a statement rests on, is tied to, and the core facts that rest on it."""
    return await parts.of(StatementListing, principal).dependents(MemoryId(memory))


async def corrected(
    parts: WebParts,
    principal: Principal,
    id_: UUID,
    correction: CorrectionRequest,
    if_match: str | None,
) -> MemoryId:
    """Correct a statement that is still what the correction was made for; what has its place.

    Raises:
        UnknownStatement: there never was one.
        Conflict: it was forgotten, replaced, or its revision is another.

    """
    check = await _held(parts, principal, id_, if_match)
    try:
        changes = parts.of(StatementChanges, principal)
        return await changes.correct(MemoryId(id_), correction, check)
    except HoldsNoMore as error:
        raise await _late(parts, principal, id_, if_match, str(error)) from error


async def _held(parts: WebParts, principal: Principal, id_: UUID, if_match: str | None) -> Check:
    """What lets a change be made while a statement is what the change was made for."""
    scope = principal.caller.scope
    try:
        memory = await parts.of(StatementChanges, principal).held(MemoryId(id_))
    except HoldsNoMore as error:
        raise await _late(parts, principal, id_, if_match, str(error)) from error
    check_revision(if_match, await parts.of(StatementListing, principal).one(MemoryId(id_)))
    return parts.app.storage.memories.unchanged(memory, scope)


async def _late(
    parts: WebParts, principal: Principal, id_: UUID, if_match: str | None, sentence: str
) -> Conflict:
    """The refusal of a change to what is another thing by now, with what it is."""
    now = await parts.of(StatementListing, principal).now(MemoryId(id_))
    return came_too_late(if_match, sentence, now)


async def _shown(
    parts: WebParts, principal: Principal, id_: UUID, response: Response
) -> StatementInHistory:
    shown = await parts.of(StatementListing, principal).one(MemoryId(id_))
    response.headers["etag"] = etag_of(shown)
    return shown
