"""`/api/live`, `/api/digests` and `/admin/digest`: what is live, and what digests made of it."""

import json
from collections.abc import AsyncIterator
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Header
from fastapi.responses import JSONResponse, Response, StreamingResponse
from pydantic import BaseModel

from bot.operations.json import Event
from bot.web.access.dependencies import Administering, CommunityReading, Reading
from bot.web.api.protocol.cursors import Cursor, Limit, cursor_of, position_in
from bot.web.api.protocol.documented import CursorPage, refusals
from bot.web.api.protocol.problems import NotFound
from bot.web.parts import Parts
from memory.model.digests import DigestRow
from memory.storage.columns import millis
from memory.storage.reporting.digest_reports import DigestedLine, LiveLine, ReadChunk

router = APIRouter(tags=["digests"])

NDJSON, SSE = "application/x-ndjson", "text/event-stream"


class DigestView(BaseModel):
    """A digest: the stretches it was read in, and the first page of its lines."""

    digest: DigestRow
    chunks: list[ReadChunk]
    lines: CursorPage[DigestedLine]


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
    principal: CommunityReading, parts: Parts, limit: Limit = 50, cursor: Cursor = None
) -> CursorPage[LiveLine]:
    """What was overheard and waits for a digest, newest first."""
    (before,) = position_in(cursor, int) or (None,)
    reports = parts.app.storage.reports.digests
    found = await reports.live(principal.caller.scope, limit + 1, before)
    more = cursor_of(found[limit - 1].message) if len(found) > limit else None
    return CursorPage(items=found[:limit], next=more)


@router.get("/api/digests", responses=refusals(400))
async def list_digests(
    _principal: Reading, parts: Parts, limit: Limit = 50, cursor: Cursor = None
) -> CursorPage[DigestRow]:
    """Digests, newest first."""
    position = position_in(cursor, int, str)
    found = await parts.app.storage.reports.digests.page(limit + 1, position)
    last = found[limit - 1] if len(found) > limit else None
    more = None if last is None else cursor_of(millis(last.started_at), str(last.id))
    return CursorPage(items=found[:limit], next=more)


@router.get("/api/digests/{digest}", responses=refusals(400, 404))
async def read_digest(
    digest: UUID, principal: Reading, parts: Parts, limit: Limit = 100, cursor: Cursor = None
) -> DigestView:
    """One digest: what each line became; a line that became nothing held nothing to keep."""
    (after,) = position_in(cursor, int) or (0,)
    reports = parts.app.storage.reports.digests
    found = await reports.one(digest)
    if found is None:
        raise NotFound("There is no such digest.")
    lines = await reports.lines(digest, principal.caller.scope, limit + 1, after)
    more = cursor_of(lines[limit - 1].message) if len(lines) > limit else None
    return DigestView(
        digest=found,
        chunks=await reports.chunks(digest),
        lines=CursorPage(items=lines[:limit], next=more),
    )


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
    principal: Administering,
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
