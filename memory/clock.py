"""The system clock, which is watched for jumps, and one that stands still for tests and replays."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from memory.model.clock import DOUBTFUL, TOLERANCE, ClockJump

_NOT_BEHIND = timedelta()


def _wall() -> datetime:
    return datetime.now(UTC)


def _steady() -> float:
    """Seconds that no setting of the clock changes; sleep counts where the system tells it."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


class SystemClock:
    """The machine's clock, as long as it runs on; it is never followed back at once.

    When it is turned back by more than some minutes the time goes on from what it was, until
    `trust` says that the machine is right. When it jumps ahead it is followed and the jump noted.
    """

    def __init__(
        self,
        wall: Callable[[], datetime] = _wall,
        steady: Callable[[], float] = _steady,
    ) -> None:
        self._wall = wall
        self._steady = steady
        self._last = (wall(), steady())
        self._behind = _NOT_BEHIND
        self._jumps: list[ClockJump] = []

    @property
    def behind(self) -> timedelta:
        """How far the machine is behind the time that is told."""
        return self._behind

    def now(self) -> datetime:
        """The present moment, aware, in UTC."""
        wall, steady = self._wall(), self._steady()
        expected = self._last[0] + timedelta(seconds=steady - self._last[1])
        self._last = (wall, steady)
        turned = wall - expected
        if abs(turned) > TOLERANCE:
            self._turn(expected, turned)
        return wall + self._behind

    def take_jumps(self) -> list[ClockJump]:
        """The jumps ahead since this was asked last."""
        jumps, self._jumps = self._jumps, []
        return jumps

    def hold(self, until: datetime) -> None:
        """Go on from a moment that was seen before, if the machine is behind it."""
        self._behind = max(_NOT_BEHIND, until - self._wall())

    def trust(self) -> None:
        """Follow the machine, wherever it is."""
        self._behind = _NOT_BEHIND

    def _turn(self, expected: datetime, turned: timedelta) -> None:
        before = expected + self._behind
        self._behind = max(_NOT_BEHIND, self._behind - turned)
        after = expected + turned + self._behind
        if after - before > DOUBTFUL:
            self._jumps.append(ClockJump(before=before, after=after))


@dataclass
class FrozenClock:
    """A clock that moves only when told to, and is never wrong."""

    at: datetime
    behind: timedelta = _NOT_BEHIND

    def now(self) -> datetime:
        """The moment it was last set to."""
        return self.at

    def advance(self, step: timedelta) -> None:
        """Move forward by `step`."""
        self.at += step

    def take_jumps(self) -> list[ClockJump]:
        """None."""
        return []

    def hold(self, until: datetime) -> None:
        """Nothing: it is where it was set to."""

    def trust(self) -> None:
        """Nothing, for the same reason."""
