"""Who is in a room at this moment, and what each of them has still to read."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from bot.channels.local.ports import LocalEvent, Missed, Shown, Writing
from bot.model.events import AuthorRef

BACKLOG = 256
"""Events a reader may be behind before it is told to reload; some minutes of a busy lobby."""


class Subscription:
    """One reader's queue of events: bounded, so that a dead browser holds up no other."""

    def __init__(self, reader: AuthorRef) -> None:
        self._reader = reader
        self._queue: asyncio.Queue[LocalEvent] = asyncio.Queue(BACKLOG)

    def __aiter__(self) -> "Subscription":
        return self

    async def __anext__(self) -> LocalEvent:
        return await self._queue.get()

    def offer(self, event: LocalEvent, by: AuthorRef | None) -> None:
        """Add an event; when the reader is too far behind, all it has left is a Missed."""
        mine = by is not None and _same_account(by, self._reader)
        if mine and isinstance(event, Writing):
            return
        if self._queue.full():
            self._drain()
            event = Missed()
        self._queue.put_nowait(replace(event, mine=mine) if isinstance(event, Shown) else event)

    def _drain(self) -> None:
        while not self._queue.empty():
            self._queue.get_nowait()


@dataclass(slots=True)
class Presence:
    """Who is in a room now; `held` are the replies that wait while `heard` messages are stored."""

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
        """Offer an event to everybody here."""
        for reader in self.readers:
            reader.offer(event, by)


def _same_account(one: AuthorRef, other: AuthorRef) -> bool:
    return (one.platform, one.external_id) == (other.platform, other.external_id)
