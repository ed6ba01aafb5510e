"""Relative dates in what people say, and the calendar days they mean; pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

from memory.language.expressions import LONGEST_SENTENCE, read_part
from memory.language.text import Language
from memory.language.times.calendar import ENGLISH_MONTHS, FRENCH_MONTHS
from memory.language.times.intervals import Asking, Grain
from memory.language.times.parser import SINCE_IT, FoundTime, times_in
from memory.language.times.tenses import has_subject, is_past
from memory.language.times.time_words import aligned
from memory.language.times.vocabulary import ENGLISH_DAY

GRACE = timedelta(days=7)
"""An event is still worth recalling for a week after its day: "how was Greece?"."""

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    """A text whose relative dates carry the absolute one, and the last day they mean.

    A day from which something goes on is none: "the rent goes to 805 from May" is never over.
    """

    text: str
    last: date | None


_TOWARDS = re.compile(
    r"\b(?:to|for|until|till|à|au|pour|jusqu'au?|pas avant|not before)\s$", re.IGNORECASE
)
"""Before a day that something was put to: "we moved it to friday"."""

_THANKS = re.compile(
    r"\b(?<!no )(?<!non )(?:thanks|thank you|thx|cheers|merci|bravo|congrats|congratulations"
    r"|félicitations)\b",
    re.IGNORECASE,
)
_SORRY = re.compile(r"\b(?:sorry|apologies|d[ée]sol[ée]e?s?|pardon|excuse[sz]?)\b", re.IGNORECASE)
"""What people thank for has been, and mostly what they are sorry for: "merci pour samedi"."""

_VERBLESS = 4
"""Words beside the day of a clause up to which it has hardly a verb of its own."""

_IS_ON = re.compile(r"\w['’]s (?:on )?$", re.IGNORECASE)
"""Before a day that something is on: "deadline's Friday"."""

_FROM = re.compile(r"\b(?:from|du|depuis|since)\b", re.IGNORECASE)

_GOES_ON = re.compile(
    r"\b(?:depuis|since|dès|from|as of|as from|starting|beginning|effective"
    r"|à (?:partir|compter)(?: d[eu])?)"
    r"(?: (?:le|la|les|the|on|ce|cet|this)| l')? ?$",
    re.IGNORECASE,
)
"""Before a day: what begins on it goes on after it."""

_CLAUSE_END = re.compile(
    r"[,;:.!?…]\s|\s(?:et|mais|donc|du coup|puis|que|ou|and|but|so|or|then)\s|\squ['’]"
    r"|\sthat\s(?=(?:I|we|he|she|they|it|you|the|there|his|her|my|our|their)\b)",
    re.IGNORECASE,
)
"""Where the tense may change."""

_SENTENCE_END = re.compile(r"[.?!…]\s")

_YEARLY = re.compile(r"\bnée?s?\b|\bborn\b", re.IGNORECASE)
"""A day of birth without its year is no day of this year."""

_BARE_DAY = re.compile(r"(?:on )?the \d{1,2}(?:st|nd|rd|th)|le \d{1,2}(?:er)?")
"""A day without its month."""

_TWO_WAYS = re.compile(rf"next (?:{ENGLISH_DAY})")
"""People mean two different days by it: the label says from which day they spoke."""


def dated(text: str, said_at: datetime, language: Language) -> Dated:
    """The text with the absolute date in parentheses after each relative one.

    `said_at` is aware, in the time zone the dates are meant in.
    """
    if _YEARLY.search(text):
        return Dated(text=text, last=None)
    now = said_at.replace(tzinfo=None)
    part = read_part(text, LONGEST_SENTENCE)
    lasts: list[date] = []
    for one in sorted(_meant(part, aligned(part), now), key=lambda found: -found.end):
        if not _goes_on(part, one):
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


def _meant(text: str, line: str, now: datetime) -> list[FoundTime]:
    """The days and longer that a line names, as the tense of their clause has them meant.

    What lasts since a day is since one gone by, whatever the tense. `text` is the line as it was
    written, sign for sign.
    """
    ahead = times_in(line, Asking(now=now, is_ahead=True))
    since = [SINCE_IT.search(line[: one.start]) is not None for one in ahead]
    gone = [is_since or _is_gone(text, one) for one, is_since in zip(ahead, since, strict=True)]
    back = {one.start: one for one in times_in(line, Asking(now=now))} if any(gone) else {}
    meant = (
        back.get(one.start, one) if is_gone else one
        for one, is_gone in zip(ahead, gone, strict=True)
    )
    found = [one for one in meant if _is_of_days(one, now)]
    return [_after(one, found[:at]) for at, one in enumerate(found)]


def _after(one: FoundTime, before: Sequence[FoundTime]) -> FoundTime:
    """A bare day in the month of the day told before it, where else it came earlier than that.

    "We fly on the 15th and are back on the 22nd", said on the 18th, is of one month.
    """
    days = [each.stretch.start for each in before if each.stretch.grain is Grain.DAY]
    if not days or not _BARE_DAY.fullmatch(one.words):
        return one
    start, last = one.stretch.start, max(days)
    if start >= last or start.day <= last.day:
        return one
    start = last + (start.day - last.day) * _DAY
    if start.month != last.month:
        return one
    return replace(one, stretch=replace(one.stretch, start=start, end=start + _DAY))


def _is_gone(text: str, one: FoundTime) -> bool:
    """Whether a time has gone by, as its own clause tells of it, or else its sentence."""
    start, end = _around(text, one, _CLAUSE_END)
    before, words = text[start : one.start], text[start:end]
    if _IS_ON.search(before):
        return False
    told = is_past(words, text)
    if told is None and _THANKS.search(before):
        return True
    if told is None and _SORRY.search(before):
        return _told_around(text, one) is not False
    if _TOWARDS.search(before) and not _FROM.search(before):
        return False
    is_short = len(words.split()) - len(one.words.split()) <= _VERBLESS
    if told is None and is_short and not has_subject(words, text):
        return _told_around(text, one) is True
    return told is True


def _told_around(text: str, one: FoundTime) -> bool | None:
    """Whether the sentence that a time stands in tells of what was."""
    start, end = _around(text, one, _SENTENCE_END)
    return is_past(text[start:end], text)


def _around(text: str, one: FoundTime, cuts: re.Pattern[str]) -> tuple[int, int]:
    """Where the clause or sentence of a text that a time stands in begins and ends."""
    before = max((cut.end() for cut in cuts.finditer(text, 0, one.start)), default=0)
    after = cuts.search(text, one.end)
    return before, after.start() if after else len(text)


def _goes_on(text: str, one: FoundTime) -> bool:
    """Whether what begins on a day has no end: "from 2 p.m. on Friday" has, and is of that day."""
    return _GOES_ON.search(text, 0, one.start) is not None and one.stretch.grain is not Grain.MOMENT


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
