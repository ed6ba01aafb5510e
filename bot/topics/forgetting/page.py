"""Forgetting on the dashboard: a preview first, then a receipt that undoes it for a day."""

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, Field

from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.api.cursors import Cursor, position_in
from bot.surfaces.api.problems import Conflict, NotFound
from bot.surfaces.pages.navigation import PREFIX
from bot.surfaces.pages.rendering import Renderer
from bot.surfaces.parts import Parts
from bot.topics.forgetting import routes as resource
from bot.topics.forgetting.requests import MOST_NAMED, ForgettingWanted
from bot.topics.forgetting.routes import NothingKept

HERE = f"{PREFIX}/memory/forgettings"
router = APIRouter(prefix=HERE)

A_PAGE = 30
"""Receipts of a page."""

_DONE = {
    "forgotten": "memory.done.forgotten",
    "undone": "memory.done.undone",
    "late": "memory.done.late",
    "nothing": "memory.done.nothing",
}


class ForgettingForm(BaseModel):
    """What was chosen: rows by their ids, or all that speaks of a topic."""

    ids: Annotated[list[str], Field(max_length=MOST_NAMED)] = []
    topic: Annotated[str, Field(max_length=200)] = ""

    @property
    def wanted(self) -> ForgettingWanted:
        """What is to be forgotten."""
        return ForgettingWanted(topic=self.topic.strip(), ids=tuple(self.ids))


@router.get("")
async def receipts_page(
    request: Request,
    parts: Parts,
    principal: Allowed,
    *,
    done: Annotated[str, Query(max_length=20)] = "",
    number: Annotated[int | None, Query(ge=1, le=2**53)] = None,
    cursor: Cursor = None,
) -> Response:
    """What was forgotten, newest first, and what can be undone still."""
    position = position_in(cursor, int)
    page = await resource.receipts_page(parts, principal, A_PAGE, position[0] if position else None)
    try:
        receipt = number and await resource.receipt_of(parts, principal, number)
    except NotFound:
        receipt = None
    return Renderer(request, principal).page(
        "forgetting/forgettings.html",
        done=_DONE.get(done),
        receipt=receipt,
        receipts=page.items,
        older=page.next and f"{HERE}?cursor={page.next}",
    )


@router.post("/preview")
async def preview(
    request: Request,
    parts: Parts,
    principal: Allowed,
    form: Annotated[ForgettingForm, Form()],
) -> Response:
    """Show what would be forgotten; nothing is changed."""
    if not form.ids and not form.topic.strip():
        return RedirectResponse(f"{HERE}?done=nothing", status_code=303)
    shown = await resource.previewed(parts, principal, form.wanted)
    return Renderer(request, principal).page(
        "forgetting/forget.html", preview=shown, ids=form.ids, topic=form.topic.strip()
    )


@router.post("")
async def forget(
    parts: Parts, principal: Allowed, form: Annotated[ForgettingForm, Form()]
) -> Response:
    """Forget it, and show the receipt."""
    try:
        done = await resource.forgotten(parts, principal, form.wanted)
    except NothingKept:
        return RedirectResponse(f"{HERE}?done=nothing", status_code=303)
    number = done.receipt.id if done.receipt else ""
    return RedirectResponse(f"{HERE}?done=forgotten&number={number}", status_code=303)


@router.post("/{number}/undo")
async def undo(parts: Parts, principal: Allowed, number: int) -> Response:
    """Give back what a forgetting took."""
    try:
        await resource.undone(parts, principal, number)
    except Conflict:
        return RedirectResponse(f"{HERE}?done=late&number={number}", status_code=303)
    return RedirectResponse(f"{HERE}?done=undone&number={number}", status_code=303)
