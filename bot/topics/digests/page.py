"""What is live, the button that digests it, and each past digest line by line."""

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated
from uuid import UUID

import structlog
from fastapi import APIRouter, BackgroundTasks, Form, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, StreamingResponse

from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.access.principal import Principal
from bot.surfaces.api.cursors import Cursor, position_in
from bot.surfaces.api.problems import NotFound
from bot.surfaces.operations import result_of
from bot.surfaces.pages.rendering import Renderer
from bot.surfaces.parts import Parts, WebParts
from bot.topics.digests import digests
from bot.topics.digests.digesting import DigestNowRequest, DigestOperations
from memory.model.errors import EkoMemoryError
from observers.errors import ObserverError

log = structlog.get_logger()
router = APIRouter()

_LIVE_AT_ONCE = 50
_DIGESTS_AT_ONCE = 20
_CHUNKS_AT_ONCE = 4
"""Stretches on a page of a ledger: some hundred lines."""

LOOK_EVERY_S = 1.0
"""Between two looks at how far a digest is: a stretch takes seconds."""

_MOST_LOOKS = 600
"""Looks of one stream: after ten minutes the browser begins another."""


@router.get("/dashboard/digests", response_class=HTMLResponse)
async def listed(
    request: Request,
    principal: Allowed,
    parts: Parts,
    *,
    after: Cursor = None,
    live_after: Cursor = None,
    done: Annotated[str | None, Query(max_length=20)] = None,
) -> HTMLResponse:
    """What waits, and the digests there were."""
    before, live = position_in(after, int, str), position_in(live_after, int)
    waiting = await digests.live_lines(
        parts.app, principal.caller, _LIVE_AT_ONCE, live[0] if live else 0
    )
    past = await digests.digests(parts.app, _DIGESTS_AT_ONCE, before and (before[0], before[1]))
    return Renderer(request, principal).page(
        "digests/digests.html",
        standing=await digests.standing(parts.app),
        live=waiting.items,
        later=waiting.next,
        past=past.items,
        older=past.next,
        done=done,
    )


@router.post("/dashboard/digests")
async def begin(
    principal: Allowed,
    parts: Parts,
    beside: BackgroundTasks,
    retry: Annotated[bool, Form()] = False,  # noqa: FBT002 - a field of a form
) -> RedirectResponse:
    """Begin a digest, which goes on after the answer; one that is under way is left alone."""
    if parts.app.services.digest.is_running:
        return RedirectResponse("/dashboard/digests?done=running", status_code=303)
    beside.add_task(_digest, parts, principal, retry=retry)
    return RedirectResponse("/dashboard/digests?done=begun", status_code=303)


@router.get("/dashboard/digests/events")
async def events(request: Request, principal: Allowed, parts: Parts) -> StreamingResponse:
    """How far the digest is, as fragments of the page, until it is done."""
    renderer = Renderer(request, principal)
    return StreamingResponse(
        progress(parts, renderer),
        media_type="text/event-stream",
        headers={"x-accel-buffering": "no"},
    )


@router.get("/dashboard/digests/{digest}", response_class=HTMLResponse)
async def ledger(
    request: Request, principal: Allowed, parts: Parts, digest: UUID, after: Cursor = None
) -> HTMLResponse:
    """One digest: each line, and the memory it became, or why not."""
    position = position_in(after, int)
    found = await digests.ledger(
        parts.app, principal.caller, digest, _CHUNKS_AT_ONCE, position[0] if position else 0
    )
    if found is None:
        raise NotFound("There is no such digest.")
    return Renderer(request, principal).page("digests/digest.html", digest=found)


async def _digest(parts: WebParts, principal: Principal, *, retry: bool) -> None:
    """What goes on after the answer: the doctor and the owner's notices tell how it ended."""
    try:
        await result_of(parts.of(DigestOperations, principal).digest(DigestNowRequest(retry=retry)))
    except (EkoMemoryError, ObserverError) as error:
        log.warning("digest.broken_off", reason=str(error))


async def progress(parts: WebParts, renderer: Renderer) -> AsyncIterator[str]:
    """How far the digest is, each time it is further, and that it is done, as events."""
    told = ""
    for _ in range(_MOST_LOOKS):
        standing = await digests.standing(parts.app)
        if not standing.running:
            yield "event: done\ndata: done\n\n"
            return
        text = renderer.text("digests/digest_progress.html", standing=standing)
        if text != told:
            yield _event("progress", text)
            told = text
        await asyncio.sleep(LOOK_EVERY_S)


def _event(name: str, text: str) -> str:
    """A text as an event of a stream (WHATWG HTML, 9.2): each of its lines is data."""
    lines = "\n".join(f"data: {line}" for line in text.splitlines())
    return f"event: {name}\n{lines}\n\n"
