"""The first page: what was learnt today, what waits, how the pet is, what it cost."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from bot.operations.views import conversations, digests, today
from bot.web.access.dependencies import Allowed
from bot.web.dashboard.findings import finding_told
from bot.web.dashboard.recent import Recent
from bot.web.parts import Parts, ReaderTexts
from bot.web.rendering import Renderer

router = APIRouter()

MOST_UNANSWERED = 6
"""Questions that are shown on the first page."""

_HEALTH = "health"


@router.get("/dashboard", response_class=HTMLResponse)
async def home(
    request: Request, principal: Allowed, parts: Parts, recent: Recent, texts: ReaderTexts
) -> HTMLResponse:
    """Everything at a glance; the health only where it was looked at within the minute."""
    app, caller = parts.app, principal.caller
    found = recent.known(_HEALTH)
    return Renderer(request, principal).page(
        "dashboard/home.html",
        learnt=await today.learnt(app, caller),
        unanswered=await conversations.unanswered(app, caller, MOST_UNANSWERED),
        waiting=await today.waiting(app, caller),
        digest=await digests.standing(app),
        cost=await today.cost(app),
        findings=None if found is None else [finding_told(one, texts) for one in found],
    )


@router.get("/dashboard/health", response_class=HTMLResponse)
async def health(
    request: Request,
    principal: Allowed,
    parts: Parts,
    recent: Recent,
    texts: ReaderTexts,
    *,
    part: bool = False,
) -> HTMLResponse:
    """What the doctor finds, a minute old at most; `part` is what the first page puts in."""
    found = await recent.of(_HEALTH, parts.app.doctor.diagnose)
    template = "dashboard/health_part.html" if part else "dashboard/health.html"
    findings = [finding_told(one, texts) for one in found]
    return Renderer(request, principal).page(template, findings=findings)
