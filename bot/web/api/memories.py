"""Statements: what the pet keeps of people (`memory`), of itself (`self`), and wants (`goals`)."""

from http import HTTPStatus
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Query, Response

from bot.operations.forget import receipt_json
from bot.operations.statements.changing import StatementChanges
from bot.operations.statements.listing import StatementListing, UnknownStatement
from bot.operations.statements.requests import (
    CorrectionRequest,
    NewStatementRequest,
    StatementsRequest,
)
from bot.web.access.dependencies import CommunityReading, CommunityWriting, NotAllowed, Writing
from bot.web.access.principal import Principal
from bot.web.api.protocol.cursors import Cursor, cursor_of, position_in
from bot.web.api.protocol.documented import refusals
from bot.web.api.protocol.problems import Conflict
from bot.web.api.protocol.revisions import IfMatch, check_revision, etag_of
from bot.web.parts import Parts, WebParts
from memory.learning.commanded import HoldsNoMore
from memory.model.listing import StatementPosition
from memory.model.statements import MemoryId, RowState
from memory.rules.forgetting.selector import Selector

router = APIRouter(prefix="/api/memories", tags=["memories"], responses=refusals())

Json = dict[str, Any]


class StatementsQuery(StatementsRequest):
    """Which statements, and which page of them."""

    cursor: Cursor = None


@router.get("", responses=refusals(400))
async def memories(
    parts: Parts, principal: CommunityReading, query: Annotated[StatementsQuery, Query()]
) -> Json:
    """Statements, the latest said first; those that hold, or with `as_of` held then."""
    position = position_in(query.cursor, int, int)
    after = StatementPosition(*position) if position else None
    page = await StatementListing(parts.app, principal.caller).page(query, after)
    ended = page.next and cursor_of(page.next.said_at, page.next.seq)
    return {"items": page.items, "next": ended}


@router.post(
    "",
    status_code=201,
    responses={
        200: {"description": "It was known already."},
        409: {"description": "It says what was forgotten before."},
    },
)
async def add_memory(
    parts: Parts, principal: Writing, new: NewStatementRequest, response: Response
) -> Json:
    """Keep a statement; one that says the same already is freshened, a forgotten one refused."""
    stored = await StatementChanges(parts.app, principal.caller).add(new)
    if not stored["new"]:
        response.status_code = HTTPStatus.OK
    response.headers["location"] = f"/api/memories/{stored['id']}"
    shown = await _shown(parts, principal, UUID(stored["id"]), response)
    return {**stored, "memory": shown}


@router.get("/{memory}", responses=refusals(404))
async def one_memory(
    parts: Parts, principal: CommunityReading, memory: UUID, response: Response
) -> Json:
    """One statement, whether it holds or was replaced; what was forgotten is not found."""
    return await _shown(parts, principal, memory, response)


@router.patch("/{memory}", responses=refusals(404, 409, 412))
async def correct_memory(
    parts: Parts,
    principal: Writing,
    *,
    memory: UUID,
    correction: CorrectionRequest,
    response: Response,
    if_match: IfMatch = None,
) -> Json:
    """Correct a statement: another one takes its place, and it stays as history."""
    await held(parts, principal, memory, if_match)
    try:
        right = await StatementChanges(parts.app, principal.caller).correct(
            MemoryId(memory), correction
        )
    except HoldsNoMore as error:
        raise await changed_meanwhile(parts, principal, memory, str(error)) from error
    return await _shown(parts, principal, right, response)


@router.delete("/{memory}", responses=refusals(404, 409, 412))
async def forget_memory(
    parts: Parts, principal: CommunityWriting, memory: UUID, if_match: IfMatch = None
) -> Json:
    """Forget a statement; it can be undone for a day by the number of the receipt."""
    await held(parts, principal, memory, if_match)
    selector, forgetting = Selector(memories=(MemoryId(memory),)), parts.app.services.forgetting
    if (await forgetting.preview(selector, principal.caller.requester)).is_empty:
        raise NotAllowed("This memory is not yours to have forgotten.")
    receipt = await forgetting.at_once(selector, principal.caller.requester)
    return receipt_json(receipt)


@router.get("/{memory}/history", responses=refusals(404))
async def memory_history(parts: Parts, principal: CommunityReading, memory: UUID) -> Json:
    """What a statement took the place of and what took its place, in the order of saying."""
    chain = await StatementListing(parts.app, principal.caller).history(MemoryId(memory))
    return {"items": chain, "next": None}


@router.get("/{memory}/dependents", responses=refusals(404))
async def memory_dependents(parts: Parts, principal: CommunityReading, memory: UUID) -> Json:
    """What a statement rests on, what it is tied to, and the core facts that rest on it."""
    return await StatementListing(parts.app, principal.caller).dependents(MemoryId(memory))


async def held(parts: WebParts, principal: Principal, id_: UUID, if_match: str | None) -> Json:
    """A statement that is still what a change was made for, as JSON.

    Raises:
        UnknownStatement: there never was one.
        Conflict: it was forgotten, replaced, or its revision is another.

    """
    listing = StatementListing(parts.app, principal.caller)
    if await listing.fate(MemoryId(id_)) is not RowState.KNOWN:
        raise await changed_meanwhile(parts, principal, id_, "It holds no more.")
    shown = await listing.one(MemoryId(id_))
    check_revision(if_match, shown)
    return shown


async def changed_meanwhile(
    parts: WebParts, principal: Principal, id_: UUID, sentence: str
) -> Conflict:
    """The refusal of a change to what is another thing by now, with what it is."""
    try:
        now = await StatementListing(parts.app, principal.caller).now(MemoryId(id_))
    except UnknownStatement:
        now = {"state": RowState.FORGOTTEN.value}
    return Conflict(sentence, now)


async def _shown(parts: WebParts, principal: Principal, id_: UUID, response: Response) -> Json:
    shown = await StatementListing(parts.app, principal.caller).one(MemoryId(id_))
    response.headers["etag"] = etag_of(shown)
    return shown
