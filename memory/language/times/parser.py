"""The stretches of time that a question names in words or figures, French and English; pure."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

from memory.language.text import fold
from memory.language.times.intervals import Asking, Grain, Stretch
from memory.language.times.phrase_readings import Reading, unit_of
from memory.language.times.phrases import FEASTS, PHRASES
from memory.language.times.vocabulary import MONTHS, SEASONS, WEEKDAYS, either

_READ = 2_000
"""Characters read: a question is short, and a pasted log names hours of machines."""
_JOINED = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])|['`´]")
SINCE_IT = re.compile(r"\b(?:depuis|since)(?: (?:le|la|the|l))? $")
_AROUND = re.compile(
    r"\b(?:avant|before|until|till|jusqu (?:a|au|en)|apres|after|by)(?: (?:le|la|the|l|en))? $"
)
"""What comes before or after a date is not what happened on it."""
_NAMES_TIME = re.compile(
    rf"[0-9]|\b(?:{either([*WEEKDAYS, *MONTHS, *SEASONS])}|week|sem|mois|month|jour|day|an|l?annee"
    r"|year|yr|heure|hour|hr|minute|min|mn|we\b|demain|(?:avant)?hier|hyer|tod|tom|tm|yest|yday|ton|last"
    r"|night|nuit|soir|mat|morning|midi|noon|aprem|apres|afternoon|evening|auj|ajd|a?ujou?rd|tout"
    r"|other|autre|noel|nouvel|reveillon|xmas|christmas|new|halloween|saint|st|valentin)"
)
"""What every expression of time has one of, as it begins: most lines name no time at all."""


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
    for one in sorted(times_in(line, asking), key=lambda one: one.start):
        before = line[read : one.start]
        rest, read = f"{rest}{SINCE_IT.sub('', before)} ", one.end
        period = None if _AROUND.search(before) else _period(one.stretch, before, now, zone)
        if period is not None and period not in periods:
            periods.append(period)
    return TimesRead(periods=tuple(periods), rest=" ".join(f"{rest}{line[read:]}".split()))


def spelt_out(text: str) -> str:
    """A text folded, with hyphens and apostrophes as spaces, since people leave them out."""
    return " ".join(_JOINED.sub(" ", fold(text[:_READ])).split())


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundTime:
    """An expression of time where it stands in a folded line, and what it means.

    `unit` is the one it counts in, "" where it counts nothing; `has_year`: it names its year;
    `is_feast`: it names a day by what is kept on it.
    """

    start: int
    end: int
    words: str
    stretch: Stretch
    unit: str
    has_year: bool
    is_feast: bool


def times_in(line: str, asking: Asking) -> list[FoundTime]:
    """The expressions of time in a folded line; the earlier phrase wins an overlap."""
    if not _NAMES_TIME.search(line):
        return []
    taken: list[FoundTime] = []
    for pattern, read in PHRASES:
        for found in pattern.finditer(line):
            start, end = found.span()
            if any(start < one.end and one.start < end for one in taken):
                continue
            stretch = _stretch(read, asking, found)
            if stretch is not None:
                named = found.groupdict()
                taken.append(
                    FoundTime(
                        start=start,
                        end=end,
                        words=found[0],
                        stretch=stretch,
                        unit=unit_of(found) if named.get("unit") else "",
                        has_year=bool(named.get("y")),
                        is_feast=read in FEASTS,
                    )
                )
    return taken


def _stretch(read: Reading, asking: Asking, found: re.Match[str]) -> Stretch | None:
    try:
        return read(asking, found)
    except (ValueError, OverflowError):  # the 40th of May, 999 years ago
        return None


def _period(stretch: Stretch, before: str, now: datetime, zone: tzinfo) -> Period | None:
    start = _moment(stretch.start, zone)
    end = now.astimezone(UTC) if SINCE_IT.search(before) else _moment(stretch.end, zone)
    if end <= start:  # "since tomorrow"
        return None
    return Period(start=start, end=end, grain=stretch.grain)


def _moment(local: datetime, zone: tzinfo) -> datetime:
    return local.replace(tzinfo=zone).astimezone(UTC)
