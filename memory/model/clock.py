"""What is thought of a clock that jumps, and of moments later than now. Values."""

from dataclasses import dataclass
from datetime import datetime, timedelta

TOLERANCE = timedelta(minutes=5)
"""A clock that is set right by less than this changes no order that matters."""

DOUBTFUL = timedelta(days=2)
"""A jump ahead that is longer may be a wrong clock, or a pet that was off for some days."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockJump:
    """The clock went on from one moment at another one, long after it."""

    before: datetime
    after: datetime


def not_later(moment: datetime, now: datetime) -> datetime:
    """A moment at which something was said or written; one that is still to come counts as now.

    A date in the future comes of a wrong clock, or of an author who wants to be found first.
    """
    return min(moment, now)
