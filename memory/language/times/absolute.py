"""Relative dates in French and English, and the calendar days they mean; pure."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from memory.language.expressions import LONGEST_SENTENCE, read_part
from memory.language.text import Language
from memory.language.times.calendar import (
    ENGLISH_DAYS,
    ENGLISH_MONTHS,
    FRENCH_DAYS,
    FRENCH_MONTHS,
    DaySpan,
    TimeContext,
)
from memory.language.times.vocabulary import amount_of, either, month_of

GRACE = timedelta(days=7)
"""An event is still worth recalling for a week after its day: "how was Greece?"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    """A text whose relative dates carry the absolute one, and the last day they mean."""

    text: str
    last: date | None


_Reading = Callable[[TimeContext, re.Match[str]], DaySpan | None]


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


def _away(reader: TimeContext, found: re.Match[str], sign: int) -> DaySpan:
    amount, unit = sign * amount_of(found["n"].lower()), found["unit"].lower()
    if unit.startswith(("jour", "day")):
        return reader.in_days(amount)
    if unit.startswith(("sem", "week")):
        return reader.week(amount)
    return reader.months_away(amount) if unit.startswith("mo") else reader.year(amount)


_NO_DATE = (
    r"(?! (?:the )?\d{1,2}(?:st|nd|rd|th)?\b(?! ?(?:h|:|am|pm|heures?|o'clock)))"
    rf"(?!,? (?:{either(ENGLISH_MONTHS)}) \d)"
)
"""Not followed by a day of the month, which says more than a weekday; an hour may follow."""

_FR_MONTH = rf"{either(FRENCH_MONTHS)}|fevrier|aout|decembre"
_FR_DAY = either(FRENCH_DAYS)
_FR_PART = r"(?: matin| midi| soir| après-midi| aprem)?"
_FR_N = r"(?P<n>\d{1,2}|une?|deux|trois|quatre)"
_FR_UNIT = r"(?P<unit>jours?|semaines?|mois|ans?|années?)"

_FRENCH: tuple[tuple[re.Pattern[str], _Reading], ...] = (
    (
        _pattern(rf"\ble (?P<d>\d{{1,2}}|1er) (?P<m>{_FR_MONTH})(?: (?P<y>\d{{4}}))?\b"),
        lambda r, f: r.month_day(int(f["d"].removesuffix("er")), month_of(f["m"]), f["y"]),
    ),
    (
        _pattern(r"\ble (?P<d>\d{1,2})/(?P<m>\d{1,2})(?:/(?P<y>\d{4}|\d\d))?\b"),
        lambda r, f: r.month_day(int(f["d"]), int(f["m"]), f["y"]),
    ),
    (_pattern(rf"\baprès-demain{_FR_PART}\b"), lambda r, _: r.in_days(2)),
    (_pattern(rf"\bavant-hier{_FR_PART}\b"), lambda r, _: r.in_days(-2)),
    (_pattern(rf"(?<!après-)\bdemain{_FR_PART}\b"), lambda r, _: r.in_days(1)),
    (_pattern(rf"(?<!avant-)\bhier{_FR_PART}\b"), lambda r, _: r.in_days(-1)),
    (
        _pattern(r"\b(?:aujourd'hui|ce soir|ce matin|cet après-midi|cette nuit|ce midi)\b"),
        lambda r, _: r.in_days(0),
    ),
    (_pattern(r"\bla semaine prochaine\b"), lambda r, _: r.week(1)),
    (_pattern(r"\bla semaine dernière\b"), lambda r, _: r.week(-1)),
    (_pattern(r"\bcette semaine\b"), lambda r, _: r.week(0)),
    (_pattern(r"\ble mois prochain\b"), lambda r, _: r.months_away(1)),
    (_pattern(r"\ble mois dernier\b"), lambda r, _: r.months_away(-1)),
    (_pattern(r"\bl'(?:année|an) prochaine?\b"), lambda r, _: r.year(1)),
    (_pattern(r"\bl'(?:année|an) derni(?:er|ère)\b"), lambda r, _: r.year(-1)),
    (_pattern(r"\ble week-?end prochain\b"), lambda r, _: r.weekend(1)),
    (_pattern(r"\ble week-?end dernier\b"), lambda r, _: r.weekend(-1)),
    (_pattern(r"\bce week-?end\b"), lambda r, _: r.weekend(0)),
    (_pattern(rf"\bdans {_FR_N} {_FR_UNIT}\b"), lambda r, f: _away(r, f, 1)),
    (_pattern(rf"\bil y a {_FR_N} {_FR_UNIT}\b"), lambda r, f: _away(r, f, -1)),
    (
        _pattern(rf"\b(?P<w>{_FR_DAY}) dernier\b|(?<=\bdepuis )(?P<s>{_FR_DAY})\b"),
        lambda r, f: TimeContext(today=r.today, past=True, language="fr").weekday(
            FRENCH_DAYS.index((f["w"] or f["s"]).lower())
        ),
    ),
    (
        _pattern(
            rf"(?<!\ble )(?<!\bles )(?<!chaque )\b(?P<w>{_FR_DAY})(?: prochain)?{_FR_PART}\b"
            rf"(?! dernier){_NO_DATE}"
        ),
        lambda r, f: r.weekday(FRENCH_DAYS.index(f["w"].lower())),
    ),
    (
        _pattern(rf"\ben (?P<m>{_FR_MONTH})\b(?! \d{{4}})(?: prochain)?"),
        lambda r, f: r.named_month(month_of(f["m"])),
    ),
)

