"""Hands events to the inbox, for as long as it takes: what was not stored is not acknowledged."""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta

import structlog

from bot.model.events import Inbound, InboundEvent
from bot.platforms.backoff import Backoff
from bot.platforms.handing_on import batches, store
from bot.ports import Hearing
from memory.model.errors import StorageFailed

log = structlog.get_logger()

LIVE_FOR = timedelta(minutes=2)
"""How old a message may be when a connection begins to count as said now: servers are slow, and
their clocks differ."""


class HandOver:
    """The way into the inbox, which ends when everything is stored."""

    def __init__(self, inbox: Hearing) -> None:
        self._inbox = inbox

    async def take(self, events: Sequence[InboundEvent], missed_at: datetime | None) -> None:
        """Store events in order, again and again while the disk refuses.

        `missed_at` is when the pet came back, for events that may be older.
        """
        for together, moment in batches(events, lambda one: _missed_at(one, missed_at)):
            await self._stored(together, moment)

    async def _stored(self, events: Sequence[InboundEvent], missed_at: datetime | None) -> None:
        waits = Backoff(first_s=0.5, longest_s=60, healthy_s=60)
        while True:
            try:
                return await store(self._inbox, events, missed_at)
            except StorageFailed as error:
                log.warning("storing.failed", events=len(events), reason=str(error))
                await asyncio.sleep(waits.failed())


def _missed_at(event: Inbound, back_at: datetime | None) -> datetime | None:
    """When the pet came back, for a message that is older than that."""
    return back_at if back_at is not None and event.sent_at < back_at - LIVE_FOR else None
