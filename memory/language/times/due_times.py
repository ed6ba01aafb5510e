"""When something that is to happen is due, from the words that say so; pure.

What is left open is not guessed: `Undue` says what to ask. Times of day are those of a zone, a day
without one is its morning, and a time that a change of the clocks leaves out is as much later.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import StrEnum

from memory.language.times.calendar import TimeContext
from memory.language.times.named_times import (
    DayPart,
    NamedClock,
    NamedDay,
    TimePiece,
    Vague,
    Wait,
)

FURTHEST = timedelta(days=5 * 366)
"""Further ahead nothing is promised."""

_MORNING = time(9)
_HOURS = {
    DayPart.MORNING: time(9),
    DayPart.NOON: time(12),
    DayPart.AFTERNOON: time(15),
    DayPart.EVENING: time(19),
    DayPart.NIGHT: time(22),
}
"""What is meant by a part of the day and no more."""
_ENDS = {
    DayPart.MORNING: time(12),
    DayPart.NOON: time(14),
    DayPart.AFTERNOON: time(18),
}
"""When a part of the day is over; the others go on to its end."""
_LATE = frozenset({DayPart.EVENING, DayPart.NIGHT})
"""What goes on into the small hours of the next day."""
_SMALL = 6
"""Hours up to which a bare one of another day may be of the night or of the afternoon."""


class UndueReason(StrEnum):
    """Why nothing is due."""

    UNSAID = "unsaid"
    """No moment is named."""
    IMPOSSIBLE = "impossible"
    """There is no such time or day."""
    PAST = "past"
    TWO_WAYS = "two_ways"
    REPEATED = "repeated"
    TOO_FAR = "too_far"


@dataclass(frozen=True, slots=True, kw_only=True)
class Undue:
    """Why nothing is due, and the moments that may be meant, if any: aware, in UTC."""

    why: UndueReason
    choices: tuple[datetime, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WhenSaid:
    """The words of time of a request, the first of each kind; `vague` where one names no moment."""

    day: NamedDay | None = None
    clock: NamedClock | None = None
    part: DayPart | None = None
    wait: Wait | None = None
    vague: Vague | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing of time was said."""
        return not (self.day or self.clock or self.part or self.wait or self.vague)


def said_in(pieces: Sequence[TimePiece]) -> WhenSaid:
    """The first piece of each kind."""
    found: dict[str, object] = {}
    for piece in pieces:
        found.setdefault(_KINDS[type(piece.value)], piece.value)
    said = WhenSaid(**found)  # type: ignore[arg-type]
    if said.part is None and said.day is not None:
        return replace(said, part=said.day.part)
    return said


_KINDS: dict[type, str] = {
    NamedDay: "day",
    NamedClock: "clock",
    DayPart: "part",
    Wait: "wait",
    Vague: "vague",
}


def due_at(said: WhenSaid, now: datetime, zone: tzinfo, *, in_24: bool) -> datetime | Undue:
    """The moment that is meant, aware and in UTC, or why there is none.

    `now` is aware. `in_24`: bare figures such as "6:30" count to 24, as French does.
    """
    try:
        due = _Reading(said=said, now=now.astimezone(zone), in_24=in_24).due()
    except (ValueError, OverflowError):  # the 31st of February, in 9999 years
        return Undue(why=UndueReason.IMPOSSIBLE)
    if isinstance(due, Undue):
        return due
    if due <= now:
        return Undue(why=UndueReason.PAST)
    if due - now > FURTHEST:
        return Undue(why=UndueReason.TOO_FAR)
    return due


