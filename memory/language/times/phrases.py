"""How people name a time in French and English, folded and without apostrophes; pure."""

import re
from collections.abc import Callable
from datetime import timedelta
from functools import cache

from memory.language.times.intervals import Asking, Grain, Stretch, of_span
from memory.language.times.vocabulary import (
    AMOUNTS,
    ENGLISH_DAY,
    ENGLISH_MONTH,
    FRENCH_DAY,
    FRENCH_MONTH,
    FRENCH_MONTH_AFTER_DE,
    FRENCH_MONTH_AFTER_EN,
    PLAIN_ENGLISH_MONTH,
    SEASONS,
    SHORT_DAY,
    VERB_MONTHS,
    WEEKDAYS,
    amount_of,
    either,
    month_of,
)

Reading = Callable[[Asking, re.Match[str]], Stretch | None]
Phrase = tuple[re.Pattern[str], Reading]


def _phrase(pattern: str, read: Reading) -> Phrase:
    return re.compile(rf"\b(?:{pattern})\b"), read


_YEAR = r"(?:19|20)[0-9]{2}"
_AND_YEAR = rf"(?:,? (?:of |de )?(?P<y>{_YEAR}))?"
_D, _M = r"(?P<d>[0-3]?[0-9])", r"(?P<m>[01]?[0-9])"
_NTH = r"(?:st|nd|rd|th)"
_N = rf"(?P<n>[0-9]{{1,3}}|{either(AMOUNTS)})"
_END = r"(?= ?(?:$|[?!.,;:)]))"
_ENDS = re.compile(_END)
_DATE_MARK = re.compile(r"[0-9](?:st|nd|rd|th)\b|\bof\b|^(?:on|the) | the ")
"""What only a date has."""
_IN = r"(?:en|in|of|during|de|back in|(?:le|au) mois de)"
_AFTER_SINCE = r"(?<=depuis )|(?<=since )"
_LATEST = r"derni?er?e?s?"
_LAST = rf"(?:{_LATEST}|passee?s?(?! (?:vite|trop|bien|a|en|sur|par|son|ses|sa)\b))"
"""Without its accent, "passé" is also what a week does: "la semaine passe vite"."""
_NEXT = r"(?:prochaine?s?|qui vient)"
_OF_LAST = re.compile(rf"\b(?:{_LAST}|last)\b")
_OF_NEXT = re.compile(rf"\b(?:{_NEXT}|next)\b")
_FR_MONTH = rf"(?P<month>{FRENCH_MONTH})"
_EN_MONTH = rf"(?P<month>{ENGLISH_MONTH})"

_UNITS = {
    "day": r"jours?|j|days?|d|nights?",
    "week": r"semaines?|sem|weeks?|wks?|w",
    "month": r"mois|months?",
    "year": r"ans?|annees?|years?|yrs?|y",
    "hour": r"heures?|h|hours?|hrs?",
    "minute": r"minutes?|mins?|mn",
}
_UNIT = rf"(?P<unit>{'|'.join(_UNITS.values())})"
_LONG_UNIT = rf"(?P<unit>{'|'.join(list(_UNITS.values())[:4])})"
_PARTS = {
    "morning": r"matin|mat|morning|matinee",
    "noon": r"midi|noon|lunchtime",
    "afternoon": r"apres midi|aprem|apres m|aprm|afternoon",
    "evening": r"soir|soiree|evening",
    "night": r"nuit|night",
}
_PART = rf"(?: (?:au |en |dans la |dans l |in the |at )?(?P<part>{'|'.join(_PARTS.values())}))?"
_THIRDS = {
    0: r"debut|early|(?:the )?(?:beginning|start) of",
    1: r"mi|mid|milieu|(?:the )?middle of",
    2: r"fin|late|(?:the )?end of",
}
_THIRD = rf"(?P<third>{'|'.join(_THIRDS.values())})(?: (?:de|d|du mois de|in))?"
_SEASON = rf"(?P<season>{either(SEASONS)})"
_WEEKEND = r"(?:week ?ends?|we)"
_NOT_VERB = r"(?! (?:boot|framework|mvc|security|under|apart|in|into|on|off|for|short|flat|back)\b)"
"""What follows where `spring` and `fall` are no seasons."""
_COUNTED = (
    r"(?! ?(?:lignes?|lines?|mots?|words?|euros?|balles|dollars?|bucks|steps?|fois|times|metres?"
    r"|people|personnes|points?|pixels?|px|ms|[€$£%]))"
)
"""What makes of a year a mere number."""
_NO_DATE = (
    rf"(?!,? (?:the )?[0-9]{{1,2}}{_NTH}?\b(?! ?(?:h|:|am|pm|heures?|o clock)))"
    rf"(?!,? (?:{ENGLISH_MONTH}) [0-9])"
)
"""Not followed by a day of the month, which says more than a weekday; an hour may follow."""
_NO_LATER = r"(?! (?:de|d) (?!ca\b|cela\b))"
""""il y a deux semaines de vacances" is no date."""


