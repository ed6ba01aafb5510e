"""Who is in a room at this moment, and what each of them has still to read."""

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from bot.channels.local.event_log import EventLog
from bot.channels.local.ports import (
    Changed,
    LocalEvent,
    Missed,
    RoomEvent,
    Shown,
    Superseded,
    Writing,
)
from bot.model.events import AuthorRef

BACKLOG = 256
"""Events a reader may be behind before it has to reload; some minutes of a busy lobby."""


class Subscription:
    """One reader's queue of events: bounded, so that a dead browser holds up no other."""

    def __init__(self, reader: AuthorRef) -> None:
        self.reader = reader
        self._queue: asyncio.Queue[RoomEvent] = asyncio.Queue(BACKLOG)

    def __aiter__(self) -> "Subscription":
        return self

    async def __anext__(self) -> LocalEvent:
        return (await self.told()).event

    async def told(self) -> RoomEvent:
        """The next event with its room and position."""
        return await self._queue.get()

    def offer(self, told: RoomEvent, by: AuthorRef | None) -> None:
        """Add an event; when the reader is too far behind, all it has left is a Missed."""
        mine = by is not None and by.account == self.reader.account
        if mine and isinstance(told.event, Writing):
            return
        event = as_read(told.event, mine=mine)
        if self._queue.full():
            self._drain()
            event = Missed()
        self._queue.put_nowait(replace(told, event=event))

    def end(self) -> None:
        """Let the next event be the last one: what was not read yet is dropped."""
        self._drain()
        self._queue.put_nowait(RoomEvent(room="", event=Superseded(), position=""))

    def _drain(self) -> None:
        while not self._queue.empty():
            self._queue.get_nowait()


def as_read(event: LocalEvent, *, mine: bool) -> LocalEvent:
    """An event as its author reads it, or another."""
    match event:
        case Shown():
            return replace(event, mine=mine)
        case Changed(shown=shown):
            return Changed(shown=replace(shown, mine=mine))
    return event


@dataclass(slots=True)
class Presence:
    """Who is in a room now; `held` are the replies that wait while `heard` messages are stored."""

    room: str
    log: EventLog
    readers: set[Subscription] = field(default_factory=set)
    held: list[LocalEvent] = field(default_factory=list)
    heard: int = 0
    users: int = 0

    @contextmanager
    def hearing(self) -> Iterator[None]:
        """Hold replies back until what they may answer is stored and shown."""
        self.heard += 1
        try:
            yield
        finally:
            self.heard -= 1
            if not self.heard:
                self._release()

    def _release(self) -> None:
        held, self.held = self.held, []
        for event in held:
            self.show(event, None)

    def show(self, event: LocalEvent, by: AuthorRef | None) -> None:
        """Offer an event to everybody here; all but the signs of writing can be read again."""
        if not isinstance(event, Writing):
            self.log.add(self.room, event, by)
        told = RoomEvent(room=self.room, event=event, position=self.log.position)
        for reader in self.readers:
            reader.offer(told, by)

    def people(self) -> Iterable[AuthorRef]:
        """Everybody here, each account once, by name."""
        accounts = {one.reader.account: one.reader for one in self.readers}
        return sorted(accounts.values(), key=lambda one: (one.name.casefold(), one.external_id))
