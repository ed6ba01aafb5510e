"""Reads what happened in a room, in order: what was left out, what cannot be read yet."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

import structlog

from bot.channels.matrix.inbound.interpreter import EventInterpreter, KeyMissing
from bot.channels.matrix.inbound.sync import RoomNews
from bot.channels.matrix.inbound.unread import UnreadEvents
from bot.channels.matrix.service.encryption import Encryption
from bot.channels.matrix.service.homeserver import Homeserver, TokenRefused
from bot.channels.matrix.service.json_values import Json, maps_in, text_in
from bot.errors import DeliveryFailed
from bot.model.events import Inbound, InboundEvent
from bot.platforms.http_api import ApiRefused
from memory.model.rooms import RoomKind
from memory.ports import Clock

log = structlog.get_logger()

PAGE = 100
"""Events of a gap that are asked for at a time."""

WAITS_S = (0.5, 2.0)
"""Seconds before an event is tried again that the server did not help to read."""

MOST_LATE = 200
"""Messages whose keys may have come that are looked at in one go."""

_ACCESS = frozenset({"m.room.join_rules", "m.room.history_visibility"})


class NewsReader:
    """Reads the news of rooms; what cannot be read now is noted and read later."""

    def __init__(
        self,
        interpreter: EventInterpreter,
        homeserver: Homeserver,
        encryption: Encryption,
        unread: UnreadEvents,
        clock: Clock,
    ) -> None:
        self._interpreter = interpreter
        self._homeserver = homeserver
        self._encryption = encryption
        self._unread = unread
        self._clock = clock

    async def read(self, room: str, event: Json) -> Sequence[InboundEvent]:
        """One event as the inbox takes it; None if it is kept for later."""
        for wait_s in (*WAITS_S, None):
            try:
                return await self._interpreter.read(room, event)
            except KeyMissing:
                return await self._without_key(room, event)
            except TokenRefused:
                raise
            except ApiRefused as refusal:
                log.info("event.skipped", room=room, reason=str(refusal))
                return []
            except DeliveryFailed as error:
                log.warning("event.postponed", room=room, reason=str(error))
            except Exception:  # the boundary: anybody may have written what it dies of
                log.exception("event.misread", room=room)
                return []
            if wait_s is not None:
                await asyncio.sleep(wait_s)
        self._unread.note(room, text_in(event, "event_id"), self._clock.now())
        return []

    async def gap(self, room: str, news: RoomNews, since: str, most: int) -> Sequence[InboundEvent]:
        """What was said between the last news and these, the latest `most` events of it.

        If it changed meanwhile who may read along, it is not told who could read which of it: all
        of it counts as said behind a closed door.
        """
        missed = [event async for event in self._left_out(room, news, since, most)]
        is_moved = any(text_in(one, "type") in _ACCESS for one in missed)
        events = [one for event in reversed(missed) for one in await self.read(room, event)]
        return [_shut(one) if is_moved else one for one in events]

    async def late(self) -> Sequence[InboundEvent]:
        """What can be read now of what could not be before."""
        self._unread.expire(self._clock.now())
        found: list[InboundEvent] = []
        for one in self._unread.waiting[:MOST_LATE]:
            try:
                event = await self._homeserver.event(one.room, one.event)
                events = await self._interpreter.read(one.room, event)
            except (KeyMissing, DeliveryFailed) as error:
                if isinstance(error, ApiRefused):
                    self._unread.done(one.event)
                continue
            except Exception:  # the same boundary
                log.exception("event.misread", room=one.room)
                events = []
            self._unread.done(one.event)
            found.extend(events)
        return found

    async def _without_key(self, room: str, event: Json) -> Sequence[InboundEvent]:
        self._unread.note(room, text_in(event, "event_id"), self._clock.now())
        log.warning("message.undecrypted", room=room, waiting=len(self._unread.waiting))
        await self._encryption.ask_for_key(room, event)
        return []

    async def _left_out(
        self, room: str, news: RoomNews, since: str, most: int
    ) -> AsyncIterator[Json]:
        """The events of a gap, the latest first."""
        place, left = news.gap, most
        while place and left > 0:
            page = await self._homeserver.messages(room, place, since, limit=min(PAGE, left))
            events = maps_in(page, "chunk")
            for event in events:
                yield event
            left -= len(events)
            place = text_in(page, "end") if events else ""


def _shut(event: InboundEvent) -> InboundEvent:
    if isinstance(event, Inbound) and event.room.kind is RoomKind.GROUP:
        return replace(event, room=replace(event.room, confidential=True))
    return event
