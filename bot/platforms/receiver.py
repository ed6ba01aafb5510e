"""Hands what happened in a room to the inbox, in order, and again while it cannot be stored."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from itertools import groupby

import structlog

from bot.model.events import Inbound, InboundEvent
from bot.ports import Hearing
from memory.model.errors import StorageFailed

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
            for together in _together(events):
                await self._hand_on(together)

    async def _hand_on(self, events: Sequence[InboundEvent]) -> None:
        """Store some events; where that fails for another reason than the disk, one by one."""
        try:
            await self._stored(events)
        except StorageFailed:
            log.exception("events.lost", events=len(events))
        except Exception:
            log.exception("event.failed", events=len(events))
            if len(events) > 1:
                for event in events:
                    await self._hand_on([event])

    async def _stored(self, events: Sequence[InboundEvent]) -> None:
        wait_s = FIRST_WAIT_S
        for _ in range(ATTEMPTS - 1):
            try:
                return await self._store(events)
            except StorageFailed as error:
                log.warning("storing.failed", events=len(events), reason=str(error))
            await asyncio.sleep(wait_s)
            wait_s *= 2
        return await self._store(events)

    async def _store(self, events: Sequence[InboundEvent]) -> None:
        messages = [event for event in events if isinstance(event, Inbound)]
        if messages:
            await self._inbox.receive_all(messages)
        else:
            for event in events:
                await self._inbox.receive(event)


async def _read(read: Read) -> Sequence[InboundEvent]:
    try:
        return await read()
    except Exception:
        log.exception("event.misread")
        return []


def _together(events: Iterable[InboundEvent]) -> Iterator[list[InboundEvent]]:
    """The events in order, messages in a row together."""
    for are_messages, row in groupby(events, lambda event: isinstance(event, Inbound)):
        if are_messages:
            yield list(row)
        else:
            yield from ([event] for event in row)
