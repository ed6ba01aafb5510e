"""What words of time name, each by itself: a day, a time of day, a wait. Values, and pure."""

from dataclasses import dataclass
from datetime import time, timedelta
from enum import StrEnum


class DayPart(StrEnum):
    """A part of the day."""

    MORNING = "morning"
    NOON = "noon"
    AFTERNOON = "afternoon"
    EVENING = "evening"
    NIGHT = "night"


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedDay:
    """A day as it was named: so many days away, a weekday, or a date; `past` for one gone by.

    `part` is that of "tonight". `weeks` is 1 for a weekday of the next week, and None where "next"
    leaves that open.
    """

    away: int | None = None
    weekday: int | None = None
    weeks: int | None = 0
    year: int | None = None
    month: int | None = None
    day: int | None = None
    past: bool = False
    part: DayPart | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedClock:
    """A time of day as it was named; `exact` unless it may be of either half of the day.

    `impossible` where there is no such time, as 25:00. `is_bare`: in figures of 24 hours that
    people also say of the afternoon ("à 6h"). Midnight `ends_day`.
    """

    at: time = time()
    exact: bool = True
    is_bare: bool = False
    impossible: bool = False
    ends_day: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """How long from now: `length` by the clock, or whole `days` and `months` by the calendar."""

    length: timedelta | None = None
    days: int = 0
    months: int = 0


class Vague(StrEnum):
    """What names a time and no moment."""

    REPEATED = "repeated"
    """As "every day", "tous les lundis"."""
    LOOSE = "loose"
    """As "next week", "bientôt"."""


TimeValue = NamedDay | NamedClock | Wait | DayPart | Vague


@dataclass(frozen=True, slots=True, kw_only=True)
class TimePiece:
    """One word of time and where it stands, with the preposition before it."""

    start: int
    end: int
    value: TimeValue
