"""`/dashboard/system`: parts, queues, backups, settings with their sources, audit and log."""

from typing import Literal

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.api.cursors import Cursor, page_of, position_in
from bot.surfaces.operations import result_of
from bot.surfaces.pages.rendering import Renderer
from bot.surfaces.parts import Parts, ReaderTexts
from bot.surfaces.values import Event
from bot.topics.backups.backup import BackupOperations, BackupRequest
from bot.topics.health.findings import finding_told
from bot.topics.health.machine import backups, log_lines, settings_in_force

router = APIRouter(prefix="/dashboard/system")

PATH = "/dashboard/system"
AUDITED = 30
"""Changes of a page."""

LOGGED = 60
"""Events of the log that are shown."""


@router.get("")
async def system_page(
    request: Request,
    principal: Allowed,
    parts: Parts,
    texts: ReaderTexts,
    *,
    examine: Literal["yes"] | None = None,
    done: Literal["backup"] | None = None,
    cursor: Cursor = None,
) -> HTMLResponse:
    """How it is; every part is examined only where that is asked for, since some cost seconds."""
    (before,) = position_in(cursor, int) or (None,)
    audited = await parts.app.storage.audit.latest(AUDITED + 1, before)
    changes = page_of(audited, AUDITED, lambda one: one.id)
    found = await parts.app.doctor.diagnose() if examine else []
    return Renderer(request, principal).page(
        "health/system.html",
        ready=await parts.app.readiness.parts(),
        findings=[finding_told(one, texts) for one in found],
        queues=await parts.app.storage.statistics.queues(),
        backups=await backups(parts.app),
        settings=_by_section(settings_in_force(parts.app)),
        changes=changes.items,
        older=changes.next and f"{PATH}?cursor={changes.next}#audit",
        log=log_lines()[:LOGGED],
        done=done,
    )


@router.post("/backup")
async def back_up_now(principal: Allowed, parts: Parts) -> RedirectResponse:
    """Make a backup in the folder of the settings."""
    await result_of(parts.of(BackupOperations, principal).make(BackupRequest()))
    return RedirectResponse(f"{PATH}?done=backup", status_code=303)


def _by_section(settings: list[Event]) -> dict[str, list[Event]]:
    sections: dict[str, list[Event]] = {}
    for one in settings:
        sections.setdefault(one["section"], []).append(one)
    return sections
