"""The pace at which sessions begin: Discord refuses one that begins too soon after the last."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

import structlog

from bot.ports import SessionTimes
from memory.model.errors import StorageFailed
from memory.ports import Clock

log = structlog.get_logger()

APART = timedelta(seconds=5.5)
"""By Discord's documentation of the gateway five seconds, as they arrive there: one may be on its
way for longer than the next."""


class IdentifyGate:
    """Lets one session begin after the other, whatever client it is of, also after a restart."""

    def __init__(
        self,
        clock: Clock,
        times: SessionTimes,
        wait: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._clock = clock
        self._times = times
        self._wait = wait
        self._last: datetime | None = None

    async def passed(self, account: str) -> None:
        """Wait until an account may begin a session; it is taken to begin one then."""
        last = self._last or await self._times.last(account)
        if last is not None and (left_s := self._left_s(last)) > 0:
            await self._wait(left_s)
        self._last = self._clock.now()
        try:
            await self._times.keep(account, self._last)
        except StorageFailed as error:
            log.warning("session.unrecorded", reason=str(error))

    def _left_s(self, last: datetime) -> float:
        """Seconds until APART is over; no more than that, should the clock have been set back."""
        return min(last + APART - self._clock.now(), APART).total_seconds()
