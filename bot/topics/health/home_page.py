"""The first page: what was learnt today, what waits, how the pet is, what it cost."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.pages.rendering import Renderer
from bot.surfaces.parts import Parts, ReaderTexts
from bot.topics.answers import conversations
from bot.topics.digests import digests
from bot.topics.health import today
from bot.topics.health.findings import finding_told
from bot.topics.health.recent import Recent
from bot.topics.people.told import latest, told_lately

router = APIRouter()

MOST_UNANSWERED = 6
"""Questions that are shown on the first page."""

MOST_TOLD = 5
"""Claims of people that are shown on the first page, the latest."""

_HEALTH = "health"


@router.get("/dashboard", response_class=HTMLResponse)
async def home(
    request: Request, principal: Allowed, parts: Parts, recent: Recent, texts: ReaderTexts
) -> HTMLResponse:
    """Everything at a glance; the health only where it was looked at within the minute."""
    app, caller = parts.app, principal.caller
    found = recent.known(_HEALTH)
    return Renderer(request, principal).page(
        "health/home.html",
        learnt=await today.learnt(app, caller),
        unanswered=await conversations.unanswered(app, caller, MOST_UNANSWERED),
        waiting=await today.waiting(app, caller),
        digest=await digests.standing(app),
        cost=await today.cost(app),
        told=latest(await told_lately(app, caller), MOST_TOLD),
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
    template = "health/health_part.html" if part else "health/health.html"
    findings = [finding_told(one, texts) for one in found]
    return Renderer(request, principal).page(template, findings=findings)