_EN_MONTH = either(ENGLISH_MONTHS)
_EN_DAY = either(ENGLISH_DAYS)
_EN_PART = r"(?: morning| afternoon| evening| night)?"
_EN_N = r"(?P<n>\d{1,2}|an?|one|two|three|four)"
_EN_UNIT = r"(?P<unit>days?|weeks?|months?|years?)"

_ENGLISH: tuple[tuple[re.Pattern[str], _Reading], ...] = (
    (
        _pattern(
            rf"\b(?:on |the ){0, 2}(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<m>{_EN_MONTH})"
            r"(?:,? (?P<y>\d{4}))?\b"
        ),
        lambda r, f: r.month_day(int(f["d"]), month_of(f["m"]), f["y"]),
    ),
    (
        _pattern(
            rf"\b(?:on )?(?P<m>{_EN_MONTH}) (?:the )?(?P<d>\d{{1,2}})(?:st|nd|rd|th)?"
            r"(?:,? (?P<y>\d{4}))?\b"
        ),
        lambda r, f: r.month_day(int(f["d"]), month_of(f["m"]), f["y"]),
    ),
    (_pattern(r"\b(?:the )?day after tomorrow\b"), lambda r, _: r.in_days(2)),
    (_pattern(r"\b(?:the )?day before yesterday\b"), lambda r, _: r.in_days(-2)),
    (_pattern(rf"(?<!after )\btomorrow{_EN_PART}\b"), lambda r, _: r.in_days(1)),
    (_pattern(rf"(?<!before )\byesterday{_EN_PART}\b"), lambda r, _: r.in_days(-1)),
    (_pattern(r"\blast night\b"), lambda r, _: r.in_days(-1)),
    (
        _pattern(r"\b(?:today|tonight|this (?:morning|afternoon|evening))\b"),
        lambda r, _: r.in_days(0),
    ),
    (_pattern(r"\bnext week\b"), lambda r, _: r.week(1)),
    (_pattern(r"\blast week\b"), lambda r, _: r.week(-1)),
    (_pattern(r"\bthis week\b"), lambda r, _: r.week(0)),
    (_pattern(r"\bnext month\b"), lambda r, _: r.months_away(1)),
    (_pattern(r"\blast month\b"), lambda r, _: r.months_away(-1)),
    (_pattern(r"\bnext year\b"), lambda r, _: r.year(1)),
    (_pattern(r"\blast year\b"), lambda r, _: r.year(-1)),
    (_pattern(r"\bnext weekend\b"), lambda r, _: r.weekend(1)),
    (_pattern(r"\blast weekend\b"), lambda r, _: r.weekend(-1)),
    (_pattern(r"\bthis weekend\b"), lambda r, _: r.weekend(0)),
    (_pattern(rf"\bin {_EN_N} {_EN_UNIT}\b"), lambda r, f: _away(r, f, 1)),
    (_pattern(rf"\b{_EN_N} {_EN_UNIT} ago\b"), lambda r, f: _away(r, f, -1)),
    (
        _pattern(rf"\bnext (?P<w>{_EN_DAY})\b"),
        lambda r, _: DaySpan(
            first=r.today, last=r.today + timedelta(days=14), label=f"said {r.written(r.today)}"
        ),  # people mean two different days by it
    ),
    (
        _pattern(rf"(?:\blast |(?<=\bsince ))(?P<w>{_EN_DAY})\b"),
        lambda r, f: TimeContext(today=r.today, past=True, language="en").weekday(
            ENGLISH_DAYS.index(f["w"].lower())
        ),
    ),
    (
        _pattern(
            rf"(?<!next )(?<!last )(?<!every )\b(?:on |this )?(?P<w>{_EN_DAY}){_EN_PART}\b"
            rf"{_NO_DATE}"
        ),
        lambda r, f: r.weekday(ENGLISH_DAYS.index(f["w"].lower())),
    ),
    (
        _pattern(rf"\bin (?P<m>{_EN_MONTH})\b(?!,? \d{{4}})"),
        lambda r, f: r.named_month(month_of(f["m"])),
    ),
)

