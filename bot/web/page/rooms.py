"""The page itself: a question for a name on the first visit, then the two rooms."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse

from bot.channels.local.hub import TEXT_LIMIT
from bot.channels.local.reactions import EMOJI
from bot.channels.local.uploads import MOST_PICTURE_BYTES
from bot.model.events import AuthorRef
from bot.web.headers import RECORDING
from bot.web.page.identities import (
    keep,
    objection,
    pop_recovery_code,
    recovery_link,
    visitor_of,
)
from bot.web.page.lines import Lines
from bot.web.page.parts import SLOTS, Page, PageParts, room_of
from bot.web.page.visitors import MaybeVisitor, Visitor

HISTORY = 100
"""Messages a page opens with: some screens to scroll back through, one small query."""

LINES = 200
"""Lines a page keeps on screen; older ones are in the history, and an open tab stays small."""

ACCENT, PAPER = "#2b7a70", "#f5f2ec"
"""Colours of the page for the system's own frame around it."""

_WRONG_NAMES = {
    "taken": "page.name_taken",
    "marked": "page.name_marked",
    "shared": "page.name_shared",
}
"""What is said of a name that cannot be taken, by its `objection`, or that another one has."""

Slot = Annotated[str, Path(pattern=f"^({'|'.join(SLOTS)})$")]
"""A room of the page."""

router = APIRouter()


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomView:
    """What a room says of itself and what was said in it; `words` came back with a `note`."""

    slot: str
    lines: list[str]
    note: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedWords:
    """Words that were not taken in a room, and why."""

    slot: str
    words: str
    note: str
    status: int


@router.get("/")
async def show_page(
    request: Request,
    parts: Page,
    visitor: MaybeVisitor,
    name: Annotated[str, Query(max_length=20)] = "",
    room: Annotated[str, Query(max_length=20)] = "private",
) -> HTMLResponse:
    """A question when the browser has no name yet or wants another, else the rooms.

    `name` is an `objection` when the question is to be asked again.
    """
    if visitor is None or name:
        return _welcome(request, parts, name)
    keep(request.session)
    code = pop_recovery_code(request.session)
    link = None if code is None else recovery_link(request, code)
    return await rooms_page(request, parts, visitor, RoomsShown(open=room, link=link))


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomsShown:
    """How the rooms are shown: which is open, a link to find back, what was refused."""

    open: str = "private"
    link: str | None = None
    refusal: RefusedWords | None = None


async def rooms_page(
    request: Request, parts: PageParts, visitor: AuthorRef, shown: RoomsShown
) -> HTMLResponse:
    """Both rooms with what was said in them."""
    position = (
        parts.hub.position
    )  # before the history: what is said meanwhile comes twice, not never
    refusal = shown.refusal
    views = []
    for slot in SLOTS:
        lines = await _lines(request, parts, visitor, slot)
        refused = refusal if refusal is not None and refusal.slot == slot else None
        views.append(
            RoomView(
                slot=slot,
                lines=lines,
                note="" if refused is None else refused.note,
                words="" if refused is None else refused.words,
            )
        )
    page = parts.html(
        request,
        "page/rooms.html",
        rooms=views,
        open=shown.open if shown.open in SLOTS else SLOTS[0],
        visitor=visitor,
        reader=reader_mark(visitor),
        link=shown.link,
        position=position,
        limit=TEXT_LIMIT,
        most_lines=LINES,
        emoji=EMOJI,
        picture_bytes=MOST_PICTURE_BYTES,
    )
    status = 200 if refusal is None else refusal.status
    may_record = {"permissions-policy": RECORDING} if parts.options.hears_s else {}
    return HTMLResponse(page, status_code=status, headers=may_record)


@router.get("/rooms/{slot}/lines")
async def show_lines(request: Request, parts: Page, visitor: Visitor, slot: Slot) -> HTMLResponse:
    """What a room said lately, for a page that lost track."""
    position = parts.hub.position
    lines = await _lines(request, parts, visitor, slot)
    return HTMLResponse("".join(lines), headers={"x-position": position})


@router.get("/recover")
async def ask_code(
    request: Request, parts: Page, code: Annotated[str, Query(max_length=20)] = ""
) -> HTMLResponse:
    """The page that a recovery link leads to; what it does is done by its button.

    The code stands in the address behind `#`, which no browser sends. `code` is `unknown` when the
    one that was entered is.
    """
    visitor = visitor_of(request.session)
    is_unknown = code == "unknown"
    return HTMLResponse(
        parts.html(request, "page/recover.html", visitor=visitor, is_unknown=is_unknown)
    )


@router.get("/manifest.webmanifest")
async def describe_app(request: Request, parts: Page) -> JSONResponse:
    """What a system needs to install the page as an app (Web Application Manifest)."""
    icons = [{"src": "/assets/icon.svg", "sizes": "any", "type": "image/svg+xml"}] + [
        {"src": f"/assets/page/icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png"}
        for size in (192, 512)
    ]
    described = {
        "name": parts.options.pet_name,
        "short_name": parts.options.pet_name,
        "lang": parts.texts(request).language,
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": ACCENT,
        "icons": icons,
    }
    return JSONResponse(described, media_type="application/manifest+json")


def reader_mark(visitor: AuthorRef) -> str:
    """A name for what a browser keeps of one reader, which tells nothing of the account."""
    return sha256(visitor.account.encode()).hexdigest()[:12]


async def _lines(request: Request, parts: PageParts, visitor: AuthorRef, slot: str) -> list[str]:
    told = await parts.transcript.recent(room_of(slot, visitor).external_id, HISTORY)
    return await lines_for(request, parts).history(told, slot, visitor)


def lines_for(request: Request, parts: PageParts) -> Lines:
    """Draws messages in the language a browser asks for."""
    language = parts.texts(request).language
    return Lines(language, parts.options.pet_name, parts.options.zone)


def _welcome(request: Request, parts: PageParts, asked: str) -> HTMLResponse:
    visitor = visitor_of(request.session)
    known = "" if visitor is None else visitor.name
    wrong = _WRONG_NAMES.get((known and objection(known, parts.options.pet_name)) or asked)
    return HTMLResponse(parts.html(request, "page/welcome.html", known=known, wrong=wrong))