def _key(table: dict[str, str] | dict[int, str], text: str) -> str | int:
    return next(key for key, pattern in table.items() if _form(pattern).fullmatch(text))


@cache
def _form(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def unit_of(found: re.Match[str]) -> str:
    """The unit that a match counts in, such as "week"."""
    return str(_key(_UNITS, found["unit"]))


def _part(found: re.Match[str]) -> str:
    return str(_key(_PARTS, found["part"])) if found["part"] else ""


def _third(found: re.Match[str]) -> int:
    return int(_key(_THIRDS, found["third"]))


def _year(found: re.Match[str]) -> int | None:
    return int(found["y"]) if found["y"] else None


def _figures(asking: Asking, found: re.Match[str]) -> Stretch | None:
    """Day and month, the other way round where that is the only way it can be a date."""
    day, month = int(found["d"]), int(found["m"])
    if month > 12 >= day:
        day, month = month, day
    return asking.date(day, month, found.groupdict().get("y"))


def _day_of(asking: Asking, found: re.Match[str]) -> Stretch | None:
    day = 1 if found["d"] in {"1er", "premier", "1st"} else int(found["d"])
    return asking.date(day, month_of(found["month"]), found["y"])


def _weekday(asking: Asking, found: re.Match[str]) -> Stretch:
    day = asking.nearest.weekday(WEEKDAYS[found["day"]])
    return asking.part_of(day.first, _part(found))


def _english_day(asking: Asking, found: re.Match[str]) -> Stretch | None:
    """A day of a month, unless "may 7" and "march 3" are something people may or marched."""
    is_verb = found["month"] in VERB_MONTHS and found["y"] is None
    if is_verb and not (_DATE_MARK.search(found[0]) or _ENDS.match(found.string, found.end())):
        return None
    return _day_of(asking, found)


def _last_weekday(asking: Asking, found: re.Match[str]) -> Stretch:
    day = asking.past.weekday(WEEKDAYS[found["day"]])
    return asking.part_of(day.first, _part(found))


def _weekday_of_next_week(asking: Asking, found: re.Match[str]) -> Stretch:
    """As "mercredi en huit": not the next one, but the one after it."""
    day = asking.to_come.weekday(WEEKDAYS[found["day"]]).first + timedelta(days=7)
    return asking.part_of(day)


def _named_month(asking: Asking, found: re.Match[str]) -> Stretch:
    return asking.month(month_of(found["month"]))


def _next_weekday(asking: Asking, found: re.Match[str]) -> Stretch:
    day = asking.to_come.weekday(WEEKDAYS[found["day"]])
    return asking.part_of(day.first, _part(found))


def _ago(asking: Asking, found: re.Match[str]) -> Stretch:
    return asking.ago(amount_of(found["n"]), unit_of(found))


def _ahead(asking: Asking, found: re.Match[str]) -> Stretch | None:
    return asking.ahead(amount_of(found["n"]), unit_of(found))


def _rolling(asking: Asking, found: re.Match[str]) -> Stretch:
    """From so many days, weeks, months or years back; "the last days" are a handful."""
    if found["n"] == "":
        return asking.rolling(1, found["unit"])
    unit = unit_of(found)
    vague = 7 if unit == "day" else 3
    return asking.rolling(amount_of(found["n"]) if found["n"] else vague, unit)


def _week_of(asking: Asking, found: re.Match[str]) -> Stretch | None:
    """The week or weekend that a date lies in."""
    day = _figures(asking, found) if "m" in found.groupdict() else _day_of(asking, found)
    if day is None:
        return None
    whole = Asking(now=day.start)
    is_week = found["what"].startswith(("sem", "week of"))
    week = whole.past.week(0) if is_week else whole.past.weekend(0)
    return of_span(week, Grain.WEEK if is_week else Grain.DAY)


def _beside(asking: Asking, found: re.Match[str]) -> Stretch | None:
    """The day or the seven days before or after a date."""
    day = _day_of(asking, found)
    if day is None:
        return None
    return day.beside(1 if found["what"] == "day" else 7, later=found["side"] in {"after", "apres"})


def _season(asking: Asking, found: re.Match[str]) -> Stretch:
    first = SEASONS[found["season"]]
    whole = found[0]
    if _OF_LAST.search(whole):
        return asking.last_season(first)
    return (
        asking.next_season(first) if _OF_NEXT.search(whole) else asking.season(first, _year(found))
    )


def _holiday(name: str) -> Reading:
    return lambda a, f: a.holiday(name, _year(f))


_FR_DATE = rf"(?:le )?(?:(?:{FRENCH_DAY}) )?(?P<d>[0-3]?[0-9]|1er|premier) {_FR_MONTH}{_AND_YEAR}"
_EN_DATE = (
    rf"(?:on )?(?:the )?(?:(?:{ENGLISH_DAY}),? )?(?P<d>[0-3]?[0-9]){_NTH}?(?: of)? {_EN_MONTH}"
    rf"{_AND_YEAR}"
)
_EN_DATE_BACK = rf"(?:on )?{_EN_MONTH}\.? (?:the )?(?P<d>[0-3]?[0-9]){_NTH}?(?![0-9:/%]){_AND_YEAR}"

_DATES: tuple[Phrase, ...] = (
    _phrase(rf"(?<![/.-])(?P<y>{_YEAR})[-/]{_M}[-/]{_D}(?![/.-][0-9a-z])", _figures),
    _phrase(rf"(?P<what>semaine|{_WEEKEND}) du {_D}/{_M}(?:/(?P<y>{_YEAR}|[0-9]{{2}}))?", _week_of),
    _phrase(rf"(?P<what>semaine|{_WEEKEND}) du {_FR_DATE}", _week_of),
    _phrase(rf"(?P<what>semaine) (?P<side>avant|apres) {_FR_DATE}", _beside),
    _phrase(rf"(?P<what>week|day) (?P<side>before|after) {_EN_DATE}", _beside),
    _phrase(rf"(?P<what>week|day) (?P<side>before|after) {_EN_DATE_BACK}", _beside),
    _phrase(rf"(?P<what>(?:week|weekend) of) {_EN_DATE}", _week_of),
    _phrase(rf"(?P<what>(?:week|weekend) of) {_EN_DATE_BACK}", _week_of),
    _phrase(
        rf"(?:le |on )?(?<![0-9./-]){_D}(?P<dot>[/.-]){_M}(?P=dot)(?P<y>{_YEAR})(?![/.-][0-9])",
        _figures,
    ),
    _phrase(rf"(?:le |on )?(?<![0-9./-]){_D}/{_M}/(?P<y>[0-9]{{2}})(?![/.-])", _figures),
    _phrase(rf"(?:(?:le|du|au|on|the) |{_AFTER_SINCE}){_D}/{_M}(?![/.0-9-])", _figures),
    _phrase(r"(?<![0-9./-])(?P<d>[0-3][0-9])/(?P<m>0[1-9]|1[0-2])(?![/.0-9-])", _figures),
    _phrase(_FR_DATE, _day_of),
    _phrase(_EN_DATE, _english_day),
    _phrase(_EN_DATE_BACK, _english_day),
    _phrase(rf"le (?P<d>[0-3]?[0-9]){_END}", lambda a, f: a.day_of_month(int(f["d"]))),
    _phrase(
        rf"(?:on )?the (?P<d>[0-3]?[0-9]){_NTH}{_END}", lambda a, f: a.day_of_month(int(f["d"]))
    ),
)

_MONTHS: tuple[Phrase, ...] = (
    _phrase(
        rf"{_THIRD} (?P<month>{FRENCH_MONTH}|{ENGLISH_MONTH}){_AND_YEAR}",
        lambda a, f: a.third_of_month(_third(f), month_of(f["month"]), _year(f)),
    ),
    _phrase(rf"{_THIRD} (?P<y>{_YEAR})", lambda a, f: a.third_of_year(_third(f), int(f["y"]))),
    _phrase(
        rf"(?:{_IN} )?(?P<month>{FRENCH_MONTH}|{ENGLISH_MONTH})\.?,? (?:of |de )?(?P<y>{_YEAR})"
        rf"{_COUNTED}",
        lambda a, f: a.month(month_of(f["month"]), int(f["y"])),
    ),
    _phrase(
        rf"(?:en |le mois de )?{_FR_MONTH} {_LATEST}",
        lambda a, f: a.last_month(month_of(f["month"])),
    ),
    _phrase(rf"(?:en )?{_FR_MONTH} {_NEXT}", lambda a, f: a.next_month(month_of(f["month"]))),
    _phrase(rf"(?<!the )last {_EN_MONTH}", lambda a, f: a.last_month(month_of(f["month"]))),
    _phrase(rf"next {_EN_MONTH}", lambda a, f: a.next_month(month_of(f["month"]))),
    _phrase(
        rf"(?:(?:en|mois de|pour|courant) |(?<=depuis ))(?P<month>{FRENCH_MONTH_AFTER_EN})",
        _named_month,
    ),
    _phrase(rf"de (?P<month>{FRENCH_MONTH_AFTER_DE})", _named_month),
    _phrase(
        rf"(?:(?:in|during|throughout|month of|back in) |(?<=since ))(?P<month>{ENGLISH_MONTH})"
        rf"(?! (?:order|i|be|we)\b)",
        _named_month,
    ),
    _phrase(rf"(?:of|for|from|around|this|past) (?P<month>{PLAIN_ENGLISH_MONTH})", _named_month),
    _phrase(rf"(?:cet|cette|ce|this|last|past|next) {_SEASON}{_NOT_VERB}{_AND_YEAR}", _season),
    _phrase(rf"(?:l |le |en |au |the )?{_SEASON} (?:{_LAST}|{_NEXT})", _season),
    _phrase(rf"(?:{_IN} )?(?:l |the )?{_SEASON},? (?:of |de )?(?P<y>{_YEAR}){_COUNTED}", _season),
    _phrase(
        rf"(?:(?:en|au|(?:pendant|durant) l|(?:in|during|over|for)(?: the)?) |(?<=depuis )l |"
        rf"(?<=since )(?:the )?){_SEASON}"
        rf"{_NOT_VERB}(?P<y>)",
        _season,
    ),
)

_HOLIDAYS: tuple[Phrase, ...] = tuple(
    _phrase(
        rf"(?:(?:(?:a|pour|pendant|au|le|at|on|for|over|during|last|this|de) |{_AFTER_SINCE})"
        rf"(?:la |l )?"
        rf"(?:{names})(?: {_LATEST})?|(?:{names}) {_LATEST}|(?:{names})(?= {_YEAR})){_AND_YEAR}",
        _holiday(holiday),
    )
    for holiday, names in (
        (
            "christmas",
            r"noel|reveillon de noel|xmas|christmas(?: (?:day|eve|break|time))?|christmastime",
        ),
        ("new year", r"nouvel an|jour de l an|reveillon|new years?(?: s)?(?: (?:eve|day))?"),
        ("halloween", r"halloween"),
        ("valentine", r"(?:saint|st) valentin|valentines?(?: s)? day"),
    )
)

_CALENDAR: tuple[Phrase, ...] = (
    _phrase(rf"(?:apres|apr) demain{_PART}", lambda a, f: a.days_away(2, _part(f))),
    _phrase(r"(?:the )?day after tomorrow", lambda a, _: a.days_away(2)),
    _phrase(rf"(?:avant|avt) ?hier{_PART}", lambda a, f: a.days_away(-2, _part(f))),
    _phrase(r"(?:the )?day before yesterday", lambda a, _: a.days_away(-2)),
    _phrase(
        rf"(?:demain|tomorrow|tomorow|tommorow|tmrw|tmr){_PART}",
        lambda a, f: a.days_away(1, _part(f)),
    ),
    _phrase(
        rf"(?:hier|hyer|yesterday|yesturday|yesteday|yday){_PART}",
        lambda a, f: a.days_away(-1, _part(f)),
    ),
    _phrase(r"last night|la nuit (?:derniere|passee)", lambda a, _: a.days_away(-1, "night")),
    _phrase(r"cette nuit", lambda a, _: a.this_night()),
    _phrase(r"ce mat(?:in)?|this morning", lambda a, _: a.days_away(0, "morning")),
    _phrase(r"ce midi", lambda a, _: a.days_away(0, "noon")),
    _phrase(
        r"c(?:et|ette|t) (?:apres midi|aprem|apres m)|this afternoon",
        lambda a, _: a.days_away(0, "afternoon"),
    ),
    _phrase(r"ce soir|this evening|tonight", lambda a, _: a.days_away(0, "evening")),
    _phrase(
        r"a?ujou?rd ?h?ui|auj|ajd|today|earlier today|tout a l heure|toute a l heure",
        lambda a, _: a.days_away(0),
    ),
    _phrase(
        r"l autre (?:jour|soir|nuit)|the other (?:day|night|week)",
        lambda a, _: a.rolling(14, "day"),
    ),
    _phrase(
        rf"(?:la )?(?:semaine|sem) (?:{_LAST}|d avant)|last (?:week|wk)",
        lambda a, _: a.ago(1, "week"),
    ),
    _phrase(r"(?:cette|c[te]tte|cet) semaine|this week", lambda a, _: a.ago(0, "week")),
    _phrase(rf"(?:la )?semaine {_NEXT}|next week", lambda a, _: a.ahead(1, "week")),
    _phrase(rf"(?:le )?mois {_LAST}|mois d avant|last month", lambda a, _: a.ago(1, "month")),
    _phrase(r"ce mois(?: ci)?|this month", lambda a, _: a.ago(0, "month")),
    _phrase(rf"(?:le )?mois {_NEXT}|next month", lambda a, _: a.ahead(1, "month")),
    _phrase(
        rf"(?:l ?)?(?:annee|an) {_LAST}|annee d avant|last (?:year|yr)",
        lambda a, _: a.ago(1, "year"),
    ),
    _phrase(r"cette annee|this year", lambda a, _: a.ago(0, "year")),
    _phrase(rf"(?:l ?)?(?:annee|an) {_NEXT}|next (?:year|yr)", lambda a, _: a.ahead(1, "year")),
    _phrase(
        rf"(?:le )?{_WEEKEND} {_LAST}|last week ?ends?",
        lambda a, _: of_span(a.past.weekend(-1), Grain.DAY),
    ),
    _phrase(
        rf"(?:le )?{_WEEKEND} {_NEXT}|next week ?ends?",
        lambda a, _: of_span(a.past.weekend(1), Grain.DAY),
    ),
    _phrase(
        r"(?:ce|au|du) (?:week ?end|we)|(?:this|over the|during the|on the|at the|the past|of the)"
        r" week ?end|(?<=depuis )le week ?end",
        lambda a, _: a.weekend(),
    ),
)

_COUNTS: tuple[Phrase, ...] = (
    _phrase(
        rf"(?:il )?(?:y ?a|yavait) (?:a peu pres |environ )?{_N} ?(?:de |d )?{_UNIT}{_NO_LATER}",
        _ago,
    ),
    _phrase(rf"(?:(?:a|about) )?{_N} ?(?:of )?{_UNIT} (?:ago|earlier)", _ago),
    _phrase(rf"dans {_N} {_LONG_UNIT}", _ahead),
    _phrase(rf"in {_N} {_LONG_UNIT}", _ahead),
    _phrase(rf"depuis {_N} ?{_LONG_UNIT}", _rolling),
    _phrase(rf"(?:c|l)es (?:{_N} )?derni(?:ers|eres) {_LONG_UNIT}", _rolling),
    _phrase(rf"(?:the |these |this )?(?:last|past) {_N} {_LONG_UNIT}", _rolling),
    _phrase(r"(?:the |this )past (?P<n>)(?P<unit>week|month|year)", _rolling),
)

_WEEKDAYS: tuple[Phrase, ...] = (
    _phrase(rf"(?:le )?(?P<day>{FRENCH_DAY}) (?:en huit|en 8)", _weekday_of_next_week),
    _phrase(rf"(?P<day>{FRENCH_DAY}){_PART} {_LAST}", _last_weekday),
    _phrase(rf"(?:le )?(?P<day>{FRENCH_DAY}){_PART} {_NEXT}", _next_weekday),
    _phrase(rf"(?:last|past) (?P<day>{ENGLISH_DAY}|{SHORT_DAY}){_PART}", _last_weekday),
    _phrase(rf"this (?P<day>{ENGLISH_DAY}|{SHORT_DAY}){_PART}", _weekday),
    _phrase(rf"next (?P<day>{ENGLISH_DAY}|{SHORT_DAY}){_PART}", _next_weekday),
    _phrase(
        rf"(?<!\ble )(?<!\bles )(?<!\bun )(?<!chaque )(?P<day>{FRENCH_DAY}){_PART}{_NO_DATE}",
        _weekday,
    ),
    _phrase(
        rf"(?<!every )(?<!each )(?<!\ba )(?<!black )(?<!good )(?<!ash )(?<!ruby )(?:on )?"
        rf"(?P<day>{ENGLISH_DAY}){_PART}{_NO_DATE}",
        _weekday,
    ),
)

_YEARS: tuple[Phrase, ...] = (
    _phrase(
        rf"(?:(?:en|in|of|during|from|l annee|the year|back in|de) |{_AFTER_SINCE})"
        rf"(?P<y>{_YEAR}){_COUNTED}(?![0-9/.:-])",
        lambda a, f: a.year(int(f["y"])),
    ),
)

FEASTS = frozenset(read for _, read in _HOLIDAYS)
"""How days are read that are named by what is kept on them."""

PHRASES: tuple[Phrase, ...] = (
    *_DATES,
    *_MONTHS,
    *_HOLIDAYS,
    *_CALENDAR,
    *_COUNTS,
    *_WEEKDAYS,
    *_YEARS,
)
"""Tried in order, the more precise first: what one has read, none after it reads again."""
