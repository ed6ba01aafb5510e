"""How people name a moment to come in French and English, folded and without apostrophes; pure."""

import re
from collections.abc import Callable, Mapping
from datetime import time, timedelta

from memory.language.times.named_times import (
    DayPart,
    NamedClock,
    NamedDay,
    TimeValue,
    Vague,
    Wait,
)
from memory.language.times.vocabulary import (
    AMOUNTS,
    ENGLISH_DAY,
    ENGLISH_MONTH,
    FRENCH_DAY,
    FRENCH_MONTH,
    SHORT_DAY,
    WEEKDAYS,
    either,
    month_of,
)

_MORE_AMOUNTS = {
    "quarante": 40,
    "quarante cinq": 45,
    "cinquante": 50,
    "soixante": 60,
    "vingt cinq": 25,
    "forty": 40,
    "forty five": 45,
    "fifty": 50,
    "sixty": 60,
    "twenty five": 25,
    "a couple of": 2,
    "a few": 3,
}
_NUMBERS: Mapping[str, int] = {**AMOUNTS, **_MORE_AMOUNTS}
_N = rf"(?P<n>[0-9]{{1,4}}(?:[.,]5)?|{either(_NUMBERS)})"
_UNITS = {
    "second": r"secondes?|secs?|seconds?|s",
    "minute": r"minutes?|mins?|mn",
    "hour": r"heures?|hours?|hrs?|h",
    "day": r"jours?|j|days?|d",
    "week": r"semaines?|sem|weeks?|wks?",
    "fortnight": r"fortnights?|quinzaines?",
    "month": r"mois|months?",
    "year": r"ans?|annees?|years?|yrs?",
}
_UNIT = "|".join(f"(?P<{name}>{words})" for name, words in _UNITS.items())
_ANY_N = rf"(?:[0-9]{{1,4}}|{either(_NUMBERS)})"
_ANY_UNIT = rf"(?:{'|'.join(_UNITS.values())})"
_LENGTHS = {"second": 1, "minute": 60, "hour": 3600}
_IN = r"(?:in|dans|within|d ici|after|apres)(?: (?:about|around|exactly|environ|a peu pres))?"
_FROM_NOW = r"(?: from now| later| plus tard)?"


def _amount(text: str) -> float:
    return _NUMBERS[text] if text in _NUMBERS else float(text.replace(",", "."))


def _wait(found: re.Match[str]) -> Wait | None:
    amount = _amount(found["n"])
    unit = next(name for name in _UNITS if found[name])
    if unit in _LENGTHS:
        return Wait(length=timedelta(seconds=amount * _LENGTHS[unit]))
    whole = int(amount)
    match unit:
        case "day":
            return Wait(days=whole)
        case "week":
            return Wait(days=7 * whole)
        case "fortnight":
            return Wait(days=14 * whole)
        case "month":
            return Wait(months=whole)
        case _:
            return Wait(months=12 * whole)


def _hours_and(found: re.Match[str]) -> Wait:
    """As "1h30", "two hours and fifteen minutes", "une heure et demie"."""
    minutes = 30 if found["half"] else 15 if found["quarter"] else int(_amount(found["m"]))
    return Wait(length=timedelta(hours=_amount(found["n"]), minutes=minutes))


def _of_an_hour(minutes: int) -> Callable[[re.Match[str]], Wait]:
    return lambda _: Wait(length=timedelta(minutes=minutes))


def _figures(found: re.Match[str]) -> NamedDay:
    """Day and month, the other way round where that is the only way it can be a date."""
    day, month = int(found["d"]), int(found["m"])
    if month > 12 >= day:
        day, month = month, day
    year = found.groupdict().get("y")
    full = None if year is None else int(year) + (2000 if len(year) == 2 else 0)
    return NamedDay(year=full, month=month, day=day)


def _written_day(found: re.Match[str]) -> NamedDay:
    day = 1 if found["d"] in {"1er", "premier", "1st", "first"} else int(found["d"])
    year = None if found["y"] is None else int(found["y"])
    return NamedDay(year=year, month=month_of(found["month"]), day=day)


def _next_day(found: re.Match[str]) -> NamedDay:
    """As "next friday", which is this week's to some and the next one's to others."""
    return NamedDay(weekday=WEEKDAYS[found["day"] or found["fr"]], weeks=None)


