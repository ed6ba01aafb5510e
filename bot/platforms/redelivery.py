"""What is done each time a platform is there again: above all, sending what was kept for it."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from observers.schedule import guarded

Step = tuple[str, Callable[[], Awaitable[object]]]
"""What is done, with the name that a failure is logged under."""


class Redelivery:
    """Does its steps after each arrival; those that come meanwhile are followed by one pass."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._steps = [guarded(name, step) for name, step in steps]
        self._arrived = asyncio.Event()

    def connected(self) -> None:
        """Take the sign that a platform can be reached again."""
        self._arrived.set()

    async def run(self) -> None:
        """Do the steps after each arrival, until cancelled; one that fails stops no other."""
        while True:
            await self._arrived.wait()
            self._arrived.clear()
            for step in self._steps:
                await step()
