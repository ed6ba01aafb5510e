"""What happens in a visitor's rooms while they read: server-sent events, one stream a browser.

Each event is numbered; a stream that begins with the number of the last one goes on from there, or
is told to read the rooms again (https://html.spec.whatwg.org/multipage/server-sent-events.html).
"""

import asyncio
import json
from collections.abc import AsyncIterator
from itertools import count
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import StreamingResponse

from bot.channels.local.hub import LOBBY, direct_room
from bot.channels.local.ports import (
    Changed,
    LocalEvent,
    Missed,
    Reacted,
    RoomEvent,
    Shown,
    Superseded,
    TakenBack,
    Writing,
    reactions_for,
)
from bot.channels.local.presence import Subscription
from bot.model.events import AuthorRef
from bot.model.turns import Expression
from bot.texts.catalogue import Texts
from bot.web.page.lines import Lines
from bot.web.page.parts import Page, PageParts, address_of
from bot.web.page.visitors import Visitor
from memory.model.messages import AuthorKind

LOOK_S = 5.0
"""Seconds between two looks at who is here; a connection that was cut is back within them."""

BEAT_EVERY = 3
"""Looks between two signs of life, which also keep a proxy from closing what seems idle."""

AGAIN_MS = 1500
"""Milliseconds until a browser connects again."""

AGAIN_SUPERSEDED_MS = 60_000
"""The same for a stream that gave way to others: those of one visitor must not take turns."""

MOST_HERE = 40
"""The most names shown of those who are here."""

PERSON_WRITES = 4
"""Seconds a person is shown as writing after their last key; browsers repeat it every second."""

PET_WRITES = 10
"""Seconds the pet is shown as writing after it said so."""

_PADDING = f": {' ' * 2048}\n"
"""A beginning that is longer than what some proxies hold back."""

router = APIRouter()


@router.get("/events")
async def follow_rooms(
    request: Request,
    parts: Page,
    visitor: Visitor,
    since: Annotated[str, Query(max_length=60)] = "",
    last_event_id: Annotated[str | None, Header(max_length=60)] = None,
) -> StreamingResponse:
    """The stream of a browser, from the last event it knows."""
    events = VisitorStream(parts, visitor, parts.texts(request), address_of(request))
    return StreamingResponse(
        events.follow(last_event_id or since),
        media_type="text/event-stream",
        headers={"cache-control": "no-store, no-transform", "x-accel-buffering": "no"},
    )


class VisitorStream:
    """The events of a visitor's two rooms, in their language."""

    def __init__(self, parts: PageParts, visitor: AuthorRef, texts: Texts, address: str) -> None:
        self._hub = parts.hub
        self._seats = parts.streams
        self._address = address
        self._visitor = visitor
        self._texts = texts
        self._lines = Lines(texts.language, parts.options.pet_name, parts.options.zone)
        self._slots = {direct_room(visitor).external_id: "private", LOBBY.external_id: "lobby"}

    async def follow(self, since: str) -> AsyncIterator[str]:
        """The events of the stream, until the browser is gone or has too many streams."""
        yield f"{_PADDING}retry: {AGAIN_MS}\n\n"
        rooms = [direct_room(self._visitor), LOBBY]
        with (
            self._hub.follow(rooms, self._visitor, since) as events,
            self._seats.taken(self._visitor, self._address, events.end),
        ):
            here = None
            for look in count():
                if look % BEAT_EVERY == 0:
                    yield _event("beat", {})
                if (now := self._here()) != here:
                    here = now
                    yield _event("here", now)
                async for told in _until_look(events):
                    if isinstance(told.event, Superseded):
                        yield f"retry: {AGAIN_SUPERSEDED_MS}\n\n"
                        return
                    yield self._told(told)

    def _here(self) -> dict[str, Any]:
        """Who else is in the lobby."""
        others = [one.name for one in self._hub.here(LOBBY) if one.account != self._visitor.account]
        more = len(others) - MOST_HERE
        rest = self._texts.say("page.here_more", others=more) if more > 0 else ""
        return {"names": others[:MOST_HERE], "more": rest}

    def _told(self, told: RoomEvent) -> str:
        slot = self._slots.get(told.room, "")
        kind, data = self._data(told.event, slot)
        return _event(kind, {"room": slot, **data}, told.position)

    def _data(self, event: LocalEvent, slot: str) -> tuple[str, dict[str, Any]]:
        match event:
            case Shown() as shown:
                return "line", self._line(shown, slot)
            case Changed(shown=shown):
                return "changed", self._line(shown, slot)
            case Reacted(key=key, reactions=reactions):
                shown_to = reactions_for(self._visitor.account, reactions)
                return "reacted", {"key": key, "html": self._lines.reactions(shown_to, slot, key)}
            case TakenBack(key=key):
                return "gone", {"key": key}
            case Writing(kind=kind, author=author):
                lasts = PET_WRITES if kind is AuthorKind.PET else PERSON_WRITES
                text = self._texts.say("page.writing", name=author)
                return "writing", {"kind": kind, "author": author, "text": text, "lasts": lasts}
            case Missed() | Superseded():
                return "reload", {}

    def _line(self, shown: Shown, slot: str) -> dict[str, Any]:
        look = shown.expression
        said: dict[str, Any] = {
            "key": shown.key,
            "kind": shown.kind,
            "author": shown.author,
            "mine": shown.mine,
            "html": self._lines.html(shown, slot),
        }
        if look is not None:
            said |= {"look": look, "label": self._texts.say(f"looks.{look}")}
            if look is not Expression.NEUTRAL:
                said["answers"] = shown.answers
        return said


async def _until_look(events: Subscription) -> AsyncIterator[RoomEvent]:
    """The events until the next look at who is here."""
    loop = asyncio.get_running_loop()
    until = loop.time() + LOOK_S
    while True:
        try:
            async with asyncio.timeout_at(until):
                told = await events.told()
        except TimeoutError:
            return
        yield told


def _event(kind: str, data: dict[str, Any], position: str | None = None) -> str:
    number = "" if position is None else f"id: {position}\n"
    return f"{number}event: {kind}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"
