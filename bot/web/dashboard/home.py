"""The first page: what was learnt today, what waits, how the pet is, what it cost."""

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from bot.operations.views import conversations, digests, today
from bot.web.access.dependencies import Reading
from bot.web.access.principal import Principal
from bot.web.dashboard.recent import Recent
from bot.web.parts import Parts, WebParts
from bot.web.rendering import Renderer

router = APIRouter()

MOST_UNANSWERED = 6
"""Questions that are shown on the first page."""

_HEALTH = "health"


@router.get("/dashboard", response_class=HTMLResponse)
async def home(request: Request, principal: Reading, parts: Parts, recent: Recent) -> HTMLResponse:
    """Everything at a glance; the health only where it was looked at within the minute."""
    app, caller = parts.app, principal.caller
    return Renderer(request, principal).page(
        "dashboard/home.html",
        learnt=await today.learnt(app, caller),
        unanswered=await conversations.unanswered(app, caller, MOST_UNANSWERED),
        waiting=await today.waiting(app, caller),
        digest=await digests.standing(app),
        cost=await today.cost(app),
        checks=recent.known(_HEALTH),
    )


@router.get("/dashboard/health", response_class=HTMLResponse)
async def health(
    request: Request, principal: Reading, parts: Parts, recent: Recent, *, part: bool = False
) -> HTMLResponse:
    """What the doctor finds, a minute old at most; `part` is what the first page puts in."""

    async def look() -> Any:
        return await _checks(parts, principal)

    checks = await recent.of(_HEALTH, look)
    template = "dashboard/health_part.html" if part else "dashboard/health.html"
    return Renderer(request, principal).page(template, checks=checks)


async def _checks(parts: WebParts, principal: Principal) -> Any:
    found = await parts.operations(principal).result("doctor")
    return found["checks"]