_PAST = _pattern(
    rf"\b(?:ai|a|ont|avons|suis|est|était|avait)\s+(?!(?:{_FR_DAY}|ici|aussi|lui)\b)(?:\w+(?:é|ée|és|ées|u|ue|is|it|ert|i|ie))\b"
    r"|\b(?:was|were|went|had|did|got|broke|bought|lost|met|left|quit|fell|won|\w{3,}ed)\b"
)
_STILL_TO_COME = _pattern(
    r"\b(?:is|am|are|will|needs?|wants?|must|remind|has to|have to|starts?|leaves?|flies|plans?"
    r"|va|vais|part|pars|doit|dois|rappeler|veut)\b|'(?:m|re|ll)\b"
)


_YEARLY = _pattern(r"\bnée?s?\b|\bborn\b")
"""A day of birth without its year is no day of this year."""


def dated(text: str, said_at: datetime, language: Language) -> Dated:
    """The text with the absolute date in parentheses after each relative one.

    `said_at` is aware, in the time zone the dates are meant in.
    """
    if _YEARLY.search(text):
        return Dated(text=text, last=None)
    past = bool(_PAST.search(text)) and not _STILL_TO_COME.search(text)
    reader = TimeContext(today=said_at.date(), past=past, language=language)
    spans = _spans(text, reader)
    for end, span in sorted(spans.items(), reverse=True):
        if span.label:
            text = f"{text[:end]} ({span.label}){text[end:]}"
    return Dated(text=text, last=max((span.last for span in spans.values()), default=None))


def time_left(said_at: datetime, last: date | None) -> timedelta | None:
    """How long a dated event is worth keeping; None without a date, or when it is past."""
    if last is None or last < said_at.date():
        return None
    end = datetime.combine(last + timedelta(days=1), time(), tzinfo=said_at.tzinfo)
    return end + GRACE - said_at


def _spans(text: str, reader: TimeContext) -> dict[int, DaySpan]:
    """Where each date expression ends, and what it means; the earlier pattern wins an overlap."""
    taken: list[tuple[int, int]] = []
    spans: dict[int, DaySpan] = {}
    for pattern, read in _FRENCH if reader.language == "fr" else _ENGLISH:
        for found in pattern.finditer(read_part(text, LONGEST_SENTENCE)):
            start, end = found.span()
            span = None if any(start < e and s < end for s, e in taken) else read(reader, found)
            if span is not None:
                taken.append((start, end))
                spans[end] = span
    return spans
