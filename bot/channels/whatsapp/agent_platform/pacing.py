"""Requests under a published limit: so many in a minute that rolls on, counted by the asker."""

import asyncio
from collections import deque

WINDOW_S = 61.0
"""Seconds in which requests are counted: a minute, and one more for those that are long on the
way, since the service counts by its own clock when they come in."""


class RollingLimit:
    """No more than `most` in any window; after the first `free` of one they keep a distance.

    A distance keeps a lively talk from using its minute up at once and then standing still.
    """

    def __init__(self, most: int, *, free: int | None = None) -> None:
        self._most = most
        self._free = most if free is None else max(free, 1)
        left = most - self._free
        self._distance_s = WINDOW_S / max(left, 1) if left else 0.0
        self._taken: deque[float] = deque()
        self._held_until = float("-inf")
        self._order = asyncio.Lock()

    def wait_s(self, now: float) -> float:
        """The seconds from now until the next request may go out; `now` never goes back."""
        while self._taken and now - self._taken[0] >= WINDOW_S:
            self._taken.popleft()
        at = max(now, self._held_until)
        if len(self._taken) >= self._most:
            at = max(at, self._taken[-self._most] + WINDOW_S)
        elif len(self._taken) >= self._free:
            at = max(at, self._taken[-1] + self._distance_s)
        return at - now

    def take(self, now: float) -> None:
        """Count a request that goes out now."""
        self._taken.append(now)

    def hold(self, wait_s: float) -> None:
        """Let nothing out for so long: the service says that it has had enough."""
        self._held_until = max(self._held_until, _now() + wait_s)

    async def passed(self) -> None:
        """Wait until one more may go out, those that came first before, and count it."""
        async with self._order:
            while True:
                wait_s = self.wait_s(_now())
                if wait_s <= 0:
                    break
                await asyncio.sleep(wait_s)
            self.take(_now())

    def passes_now(self) -> bool:
        """Whether one more may go out at once; it is counted then."""
        if self._order.locked() or self.wait_s(_now()) > 0:
            return False
        self.take(_now())
        return True


def _now() -> float:
    return asyncio.get_running_loop().time()
