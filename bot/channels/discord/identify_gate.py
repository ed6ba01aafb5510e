"""The pace at which sessions begin: Discord refuses one that begins too soon after the last."""

import asyncio
import fcntl
import os
from collections import defaultdict
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import structlog

from bot.channels.discord.machine_folder import machine_folder
from bot.ports import SessionTimes
from memory.model.errors import StorageFailed
from memory.ports import Clock

log = structlog.get_logger()

APART = timedelta(seconds=5.5)
"""By Discord's documentation of the gateway five seconds, as they arrive there: one may be on its
way for longer than the next."""

LONGEST_QUEUE = timedelta(minutes=10)
"""A turn that another process took later than in so long is of a clock that was set since."""


class MachineQueue:
    """The turns that processes of one pet on this machine took to begin, each a file."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or machine_folder()

    def take(self, account: str, now: datetime) -> datetime:
        """Take the next turn of an account and return when it is.

        Raises:
            OSError: the file cannot be used.

        """
        name = sha256(account.encode()).hexdigest()[:16]
        path = self._folder / f"eko-{os.getuid()}-{name}.turns"
        number = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        with os.fdopen(number, "r+", encoding="ascii") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            turn = max(now, _after(file.read(), now))
            file.seek(0)
            file.write(f"{turn.timestamp():.3f}\n")
            file.truncate()
        return turn


def _after(taken: str, now: datetime) -> datetime:
    """The turn after the one that was taken last."""
    try:
        last = datetime.fromtimestamp(float(taken), UTC)
    except (ValueError, OverflowError, OSError):
        return now
    return now if last - now > LONGEST_QUEUE else last + APART


class IdentifyGate:
    """Lets one session begin after the other, whatever client it is of, also after a restart.

    With a `queue` those of other processes of this machine, too.
    """

    def __init__(
        self,
        clock: Clock,
        times: SessionTimes,
        wait: Callable[[float], Awaitable[None]] = asyncio.sleep,
        queue: MachineQueue | None = None,
    ) -> None:
        self._clock = clock
        self._times = times
        self._wait = wait
        self._queue = queue
        self._last: dict[str, datetime] = {}
        self._doors: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def passed(self, account: str) -> None:
        """Wait until an account may begin a session; it is taken to begin one then."""
        async with self._doors[account]:
            last = self._last.get(account) or await self._times.last(account)
            if last is not None and (left_s := self._left_s(last)) > 0:
                await self._wait(left_s)
            if self._queue is not None:
                await self._take_turn(self._queue, account)
            self._last[account] = self._clock.now()
            try:
                await self._times.keep(account, self._last[account])
            except StorageFailed as error:
                log.warning("session.unrecorded", reason=str(error))

    async def _take_turn(self, queue: MachineQueue, account: str) -> None:
        now = self._clock.now()
        try:
            turn = await asyncio.to_thread(queue.take, account, now)
        except OSError as error:
            log.warning("session.unqueued", reason=str(error))
            return
        if turn > now:
            await self._wait((turn - now).total_seconds())

    def _left_s(self, last: datetime) -> float:
        """Seconds until APART is over; no more than that, should the clock have been set back."""
        return min(last + APART - self._clock.now(), APART).total_seconds()
