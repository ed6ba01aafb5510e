"""What is being done at a moment, for work that must wait until it is done."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class InFlight:
    """Counts what is under way."""

    def __init__(self) -> None:
        self._count = 0
        self._none = asyncio.Event()
        self._none.set()

    @contextmanager
    def one(self) -> Iterator[None]:
        """One thing more, for as long as the body takes."""
        self._count += 1
        self._none.clear()
        try:
            yield
        finally:
            self._count -= 1
            if not self._count:
                self._none.set()

    async def quiet(self) -> None:
        """Wait until nothing is under way."""
        await self._none.wait()
