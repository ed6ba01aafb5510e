"""The days that a relative date means, seen from the day it was said on; pure."""

from dataclasses import dataclass
from datetime import date, timedelta

from memory.language.text import Language

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
    """The days an expression means, and how they are written; no label when it says so itself."""

    first: date
    last: date
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeContext:
    """The moment and the language in which an expression is read."""

    today: date
    past: bool
    language: Language

    def day(self, day: date) -> DaySpan:
        """One day."""
        return DaySpan(first=day, last=day, label=self.written(day))

    def in_days(self, days: int) -> DaySpan:
        """The day so many days away."""
        return self.day(self.today + timedelta(days=days))

    def weekday(self, index: int) -> DaySpan:
        """The next such weekday, or the last one when the past is told; 0 is Monday."""
        ahead = (index - self.today.weekday()) % 7 or 7
        return self.in_days(ahead - 7 if self.past and ahead != 7 else -7 if self.past else ahead)

    def week(self, weeks: int) -> DaySpan:
        """The week so many weeks away."""
        monday = self.today + timedelta(days=7 * weeks - self.today.weekday())
        text = "semaine du" if self.language == "fr" else "week of"
        last = monday + timedelta(days=6)
        return DaySpan(first=monday, last=last, label=f"{text} {self.written(monday)}")

    def weekend(self, weeks: int) -> DaySpan:
        """The weekend of the week so many weeks away."""
        saturday = self.today + timedelta(days=7 * weeks + 5 - self.today.weekday())
        text = "week-end du" if self.language == "fr" else "weekend of"
        last = saturday + timedelta(days=1)
        return DaySpan(first=saturday, last=last, label=f"{text} {self.written(saturday)}")

    def months_away(self, months: int) -> DaySpan:
        """The month so many months away."""
        place = self.today.year * 12 + self.today.month - 1 + months
        return self.month_of(place // 12, place % 12 + 1)

    def month_of(self, year: int, month: int) -> DaySpan:
        """One month of one year."""
        first = date(year, month, 1)
        last = date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)
        names = FRENCH_MONTHS if self.language == "fr" else ENGLISH_MONTHS
        return DaySpan(first=first, last=last, label=f"{names[month - 1]} {year}")

    def named_month(self, month: int) -> DaySpan:
        """The nearest such month, in the direction of the sentence."""
        year = self.today.year
        if self.past:
            return self.month_of(year - (month > self.today.month), month)
        return self.month_of(year + (month < self.today.month), month)

    def year(self, years: int) -> DaySpan:
        """The year so many years away."""
        year = self.today.year + years
        return DaySpan(first=date(year, 1, 1), last=date(year, 12, 31), label=str(year))

    def month_day(self, day: int, month: int, year: str | None) -> DaySpan | None:
        """A day of a month, the nearest without a year; None where there is no such day."""
        try:
            if year:
                full = int(year) + (2000 if len(year) == 2 else 0)
                return DaySpan(first=date(full, month, day), last=date(full, month, day))
            return self.day(self._nearest(date(self.today.year, month, day)))
        except ValueError:  # the 31st of February
            return None

    def _nearest(self, day: date) -> date:
        if self.past and day > self.today:
            return day.replace(year=day.year - 1)
        if not self.past and day < self.today:
            return day.replace(year=day.year + 1)
        return day

    def written(self, day: date) -> str:
        """A day as people of this language write it."""
        if self.language == "fr":
            return f"{day:%d/%m/%Y}"
        return f"{day.day} {ENGLISH_MONTHS[day.month - 1]} {day.year}"
