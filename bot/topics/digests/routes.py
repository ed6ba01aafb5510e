"""`/api/live`, `/api/digests` and `/admin/digest`: what is live, and what digests made of it."""

import json
from collections.abc import AsyncIterator
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Header, Query
from fastapi.responses import JSONResponse, Response, StreamingResponse
from pydantic import BaseModel

from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.api.cursors import Cursor, Limit, Page, position_in
from bot.surfaces.api.documented import refusals
from bot.surfaces.api.problems import NotFound
from bot.surfaces.api.routing import ValueRoute
from bot.surfaces.operations import Operations
from bot.surfaces.parts import Parts
from bot.surfaces.values import Event, as_json, model_of
from bot.topics.digests import digests
from bot.topics.digests.digesting import DigestDone
from bot.topics.digests.digests import DigestWithLines
from memory.storage.conversations.digest_ledger import DigestListing, LiveLine

router = APIRouter(tags=["digests"], route_class=ValueRoute)

Chunks = Annotated[int, Query(ge=1, le=20, description="The most stretches of a page.")]

NDJSON, SSE = "application/x-ndjson", "text/event-stream"


class DigestWish(BaseModel):
    """`retry` takes back first what was set aside after failures."""

    retry: bool = False


@router.get("/api/live", responses=refusals(400))
async def list_live(
    principal: Allowed, parts: Parts, limit: Limit = 50, cursor: Cursor = None
) -> Page[LiveLine]:
    """Lines that were overheard and wait for a digest, oldest first."""
    (after,) = position_in(cursor, int) or (0,)
    return await digests.live_lines(parts.app, principal.caller, limit, after)


@router.get("/api/digests", responses=refusals(400))
async def list_digests(
    _principal: Allowed, parts: Parts, limit: Limit = 50, cursor: Cursor = None
) -> Page[DigestListing]:
    """Digests, newest first."""
    return await digests.digests(parts.app, limit, position_in(cursor, int, str))


@router.get("/api/digests/{digest}", responses=refusals(400, 404))
async def read_digest(
    digest: UUID, principal: Allowed, parts: Parts, limit: Chunks = 4, cursor: Cursor = None
) -> DigestWithLines:
    """One digest: what each line became, or why it became nothing."""
    (start,) = position_in(cursor, int) or (0,)
    found = await digests.ledger(parts.app, principal.caller, digest, limit, start)
    if found is None:
        raise NotFound("There is no such digest.")
    return found


@router.post(
    "/admin/digest",
    responses={
        200: {
            "model": model_of(DigestDone),
            "description": "The report. Where `Accept` asks for a stream, each event is one JSON "
            "value: progress, then result or error.",
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
    """Digest the waiting lines now."""
    arguments = (wish or DigestWish()).model_dump()
    operations = parts.of(Operations, principal)
    wanted = next((one for one in (NDJSON, SSE) if one in accept), None)
    if wanted is None:
        return JSONResponse(as_json(await operations.result("digest", arguments)))
    events = operations.call("digest", arguments)
    lines = _framed(events, "data: ", "\n\n") if wanted == SSE else _framed(events, "", "\n")
    return StreamingResponse(lines, media_type=wanted, headers={"X-Accel-Buffering": "no"})


async def _framed(events: AsyncIterator[Event], before: str, after: str) -> AsyncIterator[str]:
    async for event in events:
        yield f"{before}{json.dumps(event, ensure_ascii=False)}{after}"
