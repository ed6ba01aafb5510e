"""`/siblings`: for the other processes of this pet alone, by the key that all of them have."""

from collections.abc import AsyncIterator
from typing import Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import StreamingResponse

from bot.model.commands import Authority, Caller
from bot.siblings.values import (
    CountsGiven,
    Deed,
    DeedDone,
    ForgetAsked,
    KnownAsked,
    KnownGiven,
    ProcessStanding,
    RecallAsked,
    RecallGiven,
    VouchAsked,
    VouchGiven,
    WhoAsks,
)
from bot.surfaces.access.authenticator import Logins
from bot.surfaces.access.dependencies import NoSibling
from bot.surfaces.api.documented import refusals
from bot.surfaces.parts import Parts
from bot.topics.people.known_command import known_lines
from memory.model.export import Row, written

_PIECE = 64_000
"""Bytes of an export that are sent at once."""


def only_siblings(request: Request, logins: Logins, parts: Parts) -> None:
    """Let another process of the pet pass; even the owner has no other way.

    Raises:
        NoSibling: it does not show the key that all of them have.
        TooManyAttempts: the same, after too many wrong ones from its address.

    """
    shown = logins.shown_key(request)
    if parts.app.siblings.circle.is_key(shown):
        return
    if shown:
        logins.refused(request, shown, "sibling")
    raise NoSibling("Only another process of this pet may ask that.")


_BY_KEY: dict[str, Any] = {"security": [{"sibling": []}]}

router = APIRouter(
    prefix="/siblings",
    tags=["siblings"],
    dependencies=[Depends(only_siblings)],
    responses=refusals(),
)


@router.get("/standing", openapi_extra=_BY_KEY)
async def standing(parts: Parts) -> ProcessStanding:
    """The bot and the shards of this process."""
    return await parts.app.siblings.check.standing()


@router.post("/vouch", openapi_extra=_BY_KEY)
async def vouch(parts: Parts, asked: VouchAsked) -> VouchGiven:
    """The communities here whose talk an account may know now, and which given rows are gone.

    A row is gone if it was forgotten, taken back or edited since.
    """
    return await parts.app.sibling_desk.vouched(asked)


@router.post("/recall", openapi_extra=_BY_KEY)
async def recall(parts: Parts, asked: RecallAsked) -> RecallGiven:
    """What this process recalls for a person in private."""
    return await parts.app.sibling_desk.recalled(asked)


@router.post("/known", openapi_extra=_BY_KEY)
async def known(parts: Parts, asked: KnownAsked) -> KnownGiven:
    """What this process keeps of a person, in words for them alone."""
    reader = await parts.app.sibling_desk.readers.reader(asked.who)
    caller = Caller(
        person=reader.person,
        room=reader.room,
        account=reader.account,
        authority=Authority.NONE,
        locale=asked.locale,
        spaces=reader.spaces,
        private=True,
    )
    return KnownGiven(lines=tuple(await known_lines(parts.app, caller, asked.about)))


@router.post("/export", response_class=StreamingResponse, openapi_extra=_BY_KEY)
async def export(parts: Parts, asked: WhoAsks) -> StreamingResponse:
    """A person's export, line by line, without its first and last line."""
    rows = await parts.app.sibling_desk.exported(asked.who)
    return StreamingResponse(_pieces(rows), media_type="application/x-ndjson")


async def _pieces(rows: AsyncIterator[Row]) -> AsyncIterator[bytes]:
    """The lines of rows, many at a time."""
    piece = bytearray()
    async for row in rows:
        piece += written(row)
        if len(piece) > _PIECE:
            yield bytes(piece)
            piece.clear()
    yield bytes(piece)


@router.post("/forgettable", openapi_extra=_BY_KEY)
async def forgettable(parts: Parts, asked: ForgetAsked) -> CountsGiven:
    """How much would be forgotten here."""
    return CountsGiven(counts=await parts.app.sibling_desk.would_forget(asked))


@router.post("/deeds", openapi_extra=_BY_KEY)
async def deeds(parts: Parts, deed: Deed) -> DeedDone:
    """Do once what a person asked of another process."""
    await parts.app.sibling_deeds.do(deed)
    return DeedDone(done=deed.id)