@dataclass(slots=True, kw_only=True)
class _Reading:
    """One request as it is read; `now` is in the zone that is meant."""

    said: WhenSaid
    now: datetime
    in_24: bool
    calendar: TimeContext = field(init=False)

    def __post_init__(self) -> None:
        self.calendar = TimeContext(today=self.now.date(), past=False)

    def due(self) -> datetime | Undue:
        said, why = self.said, self._why_not()
        if why is not None:
            return Undue(why=why)
        if said.wait is not None:
            return self._after(said.wait)
        if said.day is None:
            return self._without_day()
        days = self._days(said.day)
        if len(days) > 1:
            choices = tuple(self._moment(one, self._usual()) for one in days)
            return Undue(why=UndueReason.TWO_WAYS, choices=choices)
        return self._on(days[0])

    def _why_not(self) -> UndueReason | None:
        """Why these words mean no moment, whatever now is."""
        said = self.said
        if said.vague is Vague.REPEATED:
            return UndueReason.REPEATED
        if said.clock is not None and said.clock.impossible:
            return UndueReason.IMPOSSIBLE
        return UndueReason.PAST if said.day is not None and said.day.past else None

    def _after(self, wait: Wait) -> datetime | Undue:
        if wait.length is not None:
            return self.now.astimezone(UTC) + wait.length  # hours as they pass, not as clocks show
        day = _months_on(self.now.date(), wait.months) + timedelta(days=wait.days)
        if self.said.clock or self.said.part:
            return self._on(day)
        return self._moment(day, self.now.time())

    def _without_day(self) -> datetime | Undue:
        if self.said.clock is not None:
            return self._next(self.said.clock)
        if self.said.part is None:
            return Undue(why=UndueReason.UNSAID)
        today = self._moment(self.now.date(), _HOURS[self.said.part])
        if today > self.now:
            return today
        return self._moment(self._tomorrow, _HOURS[self.said.part])

    def _next(self, clock: NamedClock) -> datetime | Undue:
        """The next moment of a time of day, where that is one."""
        if clock.ends_day:
            return self._moment(self._tomorrow, clock.at)
        if self.said.part is not None:
            return self._today_or_ask(_in_part(clock.at, self.said.part))
        if self._is_exact(clock):
            return self._today_or_ask(clock.at, is_bare=clock.is_bare or not clock.exact)
        either = (self._moment(self.now.date(), one) for one in _both_halves(clock.at))
        ahead = [one for one in either if one > self.now]
        return ahead[0] if ahead else self._moment(self._tomorrow, clock.at)

    def _today_or_ask(self, at: time, *, is_bare: bool = False) -> datetime | Undue:
        today = self._moment(self.now.date(), at)
        if today > self.now:
            return today
        tomorrow = self._moment(self._tomorrow, at)
        later = self._moment(self.now.date(), _later_half(at))
        if is_bare and later > self.now:
            return Undue(why=UndueReason.TWO_WAYS, choices=(later, tomorrow))
        return Undue(why=UndueReason.PAST, choices=(tomorrow,))

    def _on(self, day: date) -> datetime | Undue:
        """The moment of a day that is known."""
        clock, part = self.said.clock, self.said.part
        if clock is None:
            return self._sometime(day)
        is_next_day = clock.ends_day or (part in _LATE and clock.at.hour < _SMALL - 1)
        if is_next_day:
            return self._moment(day + timedelta(days=1), clock.at)
        if part is not None:
            return self._moment(day, _in_part(clock.at, part))
        return self._moment(day, clock.at) if self._is_exact(clock) else self._either(day, clock)

    def _either(self, day: date, clock: NamedClock) -> datetime | Undue:
        """A time of either half of a day: of today the next, of another the likely one."""
        halves = tuple(self._moment(day, one) for one in _both_halves(clock.at))
        if day == self.now.date():
            return next((one for one in halves if one > self.now), halves[0])
        if 1 <= clock.at.hour <= _SMALL:
            return Undue(why=UndueReason.TWO_WAYS, choices=halves)
        return halves[0]

    def _sometime(self, day: date) -> datetime | Undue:
        """A moment of a day without a time: its morning, or that of the part that was named."""
        part, is_today = self.said.part, day == self.now.date()
        if part is None:
            if is_today:
                return Undue(why=UndueReason.UNSAID)
            return self._moment(day, _MORNING)
        due = self._moment(day, _HOURS[part])
        if due > self.now or not is_today:
            return due
        ends = _ENDS.get(part)
        is_over = ends is not None and self.now.time() >= ends
        return Undue(why=UndueReason.PAST if is_over else UndueReason.UNSAID)

    def _days(self, named: NamedDay) -> Sequence[date]:
        """The day that is meant, or the two that may be."""
        if named.away is not None:
            return [self.now.date() + timedelta(days=named.away)]
        if named.weekday is not None:
            return self._weekdays(named.weekday, named.weeks)
        if named.month is None:
            return [self._day_of_month(named.day or 0)]
        year = named.year or self.now.year
        day = date(year, named.month, named.day or 0)
        if named.year is None and day < self.now.date():
            day = date(year + 1, named.month, named.day or 0)
        return [day]

    def _weekdays(self, weekday: int, weeks: int | None) -> Sequence[date]:
        nearest = self.calendar.weekday(weekday).first
        if weeks:
            return [self.calendar.week(weeks).first + timedelta(days=weekday)]
        is_this_week = nearest <= self.calendar.week(0).last
        if weeks is None and is_this_week:
            return [nearest, nearest + timedelta(days=7)]
        return [nearest]

    def _day_of_month(self, day: int) -> date:
        """The next day with this number that there is."""
        month = self.now.date().replace(day=1)
        for ahead in range(3):
            first = _months_on(month, ahead)
            last = (_months_on(first, 1) - timedelta(days=1)).day
            if day <= last and first.replace(day=day) >= self.now.date():
                return first.replace(day=day)
        raise ValueError(day)

    @property
    def _tomorrow(self) -> date:
        return self.now.date() + timedelta(days=1)

    def _usual(self) -> time:
        clock = self.said.clock
        if clock is None:
            return _HOURS.get(self.said.part or DayPart.MORNING, _MORNING)
        return _in_part(clock.at, self.said.part) if self.said.part else clock.at

    def _is_exact(self, clock: NamedClock) -> bool:
        return clock.exact or self.in_24

    def _moment(self, day: date, at: time) -> datetime:
        return datetime.combine(day, at, tzinfo=self.now.tzinfo).astimezone(UTC)


def _in_part(at: time, part: DayPart) -> time:
    """A time of day in the part of the day that was named with it."""
    later = part in {DayPart.AFTERNOON, DayPart.EVENING} or (
        part is DayPart.NIGHT and at.hour >= _SMALL
    )
    if later and at.hour < 12:
        return at.replace(hour=at.hour + 12)
    return at.replace(hour=0) if part is DayPart.NIGHT and at.hour == 12 else at


def _both_halves(at: time) -> tuple[time, time]:
    """Six in the morning and in the evening for "6"; noon alone for "12"."""
    early = at.replace(hour=at.hour % 12) if at.hour != 12 else at
    return early, _later_half(early)


def _later_half(at: time) -> time:
    return at.replace(hour=at.hour % 12 + 12)


def _months_on(day: date, months: int) -> date:
    """So many months on, on the last day of a month that is too short."""
    place = day.year * 12 + day.month - 1 + months
    first = date(place // 12, place % 12 + 1, 1)
    after = date((place + 1) // 12, (place + 1) % 12 + 1, 1)
    return first.replace(day=min(day.day, (after - timedelta(days=1)).day))
