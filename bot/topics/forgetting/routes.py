"""Forgettings: looked at first, asked for, undone for a day; a receipt says no word of it."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from bot.errors import BotError
from bot.surfaces.access.dependencies import Allowed, NotAllowed
from bot.surfaces.access.principal import Principal
from bot.surfaces.api.cursors import Cursor, Limit, Page, page_of, position_in
from bot.surfaces.api.documented import refusals
from bot.surfaces.api.problems import Conflict, NotFound
from bot.surfaces.api.routing import ValueRoute
from bot.surfaces.parts import Parts, WebParts
from bot.surfaces.values import extended
from bot.topics.forgetting.forgetting import (
    ForgetOperations,
    ForgetRequest,
    ForgettingDone,
    OneForgettingRequest,
)
from bot.topics.forgetting.requests import ForgettingConfirmed, ForgettingWanted
from memory.model.shown import Shown
from memory.rules.forgetting.receipt import (
    NothingToConfirm,
    NothingToUndo,
    Preview,
    Receipt,
    Undone,
)

router = APIRouter(
    prefix="/api/forgettings",
    tags=["forgetting"],
    responses=refusals(401, 403, 422),
    route_class=ValueRoute,
)

Json = dict[str, Any]

_WHOLE = len("00000000-0000-0000-0000-000000000000")


class NothingKept(BotError):
    """There is nothing of the kind to forget, or not for this caller."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgettingAsked(Preview):
    """What would be forgotten, and the `token` that confirms it; "" where there is nothing."""

    token: Shown[str]


@router.get("", responses=refusals(400))
async def forgettings(
    parts: Parts,
    principal: Allowed,
    limit: Annotated[Limit, Query()] = 50,
    cursor: Cursor = None,
) -> Page[Receipt]:
    """Receipts, newest first; a manager sees those of the community's managers."""
    position = position_in(cursor, int)
    return await receipts_page(parts, principal, limit, position[0] if position else None)


@router.post("/preview")
async def preview_forgetting(parts: Parts, principal: Allowed, wanted: ForgettingWanted) -> Preview:
    """Show what would be forgotten, what would stay, and why. Nothing changes."""
    return await previewed(parts, principal, wanted)


@router.post("/ask")
async def ask_forgetting(
    parts: Parts, principal: Allowed, wanted: ForgettingWanted
) -> ForgettingAsked:
    """The same preview, to be confirmed within ten minutes; it replaces an earlier one."""
    asked = ForgetRequest(**_arguments(principal, wanted))
    preview = await parts.of(ForgetOperations, principal).asked(asked)
    return extended(ForgettingAsked, preview)


@router.post("/confirm", status_code=201, responses=refusals(409))
async def confirm_forgetting(
    parts: Parts, principal: Allowed, confirmed: ForgettingConfirmed
) -> Receipt:
    """Forget what a preview showed, and what came in since."""
    try:
        return await parts.of(ForgetOperations, principal).confirmed(confirmed.token)
    except NothingToConfirm as error:
        raise Conflict(str(error)) from error


@router.post("", status_code=201)
async def forget(parts: Parts, principal: Allowed, wanted: ForgettingWanted) -> ForgettingDone:
    """Forget at once; the receipt's number undoes it for a day."""
    return await forgotten(parts, principal, wanted)


@router.get("/{number}", responses=refusals(404))
async def forgetting(parts: Parts, principal: Allowed, number: int) -> Receipt:
    """One receipt."""
    return await receipt_of(parts, principal, number)


@router.get("/{number}/receipt", responses=refusals(404))
async def signed_forgetting(parts: Parts, principal: Allowed, number: int) -> Response:
    """One receipt to hand out, signed, with where the words were looked for afterwards."""
    receipt = await receipt_of(parts, principal, number)
    text = await parts.of(ForgetOperations, principal).signed(receipt)
    return Response(text, media_type="application/json")


@router.post("/{number}/undo", responses=refusals(404, 409))
async def undo_forgetting(parts: Parts, principal: Allowed, number: int) -> Undone:
    """Give back what a forgetting took; what was changed since stays."""
    return await undone(parts, principal, number)


async def receipts_page(
    parts: WebParts, principal: Principal, limit: int, before: int | None
) -> Page[Receipt]:
    """A page of receipts that a principal may see."""
    found = await parts.app.services.forgetting.receipts(
        limit + 1, before=before, manages=principal.space
    )
    return page_of(found, limit, lambda one: one.id)


async def previewed(parts: WebParts, principal: Principal, wanted: ForgettingWanted) -> Preview:
    """The preview of a forgetting.

    Raises:
        NotAllowed: a manager names people, whose words are not one community's.

    """
    asked = ForgetRequest(**_arguments(principal, wanted))
    return await parts.of(ForgetOperations, principal).previewed(asked)


async def forgotten(
    parts: WebParts, principal: Principal, wanted: ForgettingWanted
) -> ForgettingDone:
    """What was forgotten, and its receipt.

    Raises:
        NotAllowed: see `previewed`.
        NothingKept: there was nothing.

    """
    asked = ForgetRequest(**_arguments(principal, wanted), confirmed=True)
    done = await parts.of(ForgetOperations, principal).forget(asked)
    if done.receipt is None:
        raise NothingKept("There is nothing of the kind to forget here.")
    return done


async def undone(parts: WebParts, principal: Principal, number: int) -> Undone:
    """What an undoing gave back.

    Raises:
        NotFound: there is no such forgetting for this principal.
        Conflict: it cannot be undone any more.

    """
    receipt = await receipt_of(parts, principal, number)
    try:
        return await parts.of(ForgetOperations, principal).undo(OneForgettingRequest(id=number))
    except NothingToUndo as error:
        raise Conflict(str(error), receipt) from error


async def receipt_of(parts: WebParts, principal: Principal, number: int) -> Receipt:
    """One receipt that a principal may see.

    Raises:
        NotFound: there is none.

    """
    if 0 < number < 2**62:
        found = await parts.app.services.forgetting.receipts(
            1, before=number + 1, manages=principal.space
        )
        if found and found[0].id == number:
            return found[0]
    raise NotFound(f"There is no forgetting {number}.")


def _arguments(principal: Principal, wanted: ForgettingWanted) -> Json:
    """The arguments of the operation, as far as a principal may choose by them."""
    people = wanted.person or wanted.about or wanted.erase
    cut = any(len(one) < _WHOLE for one in wanted.ids)
    if not principal.is_owner and (people or cut):
        raise NotAllowed(
            "Choose by topic, room, time and whole ids: people are the owner's to name."
        )
    return wanted.model_dump()
