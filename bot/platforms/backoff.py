"""How long to wait before trying again: longer each time, never all at once, soon after health."""

import asyncio
from random import SystemRandom

_CHANCE = SystemRandom()


class Backoff:
    """Waits that double from `first_s` to `longest_s`; they begin again after a while of health."""

    def __init__(self, *, first_s: float, longest_s: float, healthy_s: float) -> None:
        self._first_s = first_s
        self._longest_s = longest_s
        self._healthy_s = healthy_s
        self._next_s = first_s
        self._succeeding_since: float | None = None

    def succeeded(self) -> None:
        """It works now."""
        if self._succeeding_since is None:
            self._succeeding_since = asyncio.get_running_loop().time()

    def failed(self) -> float:
        """It works no more; the seconds to wait, of which chance takes up to a half."""
        now = asyncio.get_running_loop().time()
        if self._succeeding_since is not None and now - self._succeeding_since >= self._healthy_s:
            self._next_s = self._first_s
        self._succeeding_since = None
        wait_s = self._next_s
        self._next_s = min(2 * wait_s, self._longest_s)
        return wait_s * _CHANCE.uniform(0.5, 1)
