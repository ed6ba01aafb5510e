"""Hands events to the inbox, for as long as it takes: what was not stored is not acknowledged."""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import groupby

import structlog

from bot.model.events import Inbound, InboundEvent
from bot.platforms.backoff import Backoff
from bot.ports import Hearing
from memory.model.errors import StorageFailed

log = structlog.get_logger()

MOST_TOGETHER = 50
"""Messages that are stored in one transaction."""

LIVE_FOR = timedelta(minutes=2)
"""How old a message may be when a connection begins to count as said now: servers are slow, and
their clocks differ."""

_Kind = tuple[bool, bool]


class HandOver:
    """The way into the inbox, which ends when everything is stored."""

    def __init__(self, inbox: Hearing) -> None:
        self._inbox = inbox

    async def take(self, events: Sequence[InboundEvent], missed_at: datetime | None) -> None:
        """KeyStore events in order, again and again while the disk refuses.

        `missed_at` is when the pet came back, for events that may be older.
        """
        for (is_message, is_missed), row in groupby(events, lambda one: _kind(one, missed_at)):
            some = list(row)
            if not is_message:
                for event in some:
                    await self._stored([event], None)
                continue
            for first in range(0, len(some), MOST_TOGETHER):
                moment = missed_at if is_missed else None
                await self._stored(some[first : first + MOST_TOGETHER], moment)

    async def _stored(self, events: Sequence[InboundEvent], missed_at: datetime | None) -> None:
        waits = Backoff(first_s=0.5, longest_s=60, healthy_s=60)
        while True:
            try:
                return await self._store(events, missed_at)
            except StorageFailed as error:
                log.warning("storing.failed", events=len(events), reason=str(error))
                await asyncio.sleep(waits.failed())
            except Exception:  # what fails for another reason than the disk costs that event alone
                log.exception("event.failed", events=len(events))
                if len(events) == 1:
                    return None
                for event in events:
                    await self._stored([event], missed_at)
                return None

    async def _store(self, events: Sequence[InboundEvent], missed_at: datetime | None) -> None:
        messages = [event for event in events if isinstance(event, Inbound)]
        if messages:
            await self._inbox.receive_all(messages, missed_at=missed_at)
        else:
            for event in events:
                await self._inbox.receive(event)


def _kind(event: InboundEvent, missed_at: datetime | None) -> _Kind:
    is_message = isinstance(event, Inbound)
    is_missed = (
        isinstance(event, Inbound)
        and missed_at is not None
        and event.sent_at < missed_at - LIVE_FOR
    )
    return is_message, is_missed
