"""What is thought of a clock that jumps. Values."""

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