def _this_day(found: re.Match[str]) -> NamedDay:
    return NamedDay(weekday=WEEKDAYS[found["day"] or found["short"]])


def _away(days: int) -> Callable[[re.Match[str]], NamedDay]:
    return lambda _: NamedDay(away=days)


def _in_figures(found: re.Match[str]) -> NamedClock:
    """As "18:30", "18h", "6.30 pm", "at 6"."""
    named = found.groupdict()
    hour, minute = int(found["h"]), int(named.get("min") or 0)
    half = (named.get("half") or "").replace(".", "").replace(" ", "")
    is_24 = found["h"].startswith("0") or named.get("sep") == "h"
    if half in {"am", "pm"} and 13 <= hour <= 23:
        half = ""
    return clock_of(hour, minute, half=half, is_24=is_24)


def clock_of(hour: int, minute: int, *, half: str = "", is_24: bool = False) -> NamedClock:
    """The time of day of an hour and a minute; `half` is "am", "pm" or "" for unsaid."""
    if hour > 24 or minute > 59 or (hour == 24 and minute) or (half and not 1 <= hour <= 12):
        return NamedClock(impossible=True)
    if half:
        return NamedClock(at=time(hour % 12 + (12 if half == "pm" else 0), minute))
    exact = is_24 or hour > 12 or hour == 0
    return NamedClock(
        at=time(hour % 24, minute),
        exact=exact,
        is_bare=is_24 and 1 <= hour <= 12,
        ends_day=hour == 24,
    )


def _in_words(found: re.Match[str]) -> NamedClock:
    """As "half past six", "quarter to 7", "six heures et demie", "seven o'clock"."""
    named = found.groupdict()
    hour = int(_amount(found["n"]))
    minute = 0
    if named.get("past"):
        minute = {"half": 30, "quarter": 15}.get(found["past"]) or int(_amount(found["past"]))
    if named.get("to"):
        minute = 60 - (15 if found["to"] == "quarter" else int(_amount(found["to"])))
        hour -= 1
    if named.get("and"):
        minute = {"demie": 30, "demi": 30, "quart": 15}.get(found["and"]) or int(
            _amount(found["and"])
        )
    if named.get("less"):
        less = found["less"]
        minute = 60 - (15 if less.endswith("quart") else int(_amount(less)))
        hour -= 1
    return clock_of(hour, minute, is_24="heure" in found[0] or found[0].endswith(" h"))


def _in_words_half(found: re.Match[str]) -> NamedClock:
    half = (found["half"] or "").replace(".", "")
    return clock_of(int(_amount(found["n"])), 0, half=half)


def _spelt_out(found: re.Match[str]) -> NamedClock:
    return clock_of(int(_amount(found["n"])), int(_amount(found["and"])) if found["and"] else 0)


def _noon(found: re.Match[str]) -> NamedClock:
    half = 30 if found["half"] else 0
    return NamedClock(
        at=time(0 if found["midnight"] else 12, half), ends_day=bool(found["midnight"])
    )


def _constant(value: TimeValue) -> Callable[[re.Match[str]], TimeValue]:
    return lambda _: value


_AT = r"(?:(?:at|@|a|by|around|vers|pour|for|avant|before|until|from|des)(?: les)? )?"
_ON = r"(?:(?:on|for|by|pour|de|du|des|d|avant|before|from) )?(?:the |le |ce |this )?"
_YEAR = r"(?P<y>20[0-9]{2})"
_DAY_OF = r"(?P<d>[0-3]?[0-9])"
_HALF = r"(?P<half>a\.?m\.?|p\.?m\.?)"
_OR_DAY = rf"(?P<day>{FRENCH_DAY}|{ENGLISH_DAY}|{SHORT_DAY})"
_LONG_DAY = rf"(?P<day>{FRENCH_DAY}|{ENGLISH_DAY})"
_EVERY_DAY = rf"(?:{FRENCH_DAY}|{ENGLISH_DAY})s?"
_SMALL = either([one for one, amount in _NUMBERS.items() if 0 < amount <= 12 and " " not in one])
_HOUR = rf"(?P<n>[01]?[0-9]|2[0-4]|{_SMALL}|midi)"
_MIN = either([one for one, amount in _NUMBERS.items() if 5 <= amount < 60])


def _pattern(pattern: str, read: Callable[[re.Match[str]], TimeValue | None]) -> "_Pattern":
    return re.compile(rf"(?<![\w/:.,+-])(?:{pattern})(?!\w)"), read


