"""`/dashboard/notes`: the notes of the vault that it reads, which are always at hand, previews."""

import json
from typing import Annotated, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.api.problems import NotFound
from bot.surfaces.pages.rendering import Renderer
from bot.surfaces.parts import Parts
from bot.surfaces.requests import NoArguments
from bot.topics.notes.notes import KnownNotes, NoteOperations, NoVault, SyncDone
from bot.topics.settings.routes import changed_settings, revision_of

router = APIRouter(prefix="/dashboard/notes")

PATH = "/dashboard/notes"
LISTED = 100
"""Notes of a page."""

SHOWN = 50
"""Pieces of a preview: a note of a megabyte has some thousand."""

Path = Annotated[str, Query(min_length=1, max_length=1000)]


@router.get("")
async def notes_page(
    request: Request,
    principal: Allowed,
    parts: Parts,
    *,
    look: Literal["yes"] | None = None,
    done: Literal["saved", "synced"] | None = None,
    after: Annotated[str, Query(max_length=1000)] = "",
) -> HTMLResponse:
    """Every note, its state, and what a look at the vault would do where that is asked for."""
    notes = parts.of(NoteOperations, principal)
    found: KnownNotes | None = None
    trial: SyncDone | None = None
    off = ""
    try:
        found = await notes.listed(NoArguments())
        if look:
            trial = await notes.look(dry_run=True)
    except NoVault as error:
        off = str(error)
    left = [one for one in (found.notes if found else ()) if one.path > after]
    more = urlencode({"after": left[LISTED - 1].path}) if len(left) > LISTED else None
    return Renderer(request, principal).page(
        "notes/notes.html",
        vault=found,
        off=off,
        trial=trial,
        notes=left[:LISTED],
        older=None if more is None else f"{PATH}?{more}",
        tuning=parts.app.live_settings.current(),
        revision=revision_of(parts),
        done=done,
    )


@router.post("")
async def save_notes(
    principal: Allowed,
    parts: Parts,
    paths: Annotated[str, Form(max_length=100_000)] = "",
    tag: Annotated[str, Form(max_length=1000)] = "",
    revision: Annotated[str, Form()] = "*",
    *,
    enabled: Annotated[str | None, Form()] = None,
) -> RedirectResponse:
    """Choose the notes that are always at hand and the tag, unless they were changed meanwhile."""
    texts: dict[str, str | None] = {
        "obsidian_context_enabled": "on" if enabled else "off",
        "obsidian_context_notes": _listed(paths),
        "obsidian_context_tag": tag,
    }
    await changed_settings(parts, principal, texts, revision)
    return RedirectResponse(f"{PATH}?done=saved", status_code=303)


@router.post("/sync")
async def sync_notes_now(principal: Allowed, parts: Parts) -> RedirectResponse:
    """Look at the vault now."""
    await parts.of(NoteOperations, principal).look()
    return RedirectResponse(f"{PATH}?done=synced", status_code=303)


@router.get("/preview")
async def note_preview(
    request: Request, principal: Allowed, parts: Parts, path: Path
) -> HTMLResponse:
    """The pieces of one note, as they may be recalled."""
    sync = parts.app.services.notes
    scope = principal.caller.scope
    kept = parts.app.storage.notes
    found = await kept.pieces(sync.vault, path, scope, SHOWN + 1) if sync is not None else []
    if not found:
        raise NotFound("There is no such note, or nothing of it is kept.")
    return Renderer(request, principal).page(
        "notes/note.html", path_of_note=path, pieces=found[:SHOWN], cut=len(found) > SHOWN
    )


def _listed(paths: str) -> str:
    """Paths, one a line, as the setting takes them."""
    return json.dumps([line.strip() for line in paths.splitlines() if line.strip()])
