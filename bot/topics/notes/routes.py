"""`/api/notes`: the notes of the vault that the pet reads."""

from fastapi import APIRouter
from pydantic import BaseModel

from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.api.cursors import Cursor, Limit, page_of, position_in
from bot.surfaces.api.documented import CursorPage, refusals
from bot.surfaces.api.problems import NotFound
from bot.surfaces.parts import Parts
from bot.topics.notes.notes import NoVault

router = APIRouter(prefix="/api/notes", tags=["notes"])


class NoteView(BaseModel):
    """One note: `always` is before the model in every turn; `refused` pieces were forgotten."""

    path: str
    state: str
    always: bool
    pieces: int
    refused: int
    at: str | None
    synced_at: str


class NotesView(CursorPage[NoteView]):
    """The notes of a vault by path; `trouble` says since when and why it cannot be read."""

    vault: str
    refreshed_at: str | None
    trouble: str | None
    troubled_since: str | None
    missing: list[str]


class SyncWish(BaseModel):
    """`dry_run` only says what a look at the vault would do."""

    dry_run: bool = False


class SyncReport(BaseModel):
    """What a look at the vault came to: notes there, read again, gone, and new pieces."""

    dry_run: bool
    notes: int
    read: list[str]
    gone: list[str]
    too_large: list[str]
    pieces: int
    refused: int


@router.get("", responses=refusals(400, 404))
async def list_notes(
    principal: Allowed, parts: Parts, limit: Limit = 50, cursor: Cursor = None
) -> NotesView:
    """Every note that is known, by path; 404 where no vault is chosen."""
    (after,) = position_in(cursor, str) or ("",)
    try:
        found = await parts.operations(principal).result("notes")
    except NoVault as error:
        raise NotFound(str(error)) from None
    left = [NoteView(**one) for one in found.pop("notes") if one["path"] > after]
    page = page_of(left, limit, lambda one: one.path)
    return NotesView(items=list(page.items), next=page.next, **found)


@router.post("/sync", responses=refusals(404))
async def sync_notes(principal: Allowed, parts: Parts, wish: SyncWish | None = None) -> SyncReport:
    """Look at the vault now."""
    arguments = (wish or SyncWish()).model_dump()
    try:
        found = await parts.operations(principal).result("notes_sync", arguments)
    except NoVault as error:
        raise NotFound(str(error)) from None
    return SyncReport(**found)
