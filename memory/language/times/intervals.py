"""Stretches of local time, and what an expression means at the moment it is asked; pure."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum

from memory.language.times.calendar import DaySpan, TimeContext

_DAY = timedelta(days=1)
_HOURS = {
    "morning": (5, 12),
    "noon": (11, 14),
    "afternoon": (12, 18),
    "evening": (17, 27),
    "night": (18, 30),
}
"""First and last hour of each part of a day; past 24 it is the next morning."""
_SMALL_HOURS = 22
"""From this hour on, "cette nuit" is the night that begins."""
_FEAST_DAYS = {
    "christmas": (12, 24, 2),
    "new year": (12, 31, 2),
    "halloween": (10, 31, 1),
    "valentine": (2, 14, 1),
}
"""Month, day and number of days of what is kept each year."""


class Grain(StrEnum):
    """How exactly a period was named, which tells how far beside it something may still be."""

    MOMENT = "moment"
    """Hours: "ce matin", "an hour ago"."""
    DAY = "day"
    """A day or a weekend."""
    WEEK = "week"
    """Also a third of a month: "début juin"."""
    MONTH = "month"
    SEASON = "season"
    """Also a third of a year: "early 2023"."""
    YEAR = "year"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """From `start` to before `end`, in naive local time."""

    start: datetime
    end: datetime
    grain: Grain

    def beside(self, number: int, *, later: bool) -> "Stretch":
        """So many days just before this one, or just after it."""
        grain = Grain.DAY if number == 1 else Grain.WEEK
        length = number * _DAY
        if later:
            return Stretch(start=self.end, end=self.end + length, grain=grain)
        return Stretch(start=self.start - length, end=self.start, grain=grain)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """The moment of a question or a statement, naive and local.

    What words leave open is meant of the past, or of what is to come where it `is_ahead`.
    """

    now: datetime
    is_ahead: bool = False

    @property
    def nearest(self) -> TimeContext:
        """Reads calendar days in the direction that is meant."""
        return TimeContext(today=self.now.date(), past=not self.is_ahead)

    @property
    def past(self) -> TimeContext:
        """Reads calendar days backwards from today."""
        return TimeContext(today=self.now.date(), past=True)

    @property
    def to_come(self) -> TimeContext:
        """Reads calendar days forwards from today."""
        return TimeContext(today=self.now.date(), past=False)

    def days_away(self, days: int, part: str = "") -> Stretch:
        """The day so many days away, or a part of it."""
        return self.part_of(self.now.date() + days * _DAY, part)

    def part_of(self, day: date, part: str = "") -> Stretch:
        """A day, or its morning, noon, afternoon, evening or night."""
        if not part:
            return days(day, day, Grain.DAY)
        first, last = _HOURS[part]
        midnight = _midnight(day)
        return Stretch(
            start=midnight + timedelta(hours=first),
            end=midnight + timedelta(hours=last),
            grain=Grain.MOMENT,
        )

    def this_night(self) -> Stretch:
        """The night that has begun or is to come, or the last one."""
        is_coming = self.is_ahead or self.now.hour >= _SMALL_HOURS
        return self.days_away(0 if is_coming else -1, "night")

    def ago(self, amount: int, unit: str) -> Stretch:
        """So many units back (days, weeks, months, years, hours, minutes), in the unit's grain."""
        return self._away(-amount, unit) if unit in _CALENDAR else self._hours_ago(amount, unit)

    def ahead(self, amount: int, unit: str) -> Stretch | None:
        """So many days, weeks, months or years ahead; None for what is too near to be an event."""
        return self._away(amount, unit) if unit in _CALENDAR else None

    def rolling(self, amount: int, unit: str) -> Stretch:
        """From so many units back until now."""
        return Stretch(
            start=self.now - amount * _LENGTHS[unit], end=self.now, grain=_CALENDAR[unit]
        )

    def weekend(self) -> Stretch:
        """The weekend that has begun, the one to come, or the last one."""
        is_this = self.is_ahead or self.now.weekday() >= 5
        return of_span(self.past.weekend(0 if is_this else -1), Grain.DAY)

    def month(self, month: int, year: int | None = None) -> Stretch:
        """A month of a year, or the nearest."""
        span = self.past.month_of(year, month) if year else self.nearest.named_month(month)
        return of_span(span, Grain.MONTH)

    def last_month(self, month: int) -> Stretch:
        """The latest such month that is over."""
        is_now = month == self.now.month
        return self.month(month, self.now.year - 1 if is_now else None)

    def next_month(self, month: int) -> Stretch:
        """The next such month that has not begun."""
        return self.month(month, self.now.year + (month <= self.now.month))

    def third_of_month(self, third: int, month: int, year: int | None) -> Stretch:
        """The first, second or last ten days of a month."""
        whole = self.month(month, year)
        start = whole.start + 10 * third * _DAY
        end = whole.end if third == 2 else start + 10 * _DAY
        return Stretch(start=start, end=end, grain=Grain.WEEK)

    def third_of_year(self, third: int, year: int) -> Stretch:
        """The first, second or last four months of a year."""
        first = date(year, 1 + 4 * third, 1)
        last = self.past.month_of(year, 4 + 4 * third).last
        return days(first, last, Grain.SEASON)

    def year(self, year: int) -> Stretch:
        """A calendar year."""
        return days(date(year, 1, 1), date(year, 12, 31), Grain.YEAR)

    def season(self, first_month: int, year: int | None = None) -> Stretch:
        """A season of the year it begins in, or the latest that has begun."""
        begun = self.now.year - (first_month > self.now.month)
        year = year or begun
        third = year * 12 + first_month + 1  # December's third month is of the next year
        last = self.past.month_of(third // 12, third % 12 + 1).last
        return days(date(year, first_month, 1), last, Grain.SEASON)

    def last_season(self, first_month: int) -> Stretch:
        """The latest such season that is over."""
        latest = self.season(first_month)
        if latest.end <= self.now:
            return latest
        return self.season(first_month, latest.start.year - 1)

    def next_season(self, first_month: int) -> Stretch:
        """The next such season that has not begun."""
        return self.season(first_month, self.season(first_month).start.year + 1)

    def date(self, day: int, month: int, year: str | None) -> Stretch | None:
        """A calendar day, the nearest without a year; None where there is no such day."""
        span = self.nearest.month_day(day, month, year)
        return None if span is None else of_span(span, Grain.DAY)

    def day_of_month(self, day: int) -> Stretch | None:
        """The nearest day with this number, of this month or the one beside it."""
        is_behind = day < self.now.day if self.is_ahead else day <= self.now.day
        away = int(is_behind) if self.is_ahead else int(is_behind) - 1
        this = self.past.months_away(away)
        return self.date(day, this.first.month, str(this.first.year))

    def holiday(self, name: str, year: int | None = None) -> Stretch:
        """A yearly holiday, the latest that has begun without a year."""
        month, day, length = _FEAST_DAYS[name]
        first = date(year or self.now.year, month, day)
        if year is None and first > self.now.date():
            first = date(self.now.year - 1, month, day)
        return days(first, first + (length - 1) * _DAY, Grain.DAY)

    def _away(self, amount: int, unit: str) -> Stretch:
        reader = self.past
        match unit:
            case "day":
                return self.days_away(amount)
            case "week":
                return of_span(reader.week(amount), Grain.WEEK)
            case "month":
                return of_span(reader.months_away(amount), Grain.MONTH)
            case _:
                return of_span(reader.year(amount), Grain.YEAR)

    def _hours_ago(self, amount: int, unit: str) -> Stretch:
        """Around a moment: from half as long again back, to half as long."""
        length = amount * timedelta(**{f"{unit}s": 1})
        return Stretch(
            start=self.now - length * 3 / 2, end=self.now - length / 2, grain=Grain.MOMENT
        )


_CALENDAR = {
    "day": Grain.DAY,
    "week": Grain.WEEK,
    "month": Grain.MONTH,
    "year": Grain.YEAR,
}
_LENGTHS = {
    "day": _DAY,
    "week": 7 * _DAY,
    "month": 30 * _DAY,
    "year": 365 * _DAY,
}


def of_span(span: DaySpan, grain: Grain) -> Stretch:
    """The whole days of a span."""
    return days(span.first, span.last, grain)


def days(first: date, last: date, grain: Grain) -> Stretch:
    """From the first midnight to the one after the last day."""
    return Stretch(start=_midnight(first), end=_midnight(last + _DAY), grain=grain)


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day)  # noqa: DTZ001 - local time, a zone is put on it later
