"""The system clock, and one that stands still for tests and replays."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """The present moment, aware, in UTC."""
        return datetime.now(UTC)


@dataclass
class FrozenClock:
    """A clock that moves only when told to."""

    at: datetime

    def now(self) -> datetime:
        """The moment it was last set to."""
        return self.at

    def advance(self, step: timedelta) -> None:
        """Move forward by `step`."""
        self.at += step
