"""Hands what happened in a room to the inbox, in order, and again while it cannot be stored."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import structlog

from bot.model.events import InboundEvent
from bot.platforms.handing_on import batches, store
from bot.ports import Hearing
from memory.model.errors import StorageFailed
from memory.tasks import Boundary

log = structlog.get_logger()

Read = Callable[[], Awaitable[Sequence[InboundEvent]]]
"""Reads one event."""

ATTEMPTS = 6
"""Tries to store before events are given up, with a wait that doubles from `FIRST_WAIT_S`."""

FIRST_WAIT_S = 0.5
"""Half a minute in all: a disk that is full for longer stops more than this."""

MOST_AT_ONCE = 2
"""Rooms whose events are stored at a time: the writer is one, and others need the loop too."""


class Receiver:
    """The boundary between the platform and the inbox: what fails here costs that event alone."""

    def __init__(self, inbox: Hearing) -> None:
        self._inbox = inbox
        self._slots = asyncio.Semaphore(MOST_AT_ONCE)

    async def take(self, reads: Sequence[Read]) -> None:
        """Read some events of one room and hand them on; never fails."""
        events: list[InboundEvent] = []
        for read in reads:
            events.extend(await _read(read))
            await asyncio.sleep(0)  # many rooms are read side by side, and none shall be long
        async with self._slots:
            for together, _ in batches(events):
                await self._stored(together)

    async def _stored(self, events: Sequence[InboundEvent]) -> None:
        wait_s = FIRST_WAIT_S
        for _ in range(ATTEMPTS - 1):
            try:
                return await store(self._inbox, events)
            except StorageFailed as error:
                log.warning("storing.failed", events=len(events), reason=str(error))
            await asyncio.sleep(wait_s)
            wait_s *= 2
        with Boundary("events.lost", events=len(events)):
            return await store(self._inbox, events)
        return None


async def _read(read: Read) -> Sequence[InboundEvent]:
    with Boundary("event.misread"):
        return await read()
    return []
