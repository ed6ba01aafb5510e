"""The stretches of time that a question names in words or figures, French and English; pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

from memory.language.text import fold
from memory.language.times.intervals import Asking, Grain, Stretch
from memory.language.times.phrases import PHRASES, Reading

_READ = 2_000
"""Characters read: a question is short, and a pasted log names hours of machines."""
_JOINED = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])|['`´]")
_SINCE = re.compile(r"\b(?:depuis|since)(?: (?:le|la|the|l))? $")
_AROUND = re.compile(
    r"\b(?:avant|before|until|till|jusqu (?:a|au|en)|apres|after|by)(?: (?:le|la|the|l|en))? $"
)
"""What comes before or after a date is not what happened on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """A stretch of time from `start` to before `end`, aware and in UTC."""

    start: datetime
    end: datetime
    grain: Grain


@dataclass(frozen=True, slots=True, kw_only=True)
class TimesRead:
    """The periods of a text in order, and the rest of it: folded, without the words of time."""

    periods: tuple[Period, ...]
    rest: str


def read_times(text: str, now: datetime, zone: tzinfo) -> TimesRead:
    """What a text says about when, each period once, and what it says beside them.

    `now` is aware. The past is meant where words leave it open: a month without a year is the
    latest that has begun. Nothing is read into "before" and "after".
    """
    line = spelt_out(text)
    asking = Asking(now=now.astimezone(zone).replace(tzinfo=None))
    periods: list[Period] = []
    rest, read = "", 0
    for start, end, stretch in sorted(_found(line, asking), key=lambda one: one[0]):
        before = line[read:start]
        rest, read = f"{rest}{_SINCE.sub('', before)} ", end
        period = None if _AROUND.search(before) else _period(stretch, before, now, zone)
        if period is not None and period not in periods:
            periods.append(period)
    return TimesRead(periods=tuple(periods), rest=" ".join(f"{rest}{line[read:]}".split()))


def spelt_out(text: str) -> str:
    """A text folded, with hyphens and apostrophes as spaces, since people leave them out."""
    return " ".join(_JOINED.sub(" ", fold(text[:_READ])).split())


def _found(line: str, asking: Asking) -> Iterator[tuple[int, int, Stretch]]:
    """Where each expression stands and what it means; the earlier phrase wins an overlap."""
    taken: list[tuple[int, int]] = []
    for pattern, read in PHRASES:
        for found in pattern.finditer(line):
            start, end = found.span()
            if any(start < e and s < end for s, e in taken):
                continue
            stretch = _stretch(read, asking, found)
            if stretch is not None:
                taken.append((start, end))
                yield start, end, stretch


def _stretch(read: Reading, asking: Asking, found: re.Match[str]) -> Stretch | None:
    try:
        return read(asking, found)
    except (ValueError, OverflowError):  # the 40th of May, 999 years ago
        return None


def _period(stretch: Stretch, before: str, now: datetime, zone: tzinfo) -> Period | None:
    start = _moment(stretch.start, zone)
    end = now.astimezone(UTC) if _SINCE.search(before) else _moment(stretch.end, zone)
    if end <= start:  # "since tomorrow"
        return None
    return Period(start=start, end=end, grain=stretch.grain)


def _moment(local: datetime, zone: tzinfo) -> datetime:
    return local.replace(tzinfo=zone).astimezone(UTC)