_Pattern = tuple[re.Pattern[str], Callable[[re.Match[str]], TimeValue | None]]

PATTERNS: tuple[_Pattern, ...] = (
    _pattern(
        rf"(?:every|each|chaque) (?:other )?(?:[0-9]{{1,3}} )?(?:day|jour|morning|matin|evening"
        rf"|soir|night|nuit|week|semaine|month|mois|year|hour|hours|heure|minute|minutes|weekday"
        rf"|{_EVERY_DAY})s?|(?:tous|toutes) les (?:[0-9]{{1,3}} )?(?:jours?|matins?|soirs?"
        r"|semaines?"
        rf"|mois|ans|heures?|minutes?|{_EVERY_DAY})|daily|weekly|monthly|hourly|tout le temps"
        rf"|regulierement|regularly",
        _constant(Vague.REPEATED),
    ),
    _pattern(
        rf"{_IN} (?:half an? hour|a half hour|une demi heure|1/2 ?h){_FROM_NOW}", _of_an_hour(30)
    ),
    _pattern(rf"{_IN} (?:a quarter of an hour|un quart d heure|1/4 d heure)", _of_an_hour(15)),
    _pattern(rf"{_IN} (?:three quarters of an hour|trois quarts d heure)", _of_an_hour(45)),
    _pattern(
        rf"{_IN} {_N} ?(?:heures?|hours?|hrs?|h)(?:(?:,? (?:and|et))? ?(?:(?P<half>a half"
        rf"|demie?)|(?P<quarter>a quarter|quart)"
        rf"|(?P<m>[0-9]{{1,2}}|{_MIN})(?: ?(?:minutes?|mins?|mn|m))?))",
        _hours_and,
    ),
    _pattern(rf"{_IN} {_N} ?(?:{_UNIT})(?: time)?", _wait),
    _pattern(rf"{_N} ?(?:{_UNIT}) (?:from now|later|plus tard)", _wait),
    _pattern(rf"{_ON}{_YEAR} (?P<m>[01][0-9]) {_DAY_OF}", _figures),
    _pattern(rf"{_ON}{_DAY_OF}[/.](?P<m>[0-3]?[0-9])[/.](?P<y>20[0-9]{{2}}|[0-9]{{2}})", _figures),
    _pattern(rf"(?:on |le |for |pour le |by ){_DAY_OF}/(?P<m>[0-3]?[0-9])", _figures),
    _pattern(
        rf"{_ON}(?:(?:{FRENCH_DAY}|{ENGLISH_DAY}),? (?:the )?)?(?P<d>[0-3]?[0-9]|1er|premier)"
        rf"(?:st|nd|rd|th)?(?: of)? (?P<month>{FRENCH_MONTH}|{ENGLISH_MONTH})(?:,? {_YEAR})?",
        _written_day,
    ),
    _pattern(
        rf"{_ON}(?:{ENGLISH_DAY},? )?(?P<month>{ENGLISH_MONTH}) (?:the )?{_DAY_OF}"
        rf"(?:st|nd|rd|th)?(?![0-9]|:)(?:,? {_YEAR})?",
        _written_day,
    ),
    _pattern(
        r"(?:on the|by the|the) (?P<d>[0-3]?[0-9])(?:st|nd|rd|th)|(?:pour )?le (?P<le>[0-3]?[0-9])"
        r"(?! ?(?:h|heures?|:))",
        lambda found: NamedDay(day=int(found["d"] or found["le"])),
    ),
    _pattern(rf"{_ON}(?:apres demain|apr demain)|(?:the )?day after tomorrow", _away(2)),
    _pattern(rf"{_ON}(?:demain|tomorrow|tomorow|tommorow|tommorrow|tmrw|tmr|2moro)", _away(1)),
    _pattern(
        r"(?:avant )?hier|(?:the day before )?yesterday|last (?:night|week|month|year|"
        rf"{ENGLISH_DAY})|(?:la semaine|le mois|{FRENCH_DAY}) (?:derniere?|passee?)|il y a"
        rf" {_ANY_N} {_ANY_UNIT}|{_ANY_N} {_ANY_UNIT} ago",
        _constant(NamedDay(past=True)),
    ),
    _pattern(r"(?:later )?(?:today|aujourd ?hui|auj|ajd)", _away(0)),
    *(
        _pattern(
            rf"{_ON}(?:later )?(?:{words})",
            _constant(NamedDay(away=0, part=part)),
        )
        for part, words in (
            (DayPart.MORNING, "(?:this|ce) (?:morning|matin)"),
            (DayPart.NOON, "ce midi"),
            (DayPart.AFTERNOON, "this afternoon|cet?(?:te)? (?:apres midi|aprem|apres m)"),
            (DayPart.EVENING, "tonight|tonite|this evening|ce soir"),
            (DayPart.NIGHT, "cette nuit"),
        )
    ),
    _pattern(
        rf"{_ON}(?P<fr>{FRENCH_DAY}) (?:de la semaine prochaine|en huit)|{_ON}(?:next week(?: on)?"
        rf"|la semaine prochaine,?) {_LONG_DAY}|{_ON}(?P<en>{ENGLISH_DAY}) next week",
        lambda found: NamedDay(
            weekday=WEEKDAYS[found["day"] or found["fr"] or found["en"]], weeks=1
        ),
    ),
    _pattern(rf"{_ON}next {_OR_DAY}|{_ON}(?P<fr>{FRENCH_DAY}) (?:prochain|qui vient)", _next_day),
    _pattern(rf"{_ON}{_LONG_DAY}|(?:on|this|by) (?P<short>{SHORT_DAY})", _this_day),
    _pattern(
        r"(?:la )?semaine prochaine|next (?:week|month|year)|(?:le )?mois prochain"
        r"|(?:l )?an(?:nee)? prochaine?|(?:ce|this|next|le|the) week ?end"
        r"|(?:le )?week ?end prochain"
        r"|bientot|soon"
        r"|plus tard|later|tout a l heure|un de ces jours|some ?day|one day|sometime",
        _constant(Vague.LOOSE),
    ),
    _pattern(
        rf"{_AT}half (?:past )?{_HOUR}",
        lambda found: clock_of(int(_amount(found["n"])), 30),
    ),
    _pattern(rf"{_AT}(?:a )?(?P<past>quarter|{_MIN}) (?:minutes )?past {_HOUR}", _in_words),
    _pattern(rf"{_AT}(?:a )?(?P<to>quarter|{_MIN}) (?:minutes )?to {_HOUR}", _in_words),
    _pattern(rf"{_AT}{_HOUR} o ?clock(?: {_HALF})?", _in_words_half),
    _pattern(
        rf"{_AT}{_HOUR} ?(?:heures?|h) (?:(?:et )?(?P<and>demie?|quart|{_MIN})"
        rf"|moins (?:le |un )?(?P<less>quart|{_MIN}))",
        _in_words,
    ),
    _pattern(rf"{_AT}{_HOUR} heures?(?: pile)?", _in_words),
    _pattern(
        rf"{_AT}(?P<h>[0-9]{{1,2}}) ?(?P<sep>[:h.]|heures?) ?(?P<min>[0-9]{{2}})"
        rf"(?::[0-9]{{2}})?(?: ?{_HALF})?",
        _in_figures,
    ),
    _pattern(rf"{_AT}(?P<h>[0-9]{{1,2}}) ?(?P<sep>h)(?: pile)?", _in_figures),
    _pattern(rf"{_AT}(?P<h>[0-9]{{1,2}}) ?{_HALF}", _in_figures),
    _pattern(
        r"(?:at|@|by|around|vers|pour|a) (?P<h>[0-9]{1,2})"
        r"(?! ?(?:[0-9%$€]|euros?|people|personnes|days|jours|min|fois|times))",
        _in_figures,
    ),
    _pattern(rf"(?:at|by|around) (?P<n>{_SMALL})(?: (?P<and>thirty|fifteen))?", _spelt_out),
    _pattern(
        rf"{_AT}(?:midi|noon|midday|(?P<midnight>minuit|midnight))(?P<half> et demie?)?", _noon
    ),
    *(
        _pattern(
            rf"(?:(?:du |de l |de la |dans la |dans l |in the |at |le |l |au |a l )?(?:{words}))",
            _constant(part),
        )
        for part, words in (
            (DayPart.MORNING, "matin|matinee|morning"),
            (DayPart.AFTERNOON, "apres midi|aprem|apres m|afternoon"),
            (DayPart.EVENING, "soir|soiree|evening"),
            (DayPart.NIGHT, "nuit|night"),
        )
    ),
)
"""Tried in order, the more precise first: what one has read, none after it reads again."""
