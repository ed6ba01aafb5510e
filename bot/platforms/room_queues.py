"""A queue for each room: events are taken at once, and worked on in order, several together."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Hashable, Sequence
from contextlib import suppress
from typing import Generic, TypeVar

E = TypeVar("E")

MOST_TOGETHER = 50
"""Events of one room that are worked on together: one transaction costs hardly more than one."""

MOST_WAITING = 1000
"""Events that may wait, of all rooms; the connection must wait with more. Some 5 MB, which each
full garbage collection walks through: with twice as many it took 40 to 60 ms of the loop's time."""

ROOM_AGAIN = MOST_WAITING // 2
"""As few must wait before more are taken: one at a time, none would be stored together."""

LONGEST_HOLD_S = 5.0
"""Seconds to wait before one more event is taken all the same: the connection must show life."""


class RoomQueues(Generic[E]):
    """Keeps the order within a room, lets rooms overtake each other, and is never in the way."""

    def __init__(self, work: Callable[[Sequence[E]], Awaitable[None]]) -> None:
        self._work = work
        self._waiting: dict[Hashable, deque[E]] = {}
        self._begun: asyncio.Queue[Hashable] = asyncio.Queue()
        self._left = 0
        self._change = asyncio.Condition()

    @property
    def waiting(self) -> int:
        """How many events are taken and not worked on yet."""
        return self._left

    def put(self, room: Hashable, event: E) -> None:
        """Take one event of a room, after those before it."""
        self._left += 1
        if room in self._waiting:
            self._waiting[room].append(event)
        else:
            self._waiting[room] = deque([event])
            self._begun.put_nowait(room)

    async def wait_for_space(self) -> None:
        """Where MOST_WAITING events wait, wait until half are left, LONGEST_HOLD_S at most."""
        if self._left >= MOST_WAITING:
            with suppress(TimeoutError):
                async with asyncio.timeout(LONGEST_HOLD_S):
                    await self._falls_below(ROOM_AGAIN)

    async def empty(self) -> None:
        """Wait until everything that was taken is worked on."""
        await self._falls_below(1)

    async def run(self) -> None:
        """Work on what comes until cancelled."""
        async with asyncio.TaskGroup() as group:
            while True:
                group.create_task(self._drain(await self._begun.get()))

    async def _drain(self, room: Hashable) -> None:
        queue = self._waiting[room]
        while queue:
            batch = [queue.popleft() for _ in range(min(len(queue), MOST_TOGETHER))]
            await self._work(batch)
            self._left -= len(batch)
            async with self._change:
                self._change.notify_all()
        del self._waiting[room]

    async def _falls_below(self, most: int) -> None:
        async with self._change:
            await self._change.wait_for(lambda: self._left < most)
