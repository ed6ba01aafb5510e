"""What Matrix's rooms said before, read for the catch-up."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

import structlog

from bot.channels.matrix.inbound.contents import relation_of
from bot.channels.matrix.inbound.events import is_said, said_at
from bot.channels.matrix.inbound.interpreter import EventInterpreter, KeyMissing
from bot.channels.matrix.inbound.rooms import PLATFORM, KnownRooms, parts_of
from bot.channels.matrix.service.homeserver import Homeserver
from bot.channels.matrix.service.json_values import Json, map_in, maps_in, text_in
from bot.errors import DeliveryFailed, PastUnavailable, RoomUnreadable
from bot.model.events import Inbound
from bot.platforms.http_api import ApiRefused
from bot.ports import Past
from memory.ports import Clock

log = structlog.get_logger()

PAGE = 100
"""Events that are asked for at a time."""

MOST_PAGES = 100
"""Pages that are asked for: a thread may be rarely spoken in, in a room that never rests."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastReading:
    """What the past is read through: the rooms the pet is in, and who reads what was said."""

    homeserver: Homeserver
    rooms: KnownRooms
    interpreter: EventInterpreter
    clock: Clock
    pet: str


class MatrixPast:
    """The past of the rooms, through the session that it follows now."""

    def __init__(self) -> None:
        self._now: PastReading | None = None

    def follow(self, reading: PastReading | None) -> None:
        """Ask through this session from now on; None while there is none."""
        self._now = reading

    @property
    def platform(self) -> str:
        """The platform of the rooms."""
        return PLATFORM

    async def threads(self) -> Mapping[str, str]:
        """None: an unknown thread comes with its first message."""
        return {}

    async def said(self, room: str, start: datetime, end: datetime | None, limit: int) -> Past:
        """What a room said after `start` and before `end`, the latest `limit` messages of it.

        Raises:
            RoomUnreadable: the pet is not in it, or may not read what was said.
            PastUnavailable: the server did not answer.

        """
        now = self._now
        if now is None:
            raise PastUnavailable("There is no connection to the homeserver.")
        kept, thread = parts_of(room)
        id_ = now.rooms.moves.now_of(kept)
        if id_ not in now.rooms.states:
            raise RoomUnreadable("The pet is not in that room.")
        try:
            return await _Listing(now, id_, thread, limit).between(start, end)
        except ApiRefused as refusal:
            raise RoomUnreadable(str(refusal)) from refusal
        except DeliveryFailed as error:
            raise PastUnavailable(str(error)) from error


@dataclass(slots=True)
class _Listing:
    """A room's messages of a stretch of time, gathered page by page, the latest first."""

    reading: PastReading
    room: str
    thread: str | None
    limit: int
    messages: list[Inbound] = field(default_factory=list)
    listed: set[str] = field(default_factory=set)
    edited: set[str] = field(default_factory=set)
    oldest: datetime | None = None
    unread: int = 0

    async def between(self, start: datetime, end: datetime | None) -> Past:
        place: str | None = None
        for _ in range(MOST_PAGES):
            page = await self.reading.homeserver.messages(self.room, place, limit=PAGE)
            events = maps_in(page, "chunk")
            for event in events:
                at = said_at(event, self.reading.clock.now())
                if at <= start:
                    return self._past(start)
                if end is None or at < end:
                    await self._take(event, at)
                if len(self.listed) >= self.limit:
                    return self._past(self.oldest or start)
            place = text_in(page, "end")
            if not place:
                return self._past(start)
        return self._past(self.oldest or start)

    async def _take(self, event: Json, at: datetime) -> None:
        if not self._is_standing(event):
            return
        self.listed.add(text_in(event, "event_id"))
        self.oldest = at
        if text_in(event, "sender") == self.reading.pet:
            return
        try:
            plain = self._as_it_is_now(event)
            if plain is not None and is_said(plain):
                self.messages.append(await self.reading.interpreter.said(self.room, plain))
        except KeyMissing:
            self.unread += 1

    def _is_standing(self, event: Json) -> bool:
        content = map_in(event, "content")
        is_here = self.thread is None or relation_of(content).thread == self.thread
        return "state_key" not in event and bool(content) and is_here

    def _as_it_is_now(self, event: Json) -> Json | None:
        """A message with the words of its last edit, which the server adds to it."""
        opened = self.reading.interpreter.opened
        plain = opened(self.room, event)
        later = map_in(event, "unsigned", "m.relations", "m.replace")
        if plain is None or text_in(later, "sender") != text_in(event, "sender"):
            return plain
        try:
            edit = opened(self.room, later)
        except KeyMissing:
            self.unread += 1
            return None
        said = map_in(edit or {}, "content", "m.new_content")
        if not said:
            return plain
        self.edited.add(text_in(event, "event_id"))
        relation = map_in(plain, "content", "m.relates_to")
        return {**plain, "content": {**said, "m.relates_to": relation}}

    def _past(self, whole_from: datetime) -> Past:
        return Past(
            messages=tuple(reversed(self.messages)),
            listed=frozenset(self.listed),
            edited=frozenset(self.edited),
            whole_from=whole_from,
            unread=self.unread,
        )
