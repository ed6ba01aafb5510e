"""When a line was said, read from the forms that exports write times in; pure."""

import re
from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_UNIX = re.compile(r"\d{9,16}(?:\.\d{1,9})?")

_MILLISECONDS = 1e11
"""A Unix time past this is one of milliseconds: as seconds it is in the year 5138."""

_FIRST, _LAST = 1980, 2200
"""Years of talk: others come of a clock that was not set, or of a forged file."""

_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")

MONTHS = {name: number for number, name in enumerate(_NAMES, start=1)}
"""The numbers of months by the first letters of their English names."""


def moment(value: object) -> datetime:
    """A time in ISO 8601, or a Unix time in seconds or milliseconds; naive where it has no zone.

    Raises:
        ValueError: it is no time, or one that no talk is from.
        TypeError: it is neither text nor a number.
        OverflowError: it is out of reach.

    """
    if isinstance(value, str) and not _UNIX.fullmatch(value):
        return of_talk(datetime.fromisoformat(value.strip()))
    seconds = float(value)  # type: ignore[arg-type]
    seconds = seconds / 1000 if seconds >= _MILLISECONDS else seconds
    return of_talk(_EPOCH + timedelta(seconds=seconds))


def of_talk(at: datetime) -> datetime:
    """The same time.

    Raises:
        ValueError: no talk is from that year.

    """
    if not _FIRST <= at.year <= _LAST:
        raise ValueError("no talk is from that year")
    return at
