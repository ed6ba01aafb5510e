"""`/api/notes`: the notes of the vault that the pet reads."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

from fastapi import APIRouter
from pydantic import BaseModel

from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.api.cursors import Cursor, Limit, page_of, position_in
from bot.surfaces.api.documented import refusals
from bot.surfaces.api.problems import NotFound
from bot.surfaces.api.routing import ValueRoute
from bot.surfaces.parts import Parts
from bot.surfaces.requests import NoArguments
from bot.topics.notes.notes import KnownVault, NoteAtHand, NoteOperations, NoVault, SyncDone
from memory.model.shown import Shown

router = APIRouter(prefix="/api/notes", tags=["notes"], route_class=ValueRoute)


@dataclass(frozen=True, slots=True, kw_only=True)
class NotesPage(KnownVault):
    """The notes of a vault by path; `trouble` says since when and why it cannot be read."""

    items: Shown[Sequence[NoteAtHand]]
    next: Shown[str | None]


class SyncWish(BaseModel):
    """`dry_run` only says what a look at the vault would do."""

    dry_run: bool = False


@router.get("", responses=refusals(400, 404))
async def list_notes(
    principal: Allowed, parts: Parts, limit: Limit = 50, cursor: Cursor = None
) -> NotesPage:
    """Every known note, by path; 404 without a vault."""
    (after,) = position_in(cursor, str) or ("",)
    try:
        found = await parts.of(NoteOperations, principal).listed(NoArguments())
    except NoVault as error:
        raise NotFound(str(error)) from None
    page = page_of([one for one in found.notes if one.path > after], limit, lambda one: one.path)
    vault = {one.name: getattr(found, one.name) for one in fields(KnownVault)}
    return NotesPage(items=page.items, next=page.next, **vault)


@router.post("/sync", responses=refusals(404))
async def sync_notes(principal: Allowed, parts: Parts, wish: SyncWish | None = None) -> SyncDone:
    """Read the vault now; 404 without one."""
    try:
        return await parts.of(NoteOperations, principal).look(dry_run=(wish or SyncWish()).dry_run)
    except NoVault as error:
        raise NotFound(str(error)) from None
