"""`/dashboard/history`: files of other programs, looked at, taken in, and taken back."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Literal

import structlog
from fastapi import APIRouter, BackgroundTasks, File, Form, Query, Request, UploadFile
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import BaseModel, Field, ValidationError

from bot.errors import BotError
from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.operations import result_of
from bot.surfaces.pages.rendering import Renderer
from bot.surfaces.parts import Parts, WebParts
from bot.surfaces.requests import refusal
from bot.surfaces.values import Event
from bot.topics.histories.histories import BroughtOperations
from bot.topics.histories.placing import HistoryMisplaced
from bot.topics.histories.requests import HistoryRequest, UndoHistoryRequest
from bot.transfer.files import FileRefused
from memory.model.errors import EkoMemoryError

log = structlog.get_logger()
router = APIRouter(prefix="/dashboard/history")

HERE = "/dashboard/history"

UPLOADS = f"{HERE}/upload"
"""Where files are handed in, which are larger than other forms."""

IMPORTS = "import"
"""The folder in the data folder whose files the page offers."""

LISTED = 50
"""Imports, and files, that are shown."""

FAILED = (BotError, EkoMemoryError, OSError)
"""What is told in one sentence."""

_Lines = Annotated[str, Field(max_length=10_000)]


class HistoryForm(BaseModel):
    """A file of the folder and what was chosen for it; several names stand one a line."""

    file: Annotated[str, Field(min_length=1, max_length=255)]
    room: Annotated[str, Field(max_length=80)] = ""
    private_of: Annotated[str, Field(max_length=80)] = ""
    known_to: _Lines = ""
    speakers: bool = False
    people: _Lines = ""
    without: _Lines = ""
    zone: Annotated[str, Field(max_length=64)] = ""
    day_first: Literal["", "yes", "no"] = ""
    learn_with_model: bool = False

    def wanted(self, folder: Path) -> HistoryRequest:
        """The request of the command line that asks the same.

        Raises:
            FileRefused: the name is of no file in the folder.
            HistoryMisplaced: what was chosen is none, such as a line that is not NAME=PERSON.

        """
        if self.file not in _files(folder):
            raise FileRefused(f"There is no {self.file} in {IMPORTS}/.")
        chosen = self.model_dump(exclude={"file"}) | {
            "path": str(folder / self.file),
            "room": self.room.strip() or None,
            "private_of": self.private_of.strip() or None,
            "zone": self.zone.strip() or None,
            "day_first": {"yes": True, "no": False}.get(self.day_first),
            **{one: _lines(getattr(self, one)) for one in ("known_to", "people", "without")},
        }
        try:
            return HistoryRequest.model_validate(chosen)
        except ValidationError as error:
            raise HistoryMisplaced(refusal(error)) from error


@router.get("")
async def histories_page(
    request: Request,
    principal: Allowed,
    parts: Parts,
    *,
    done: Annotated[str, Query(max_length=20, pattern="^[a-z]*$")] = "",
) -> HTMLResponse:
    """What was imported, and the files that can be."""
    return await _page(Renderer(request, principal), parts, done=done)


@router.post("/upload")
async def upload(
    request: Request, principal: Allowed, parts: Parts, file: Annotated[UploadFile, File()]
) -> Response:
    """Put a file into the folder; none of that name may be there."""
    name = Path((file.filename or "").replace("\\", "/")).name
    folder = _folder(parts)
    try:
        await asyncio.to_thread(_keep, file, folder, name)
    except FAILED as error:
        return await _page(Renderer(request, principal), parts, trouble=str(error))
    return RedirectResponse(f"{HERE}?done=uploaded", status_code=303)


@router.post("/preview")
async def preview(
    request: Request, principal: Allowed, parts: Parts, form: Annotated[HistoryForm, Form()]
) -> HTMLResponse:
    """What a file would come to; nothing is written."""
    page = Renderer(request, principal)
    try:
        wanted = form.wanted(_folder(parts))
        shown = await result_of(parts.of(BroughtOperations, principal).preview(wanted))
    except FAILED as error:
        return await _page(page, parts, trouble=str(error), form=form)
    return await _page(page, parts, form=form, preview=shown)


@router.post("")
async def take_in(
    request: Request,
    principal: Allowed,
    parts: Parts,
    beside: BackgroundTasks,
    form: Annotated[HistoryForm, Form()],
) -> Response:
    """Take a file in, which goes on after the answer."""
    try:
        wanted = form.wanted(_folder(parts))
    except FAILED as error:
        return await _page(Renderer(request, principal), parts, trouble=str(error), form=form)
    if parts.app.services.importing.locked():
        return RedirectResponse(f"{HERE}?done=busy", status_code=303)
    beside.add_task(_run, parts.of(BroughtOperations, principal).take_in(wanted))
    return RedirectResponse(f"{HERE}?done=begun", status_code=303)


@router.post("/undo")
async def undo(
    request: Request,
    principal: Allowed,
    parts: Parts,
    beside: BackgroundTasks,
    number: Annotated[int, Form(ge=1, le=2**53)],
    *,
    confirmed: Annotated[bool, Form()] = False,
) -> Response:
    """Show what goes with an import; where that is confirmed it goes, after the answer."""
    asked = UndoHistoryRequest(id=number, confirmed=confirmed)
    events = parts.of(BroughtOperations, principal).undo(asked)
    if confirmed:
        beside.add_task(_run, events)
        return RedirectResponse(f"{HERE}?done=undone", status_code=303)
    page = Renderer(request, principal)
    try:
        return await _page(page, parts, going=await result_of(events))
    except FAILED as error:
        return await _page(page, parts, trouble=str(error))


async def _page(
    page: Renderer,
    parts: WebParts,
    *,
    done: str = "",
    trouble: str = "",
    form: HistoryForm | None = None,
    preview: object = None,
    going: Event | None = None,
) -> HTMLResponse:
    return page.page(
        "histories/histories.html",
        done=done,
        trouble=trouble,
        form=form,
        preview=preview,
        going=going,
        files=await asyncio.to_thread(_files, _folder(parts)),
        imports=await parts.app.storage.histories.latest(LISTED),
    )


async def _run(events: AsyncIterator[Event]) -> None:
    """What goes on after the answer: the page lists how far it is."""
    try:
        await result_of(events)
    except FAILED as error:
        log.warning("history.broken_off", reason=str(error))


def _folder(parts: WebParts) -> Path:
    return parts.app.settings.data_dir / IMPORTS


def _files(folder: Path) -> list[str]:
    """The names of the files in the folder, as many as are shown."""
    if not folder.is_dir():
        return []
    return sorted(one.name for one in folder.iterdir() if one.is_file())[:LISTED]


def _keep(file: UploadFile, folder: Path, name: str) -> None:
    if name in {"", ".", ".."} or not name.isprintable():
        raise FileRefused("The file has no name that can be kept.")
    folder.mkdir(mode=0o700, exist_ok=True)
    try:
        with (folder / name).open("xb") as kept:
            shutil.copyfileobj(file.file, kept)
    except FileExistsError:
        raise FileRefused(f"{name} is there already.") from None


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]
