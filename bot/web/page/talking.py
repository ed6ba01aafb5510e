"""What visitors say in a room. Forms, which work by reload too."""

from dataclasses import dataclass
from typing import Annotated
from urllib.parse import quote

import structlog
from fastapi import (
    APIRouter,
    Depends,
    File,
    Form,
    HTTPException,
    Request,
    Response,
    UploadFile,
)
from fastapi.responses import RedirectResponse

from bot.channels.local.hub import TEXT_LIMIT, LocalTalk
from bot.channels.local.ports import Shown
from bot.errors import (
    MessageGone,
    MessageTooLong,
    NobodyListens,
    NotAPicture,
    NotASound,
    NotYourMessage,
    TooFast,
)
from bot.model.events import Attachment, AuthorRef, RoomRef
from bot.web.page.parts import Page, PageParts, address_of, count_visit, room_of
from bot.web.page.rooms import RefusedWords, RoomsShown, Slot, rooms_page
from bot.web.page.visit_rates import Doing
from bot.web.page.visitors import Visitor
from memory.language.times.zones import known_zone
from memory.model.errors import EkoMemoryError, TooManyReactions
from memory.model.messages import QuotedLine
from memory.storage.conversations.room_lines import QUOTED_LIMIT

log = structlog.get_logger()

Words = Annotated[str, Form(max_length=1_000_000)]
"""What is said; a longer body is not read at all."""

_REFUSALS: dict[type[Exception], tuple[str, int]] = {
    MessageGone: ("page.gone", 409),
    MessageTooLong: ("page.too_long", 413),
    NobodyListens: ("page.not_now", 503),
    NotAPicture: ("page.picture_not", 415),
    NotASound: ("page.voice_not", 415),
    NotYourMessage: ("page.gone", 409),
    TooFast: ("page.too_fast", 429),
    TooManyReactions: ("page.reactions_full", 409),
}
"""What is said of each failure, and its status; of any other that it did not go through."""

FAILED: tuple[type[Exception], ...] = (*_REFUSALS, EkoMemoryError, OSError)
"""What can go wrong with what a visitor does, and is said in a sentence."""

router = APIRouter(prefix="/rooms/{slot}")


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitedRoom:
    """A visitor in a room of the page, as a request finds them."""

    request: Request
    parts: PageParts
    visitor: AuthorRef
    slot: str

    @property
    def room(self) -> RoomRef:
        """The room."""
        return room_of(self.slot, self.visitor)

    @property
    def talk(self) -> LocalTalk:
        """Their seat in it."""
        return self.parts.seats.talk(self.visitor, self.slot, address_of(self.request))

    @property
    def wants_page(self) -> bool:
        """Whether a form was sent by a browser without our script."""
        return "text/html" in self.request.headers.get("accept", "")

    async def line(self, key: str) -> Shown | None:
        """A message of the room, as the visitor sees it."""
        line = await self.parts.transcript.line(self.room.external_id, key)
        return None if line is None else line.read_by(self.visitor.account)

    def say(self, key: str) -> str:
        """A text of the page in the visitor's language."""
        return self.parts.texts(self.request).say(key, limit=TEXT_LIMIT)


def _place(request: Request, parts: Page, visitor: Visitor, slot: Slot) -> VisitedRoom:
    return VisitedRoom(request=request, parts=parts, visitor=visitor, slot=slot)


Here = Annotated[VisitedRoom, Depends(_place)]
"""Where a form is about."""


@router.post("/say", response_model=None)
async def say_words(
    here: Here,
    words: Words = "",
    reply_to: Annotated[str, Form(max_length=80)] = "",
    zone: Annotated[str, Form(max_length=80)] = "",
    *,
    picture: Annotated[UploadFile | None, File()] = None,
    voice: Annotated[UploadFile | None, File()] = None,
) -> Response:
    """Say something in a room; words that are not taken come back with the reason.

    `zone` is the time zone of the browser, as its script knows it.
    """
    try:
        quoted = await _quoted(here, reply_to)
        attached = await _attached(here.parts, picture) + await _spoken(here.parts, voice)
        said = words.replace("\r\n", "\n")
        await here.talk.say(said, zone=known_zone(zone), quoted=quoted, attachments=attached)
    except FAILED as error:
        key, status = refusal_of(error)
        note = here.say(key)
        if not here.wants_page:
            raise HTTPException(status, note) from None
        refusal = RefusedWords(slot=here.slot, words=words, note=note, status=status)
        shown = RoomsShown(open=here.slot, refusal=refusal)
        return await rooms_page(here.request, here.parts, here.visitor, shown)
    return done(here)


@router.post("/typing", status_code=204)
async def tell_typing(here: Here) -> None:
    """Tell the others that a visitor is writing."""
    count_visit(here.request, here.parts, Doing.TYPING, here.visitor.external_id)
    await here.talk.typing()


async def _quoted(here: VisitedRoom, key: str) -> QuotedLine | None:
    """The beginning of the message that is replied to, while it is there."""
    shown = await here.line(key) if key else None
    if shown is None:
        return None
    return QuotedLine(key=shown.key, author=shown.author, text=shown.text[:QUOTED_LIMIT])


async def _attached(parts: PageParts, picture: UploadFile | None) -> tuple[Attachment, ...]:
    """What goes with a message; a file of a pet that cannot see is none."""
    if picture is None or not parts.options.sees:
        return ()
    content = await picture.read()
    return (parts.uploads.keep(picture.filename or "", content),) if content else ()


async def _spoken(parts: PageParts, voice: UploadFile | None) -> tuple[Attachment, ...]:
    """The voice note of a message; a pet that listens to none has none."""
    if voice is None or not parts.options.hears_s:
        return ()
    content = await voice.read()
    return (parts.uploads.keep_voice(content),) if content else ()


def refusal_of(error: Exception) -> tuple[str, int]:
    """The text of the page that says what went wrong, and the status."""
    if type(error) not in _REFUSALS:
        log.warning("words.refused", reason=str(error))
    return _REFUSALS.get(type(error), ("page.not_sent", 500))


def done(here: VisitedRoom, key: str = "") -> Response:
    """The answer to a form that was followed: the room, at a message; nothing for a script."""
    if here.wants_page:
        at = f"#line-{quote(key)}" if key else ""
        return RedirectResponse(f"/?room={here.slot}{at}", status_code=303)
    return Response(status_code=204)
