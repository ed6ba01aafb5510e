"""`/api/live`, `/api/digests` and `/admin/digest`: what is live, and what digests made of it."""

import json
from collections.abc import AsyncIterator
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Header, Query
from fastapi.responses import JSONResponse, Response, StreamingResponse
from pydantic import BaseModel

from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.api.cursors import Cursor, Limit, cursor_after, position_in
from bot.surfaces.api.documented import CursorPage, refusals
from bot.surfaces.api.problems import NotFound
from bot.surfaces.json import Event
from bot.surfaces.parts import Parts
from bot.topics.digests import digests

router = APIRouter(tags=["digests"])

Chunks = Annotated[int, Query(ge=1, le=20, description="The most stretches of a page.")]

NDJSON, SSE = "application/x-ndjson", "text/event-stream"


class LiveLineView(BaseModel):
    """A line that was overheard; `state` is `waiting`, `claimed` by a digest, or `quarantined`."""

    message: int
    room: str
    where: str
    author: str
    text: str
    at: str
    state: str


class DigestView(BaseModel):
    """A digest: of its `chunks` (stretches of a room) so many are `read`, so many set aside."""

    id: str
    started_at: str
    finished_at: str | None
    messages: int
    facts: int
    chunks: int
    read: int
    quarantined: int


class LearntView(BaseModel):
    """A memory that rests on a line; its `state` is `known` while it holds."""

    id: str
    content: str
    state: str


class LedgerLineView(BaseModel):
    """A line and what it `became`, or `why_not`; no words of it are left once it was taken back."""

    message: int
    author: str | None
    text: str | None
    at: str | None
    became: list[LearntView]
    why_not: str | None


class LedgerChunkView(BaseModel):
    """A stretch of one room; `state` is `claimed` until it is read, then `stored` or `quarantined`.

    `error` says why it was set aside.
    """

    position: int
    room: str
    where: str
    state: str
    attempts: int
    error: str | None
    lines: list[LedgerLineView]


class LedgerView(DigestView):
    """A digest with a page of the stretches it was read in."""

    items: list[LedgerChunkView]
    next: str | None


class DigestWish(BaseModel):
    """`retry` takes back first what was set aside after failures."""

    retry: bool = False


class DigestReportView(BaseModel):
    """What a run came to; `interrupted` says why it stopped early."""

    messages: int
    facts: int
    quarantined: int
    interrupted: str | None
    unindexed: int


@router.get("/api/live", responses=refusals(400))
async def list_live(
    principal: Allowed, parts: Parts, limit: Limit = 50, cursor: Cursor = None
) -> CursorPage[LiveLineView]:
    """What was overheard and waits for a digest, oldest first."""
    (after,) = position_in(cursor, int) or (0,)
    found = await digests.live_lines(parts.app, principal.caller, limit, after)
    return CursorPage(items=found["items"], next=cursor_after(found["next"]))


@router.get("/api/digests", responses=refusals(400))
async def list_digests(
    _principal: Allowed, parts: Parts, limit: Limit = 50, cursor: Cursor = None
) -> CursorPage[DigestView]:
    """Digests, newest first."""
    found = await digests.digests(parts.app, limit, position_in(cursor, int, str))
    return CursorPage(items=found["items"], next=cursor_after(found["next"]))


@router.get("/api/digests/{digest}", responses=refusals(400, 404))
async def read_digest(
    digest: UUID, principal: Allowed, parts: Parts, limit: Chunks = 4, cursor: Cursor = None
) -> LedgerView:
    """One digest: what each line became; a line that became nothing says why not."""
    (start,) = position_in(cursor, int) or (0,)
    found = await digests.ledger(parts.app, principal.caller, digest, limit, start)
    if found is None:
        raise NotFound("There is no such digest.")
    return LedgerView(**{**found, "next": cursor_after(found["next"])})


@router.post(
    "/admin/digest",
    responses={
        200: {
            "model": DigestReportView,
            "description": "Its report; with its progress before it where `Accept` asks for one of "
            "the streams, each event one JSON value: progress, then result or error.",
            "content": {NDJSON: {}, SSE: {}},
        },
        **refusals(),
    },
)
async def run_digest(
    principal: Allowed,
    parts: Parts,
    wish: DigestWish | None = None,
    accept: Annotated[str, Header()] = "*/*",
) -> Response:
    """Digest what is live, now."""
    arguments = (wish or DigestWish()).model_dump()
    operations = parts.operations(principal)
    wanted = next((one for one in (NDJSON, SSE) if one in accept), None)
    if wanted is None:
        return JSONResponse(await operations.result("digest", arguments))
    events = operations.call("digest", arguments)
    lines = _framed(events, "data: ", "\n\n") if wanted == SSE else _framed(events, "", "\n")
    return StreamingResponse(lines, media_type=wanted, headers={"X-Accel-Buffering": "no"})


async def _framed(events: AsyncIterator[Event], before: str, after: str) -> AsyncIterator[str]:
    async for event in events:
        yield f"{before}{json.dumps(event, ensure_ascii=False)}{after}"
