"""Relative dates in what people say, and the calendar days they mean; pure."""

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from memory.language.expressions import LONGEST_SENTENCE, read_part
from memory.language.text import Language
from memory.language.times.calendar import ENGLISH_MONTHS, FRENCH_MONTHS
from memory.language.times.intervals import Asking, Grain
from memory.language.times.parser import SINCE_IT, FoundTime, times_in
from memory.language.times.time_words import aligned
from memory.language.times.vocabulary import ENGLISH_DAY, FRENCH_DAY

GRACE = timedelta(days=7)
"""An event is still worth recalling for a week after its day: "how was Greece?"."""

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    """A text whose relative dates carry the absolute one, and the last day they mean."""

    text: str
    last: date | None


_PAST = re.compile(
    rf"\b(?:ai|a|ont|avons|suis|est|était|avait)\s+(?!(?:{FRENCH_DAY}|ici|aussi|lui)\b)(?:\w+(?:é|ée|és|ées|u|ue|is|it|ert|i|ie))\b"
    r"|\b(?:was|were|went|had|did|got|broke|bought|lost|met|left|quit|fell|won|saw|came|took|gave|told|said|ate"
    r"|flew|drove|spent|made|\w{3,}ed)\b",
    re.IGNORECASE,
)
_STILL_TO_COME = re.compile(
    r"\b(?:is|am|are|will|needs?|wants?|must|remind|has to|have to|starts?|leaves?|flies|plans?"
    r"|va|vais|part|pars|doit|dois|rappeler|veut)\b|'(?:m|re|ll)\b",
    re.IGNORECASE,
)
_YEARLY = re.compile(r"\bnée?s?\b|\bborn\b", re.IGNORECASE)
"""A day of birth without its year is no day of this year."""

_TWO_WAYS = re.compile(rf"next (?:{ENGLISH_DAY})")
"""People mean two different days by it: the label says from which day they spoke."""

_SINCE = re.compile(r"\b(?:depuis|since)\b")


def dated(text: str, said_at: datetime, language: Language) -> Dated:
    """The text with the absolute date in parentheses after each relative one.

    `said_at` is aware, in the time zone the dates are meant in.
    """
    if _YEARLY.search(text):
        return Dated(text=text, last=None)
    now = said_at.replace(tzinfo=None)
    is_past = bool(_PAST.search(text)) and not _STILL_TO_COME.search(text)
    line = aligned(read_part(text, LONGEST_SENTENCE))
    lasts: list[date] = []
    for one in sorted(_meant(line, now, is_past=is_past), key=lambda found: -found.end):
        lasts.append(_last_day(one, now))
        if (label := _label(one, now, language)) is not None:
            text = f"{text[: one.end]} ({label}){text[one.end :]}"
    return Dated(text=text, last=max(lasts, default=None))


def time_left(said_at: datetime, last: date | None) -> timedelta | None:
    """How long a dated event is worth keeping; None without a date, or when it is past."""
    if last is None or last < said_at.date():
        return None
    end = datetime.combine(last + timedelta(days=1), time(), tzinfo=said_at.tzinfo)
    return end + GRACE - said_at


def _meant(line: str, now: datetime, *, is_past: bool) -> list[FoundTime]:
    """The days and longer that a line names, as its tense has them meant.

    What lasts since a day is since one gone by, whatever the tense.
    """
    found = times_in(line, Asking(now=now, is_ahead=not is_past))
    if is_past or not _SINCE.search(line):
        return [one for one in found if _is_of_days(one, now)]
    back = times_in(line, Asking(now=now))
    since = {one.start: one for one in back if SINCE_IT.search(line[: one.start])}
    meant = (since.get(one.start, one) for one in found)
    return [one for one in meant if _is_of_days(one, now)]


def _is_of_days(one: FoundTime, now: datetime) -> bool:
    """Whether it means days, weeks, months or a year of the calendar."""
    is_rolling = now in (one.stretch.start, one.stretch.end)
    is_season = one.is_feast or one.stretch.grain is Grain.SEASON
    return not is_rolling and not is_season and one.unit not in {"hour", "minute"}


def _last_day(one: FoundTime, now: datetime) -> date:
    if _TWO_WAYS.fullmatch(one.words):
        return now.date() + timedelta(days=14)
    if one.stretch.grain is Grain.MOMENT:
        return one.stretch.start.date()
    return (one.stretch.end - _DAY).date()


def _label(one: FoundTime, now: datetime, language: Language) -> str | None:
    """What it means as people of this language write it; None where it says its year itself."""
    if one.has_year:
        return None
    if _TWO_WAYS.fullmatch(one.words):
        return f"said {_written(now.date(), language)}"
    first, grain = one.stretch.start.date(), one.stretch.grain
    if grain is Grain.YEAR:
        return str(first.year)
    if grain is Grain.MONTH:
        names = FRENCH_MONTHS if language == "fr" else ENGLISH_MONTHS
        return f"{names[first.month - 1]} {first.year}"
    is_weekend = one.stretch.end - one.stretch.start == 2 * _DAY
    kind = "weekend" if is_weekend else "week" if grain is Grain.WEEK else "day"
    return _LABELS[language][kind].format(_written(first, language))


_LABELS = {
    "fr": {"day": "{}", "week": "semaine du {}", "weekend": "week-end du {}"},
    "en": {"day": "{}", "week": "week of {}", "weekend": "weekend of {}"},
}


def _written(day: date, language: Language) -> str:
    if language == "fr":
        return f"{day:%d/%m/%Y}"
    return f"{day.day} {ENGLISH_MONTHS[day.month - 1]} {day.year}"
