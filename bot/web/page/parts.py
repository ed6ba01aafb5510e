"""What the routes of the page work with, as FastAPI dependencies."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Protocol, cast
from zoneinfo import ZoneInfo

from fastapi import Depends, HTTPException, Request

from bot.channels.local.hub import LOBBY, LocalHub, LocalTalk, direct_room
from bot.channels.local.own_messages import OwnMessages
from bot.channels.local.ports import Recovery, RoomTranscript
from bot.channels.local.reactions import LineReactions
from bot.channels.local.uploads import UploadedPictures
from bot.model.events import AuthorRef, Invoked, RoomRef
from bot.ports import PlatformCommands
from bot.surfaces.access.origins import OwnAddresses
from bot.surfaces.pages.rendering import Moments, filled
from bot.surfaces.texts import web_texts
from bot.texts.catalogue import Texts
from bot.texts.choice import wanted_locale
from bot.topics.people.told import ToldSlot
from bot.web.page.stream_seats import StreamLimits, StreamSeats
from bot.web.page.visit_rates import Doing, TooOften, VisitRates
from memory.ports import Clock

SLOTS = ("private", "lobby")
"""The rooms of the page by the names that its addresses have for them."""

MOST_SEATS = 2000
"""Talks whose last key is remembered: far more than people are on a page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOptions:
    """What the page needs to know.

    `locale` is for browsers that ask for no language there is. `secret` signs the cookies. `own` is
    what the page is served as. `zone` is the pet's, for browsers that know none. `by_rules`: the
    pet has no language model, which the page says; `sees`: it has one that reads pictures.
    `hears_s` is how long a voice note may be, 0 where none is listened to. `streams` is how many
    visitors may hold open.
    """

    locale: str
    pet_name: str
    secret: str
    own: OwnAddresses = field(default_factory=OwnAddresses)
    zone: ZoneInfo = field(default_factory=lambda: ZoneInfo("UTC"))
    by_rules: bool = False
    sees: bool = False
    hears_s: float = 0
    streams: StreamLimits = field(default_factory=StreamLimits)


class Seats:
    """The talks of visitors, kept while they are used: each remembers when a key was pressed."""

    def __init__(self, hub: LocalHub) -> None:
        self._hub = hub
        self._talks: OrderedDict[tuple[AuthorRef, str, str], LocalTalk] = OrderedDict()

    def talk(self, author: AuthorRef, slot: str, address: str) -> LocalTalk:
        """The seat of a visitor in a room."""
        seat = (author, slot, address)
        talk = self._talks.pop(seat, None)
        if talk is None:
            talk = self._hub.talk(author, room_of(slot, author), address=address)
        self._talks[seat] = talk
        if len(self._talks) > MOST_SEATS:
            self._talks.popitem(last=False)
        return talk


class ClaimReader(Protocol):
    """Reads what a visitor states of themselves."""

    async def of(self, invoked: Invoked) -> Sequence[ToldSlot]:
        """What the caller of a command states of themselves, as far as they may be told there."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PageParts:
    """The pet, as the page sees it."""

    hub: LocalHub
    transcript: RoomTranscript
    recovery: Recovery
    commands: PlatformCommands
    claims: ClaimReader
    options: PageOptions
    seats: Seats
    streams: StreamSeats
    rates: VisitRates
    own_messages: OwnMessages
    reactions: LineReactions
    uploads: UploadedPictures
    clock: Clock

    def texts(self, request: Request) -> Texts:
        """The page's texts in the language a browser asks for."""
        asked = request.headers.get("accept-language", "")
        return web_texts(wanted_locale(asked, self.options.locale))

    def moments(self, request: Request) -> Moments:
        """Moments as the reader of a request writes them, now, in the pet's zone."""
        return Moments(self.texts(request), self.options.zone, self.clock.now())

    def html(self, request: Request, template: str, **values: Any) -> str:
        """What a template of the page makes of these values, for the reader of a request."""
        texts = self.texts(request)
        return filled(
            template,
            t=texts.say,
            language=texts.language,
            pet=self.options.pet_name,
            by_rules=self.options.by_rules,
            sees=self.options.sees,
            hears_s=self.options.hears_s,
            **values,
        )


def page_parts_of(request: Request) -> PageParts | None:
    """The pet behind the page of a site; None where that has no page."""
    return cast("PageParts | None", getattr(request.app.state, "page", None))


def _parts_of(request: Request) -> PageParts:
    return cast("PageParts", request.app.state.page)


Page = Annotated[PageParts, Depends(_parts_of)]
"""The pet behind a route of the page."""


def room_of(slot: str, author: AuthorRef) -> RoomRef:
    """The room that an address of the page names."""
    return LOBBY if slot == "lobby" else direct_room(author)


def count_visit(
    request: Request, parts: PageParts, doing: Doing, visitor: str | None = None
) -> None:
    """Count what a visitor does.

    Raises:
        HTTPException: it is too much: 429, with a sentence and when to come back.

    """
    try:
        parts.rates.count(doing, visitor, address_of(request))
    except TooOften as error:
        sentence = parts.texts(request).say("page.too_often", seconds=error.retry_after_s)
        headers = {"retry-after": str(error.retry_after_s)}
        raise HTTPException(429, sentence, headers=headers) from error


def address_of(request: Request) -> str:
    """Where in the network a request comes from."""
    return "" if request.client is None else request.client.host
