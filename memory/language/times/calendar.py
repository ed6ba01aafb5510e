"""The days that a relative date means, seen from the day it was said on; pure."""

from dataclasses import dataclass
from datetime import date, timedelta

FRENCH_DAYS = ("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche")
ENGLISH_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
FRENCH_MONTHS = (
    *("janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre"),
    *("octobre", "novembre", "décembre"),
)
ENGLISH_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DaySpan:
    """The days an expression means."""

    first: date
    last: date


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeContext:
    """The day from which an expression is read, and in which direction."""

    today: date
    past: bool

    def in_days(self, days: int) -> DaySpan:
        """The day so many days away."""
        day = self.today + timedelta(days=days)
        return DaySpan(first=day, last=day)

    def weekday(self, index: int) -> DaySpan:
        """The next such weekday, or the last one when the past is told; 0 is Monday."""
        ahead = (index - self.today.weekday()) % 7 or 7
        return self.in_days(ahead - 7 if self.past and ahead != 7 else -7 if self.past else ahead)

    def week(self, weeks: int) -> DaySpan:
        """The week so many weeks away."""
        monday = self.today + timedelta(days=7 * weeks - self.today.weekday())
        return DaySpan(first=monday, last=monday + timedelta(days=6))

    def weekend(self, weeks: int) -> DaySpan:
        """The weekend of the week so many weeks away."""
        saturday = self.today + timedelta(days=7 * weeks + 5 - self.today.weekday())
        return DaySpan(first=saturday, last=saturday + timedelta(days=1))

    def months_away(self, months: int) -> DaySpan:
        """The month so many months away."""
        place = self.today.year * 12 + self.today.month - 1 + months
        return self.month_of(place // 12, place % 12 + 1)

    def month_of(self, year: int, month: int) -> DaySpan:
        """One month of one year."""
        first = date(year, month, 1)
        last = date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)
        return DaySpan(first=first, last=last)

    def named_month(self, month: int) -> DaySpan:
        """The nearest such month, in the direction of the sentence."""
        year = self.today.year
        if self.past:
            return self.month_of(year - (month > self.today.month), month)
        return self.month_of(year + (month < self.today.month), month)

    def year(self, years: int) -> DaySpan:
        """The year so many years away."""
        year = self.today.year + years
        return DaySpan(first=date(year, 1, 1), last=date(year, 12, 31))

    def month_day(self, day: int, month: int, year: str | None) -> DaySpan | None:
        """A day of a month, the nearest without a year; None where there is no such day."""
        try:
            if year:
                full = date(int(year) + (2000 if len(year) == 2 else 0), month, day)
                return DaySpan(first=full, last=full)
            nearest = self._nearest(date(self.today.year, month, day))
            return DaySpan(first=nearest, last=nearest)
        except ValueError:  # the 31st of February
            return None

    def _nearest(self, day: date) -> date:
        if self.past and day > self.today:
            return day.replace(year=day.year - 1)
        if not self.past and day < self.today:
            return day.replace(year=day.year + 1)
        return day
