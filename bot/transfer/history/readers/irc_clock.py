"""What time it is in a log of IRC: its lines name the hour, and few of them the day."""

import re
from datetime import datetime, time, timedelta

from bot.transfer.history.lines import PartName
from bot.transfer.history.moments import MONTHS, of_talk

STAMP = re.compile(
    r"\[?(?:(?P<date>\d{4}-\d\d-\d\d)[T ]|(?P<month>[A-Z][a-z]{2}) (?P<day>[ \d]?\d) )?"
    r"(?P<clock>\d\d:\d\d(?::\d\d)?)(?:\.\d{1,6})?(?P<zone>Z|[+-]\d\d:?\d\d)?\]?(?P<rest>[ \t].*)"
)
"""A line with a clock, and all that stands before it and behind."""

NEW_DAY = re.compile(
    r"(?:--- Log opened|--- Day changed|\*\*\*\* BEGIN LOGGING AT|Session (?:Start|Time):) "
    r"[A-Z][a-z]{2} (?P<month>[A-Z][a-z]{2}) +(?P<day>\d{1,2})(?: (?P<clock>\d\d:\d\d(?::\d\d)?))? "
    r"(?P<year>\d{4})"
)
"""A line of the log itself that names the day."""

_DAY_IN_NAME = re.compile(r"(20\d\d|19\d\d)-?([01]\d)-?([0-3]\d)")

_HALF_A_YEAR = 6
_HALF_A_DAY = timedelta(hours=12)


class LogClock:
    """The time that a log has come to."""

    def __init__(self, part: PartName) -> None:
        self._at = _day_of(part)

    @property
    def now(self) -> datetime:
        """When the last line was said.

        Raises:
            ValueError: no day is known.

        """
        return of_talk(self._at)

    def begin_day(self, found: re.Match[str]) -> None:
        """Go on from a line of the log that names the day.

        Raises:
            ValueError: there is no such day.
            KeyError: there is no such month.

        """
        day = _day(int(found["year"]), found["month"], int(found["day"]))
        self._at = datetime.combine(day, time.fromisoformat(found["clock"] or "00:00"))

    def move_to(self, found: re.Match[str]) -> datetime:
        """When a line was said: past midnight the day goes on, a clock set back stays on its day.

        Raises:
            ValueError: there is no such time, or no day is known.
            KeyError: there is no such month.
            OverflowError: no calendar has a day after this one.

        """
        clock = time.fromisoformat(found["clock"])
        if found["date"]:
            self._at = of_talk(datetime.fromisoformat(f"{found['date']} {found['clock']}"))
            return datetime.fromisoformat(f"{self._at.isoformat()}{found['zone'] or ''}")
        if found["month"]:
            self._at = datetime.combine(self._day(found["month"], int(found["day"])), clock)
        else:
            then = datetime.combine(self._at, clock)
            self._at = then + timedelta(days=1) if self._at - then > _HALF_A_DAY else then
        return self.now

    def _day(self, month: str, day: int) -> datetime:
        """A day without its year: in January December was last year, and the other way round."""
        ahead = self._at.month - MONTHS[month.lower()]
        year = self._at.year + (ahead > _HALF_A_YEAR) - (ahead < -_HALF_A_YEAR)
        return _day(year, month, day)


def _day(year: int, month: str, day: int) -> datetime:
    return datetime(year, MONTHS[month.lower()], day)  # noqa: DTZ001 - logs name no zone


def _day_of(part: PartName) -> datetime:
    """The day in the name of a log, or else the one on which it was last written to."""
    found = _DAY_IN_NAME.search(part.rpartition("/")[2])
    try:
        if found:
            return datetime(int(found[1]), int(found[2]), int(found[3]))  # noqa: DTZ001 - the same
    except ValueError:
        pass
    return datetime.combine(part.changed_at, time())
