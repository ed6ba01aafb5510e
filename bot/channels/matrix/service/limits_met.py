"""How often the homeserver asked for patience of late."""

import asyncio
from collections import deque

WINDOW_S = 3600.0
"""Seconds that a refusal counts."""


class LimitsMet:
    """Counts the requests that were too many for the server (429), over all connections."""

    def __init__(self) -> None:
        self._at: deque[float] = deque(maxlen=1000)

    def met(self) -> None:
        """Take note of one more."""
        self._at.append(asyncio.get_running_loop().time())

    @property
    def lately(self) -> int:
        """How many there were within the window."""
        since = asyncio.get_running_loop().time() - WINDOW_S
        return sum(at >= since for at in self._at)
