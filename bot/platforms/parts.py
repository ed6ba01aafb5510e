"""The parts of this room, made over one storage: what is done when a platform comes back."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from bot.conversation.paced_inbox import PacedInbox
from bot.platforms.catch_up import CatchUp
from bot.ports import Host, Platform
from memory.storage.storage import Storage
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


class PlatformParts:
    """Keeps the platforms connected, and makes up for the time without them in both directions."""

    def __init__(
        self,
        storage: Storage,
        platforms: Sequence[Platform],
        paced_inbox: PacedInbox,
        deliver: Callable[[], Awaitable[object]],
    ) -> None:
        """Make the parts; `deliver` sends what could not be sent before."""
        self._platforms = platforms
        self.redelivery = Redelivery([("undelivered", deliver)])
        self.catch_ups = [
            CatchUp(one.past, storage.read_backs, paced_inbox, storage.clock, one.catch_up)
            for one in platforms
        ]

    def connections(self, host: Host) -> Iterator[tuple[str, Coroutine[Any, Any, None]]]:
        """What keeps each platform there, by its name; they come back by themselves."""
        yield "redelivery", self.redelivery.run()
        for platform, catch_up in zip(self._platforms, self.catch_ups, strict=True):
            known = replace(
                host,
                connected=partial(self._connected, catch_up),
                arrived=partial(self._arrived, catch_up),
            )
            yield platform.platform, platform.run(known)
            yield f"{platform.platform} catch-up", catch_up.run()

    def most_days_before(self, platform: str) -> int:
        """How far back, from before the pet came, rooms of a platform may be read; 0 is not."""
        known = {one.platform: one.catch_up.asked_days for one in self._platforms}
        return known.get(platform, 0)

    def _connected(self, catch_up: CatchUp) -> None:
        catch_up.connected()
        self.redelivery.connected()

    def _arrived(self, catch_up: CatchUp, rooms: Collection[str]) -> None:
        catch_up.arrived(rooms)
        self.redelivery.connected()
