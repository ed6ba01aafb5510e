"""How long the event loop was held up lately: measured for as long as a monitor asks."""

import asyncio
from time import perf_counter

EVERY_S = 0.25
"""Between two looks: what holds the loop for longer is seen whole, whenever it begins."""

UNREAD = 1200
"""Looks after which nothing looks any more: a monitor that is still there asks within minutes."""


class LoopWatch:
    """Sets timers and sees how late they come; none before it is first read: idle costs nothing."""

    def __init__(self) -> None:
        self._worst_s = 0.0
        self._unread = 0
        self._due = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def worst_s(self) -> float:
        """The most seconds that a timer came too late since the last reading; 0 at the first."""
        worst_s, self._worst_s, self._unread = self._worst_s, 0.0, 0
        if self._timer is None:
            self._set()
            return worst_s
        return max(worst_s, perf_counter() - self._due)

    def _set(self) -> None:
        self._due = perf_counter() + EVERY_S
        self._timer = asyncio.get_running_loop().call_later(EVERY_S, self._look)

    def _look(self) -> None:
        self._worst_s = max(self._worst_s, perf_counter() - self._due)
        self._unread += 1
        self._timer = None
        if self._unread < UNREAD:
            self._set()
