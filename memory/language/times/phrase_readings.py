"""What the phrases of a time mean, from the words that a pattern of one found; pure."""

import re
from collections.abc import Callable
from datetime import timedelta
from functools import cache

from memory.language.times.intervals import Asking, Grain, Stretch, of_span
from memory.language.times.vocabulary import SEASONS, VERB_MONTHS, WEEKDAYS, amount_of, month_of

Reading = Callable[[Asking, re.Match[str]], Stretch | None]

END = r"(?= ?(?:$|[?!.,;:)]))"
_ENDS = re.compile(END)
_DATE_MARK = re.compile(r"[0-9](?:st|nd|rd|th)\b|\bof\b|^(?:on|the) | the ")
"""What only a date has."""
LATEST = r"derni?er?e?s?"
LAST = rf"(?:{LATEST}|passee?s?(?! (?:vite|trop|bien|a|en|sur|par|son|ses|sa)\b))"
"""Without its accent, "passé" is also what a week does: "la semaine passe vite"."""
NEXT = r"(?:prochaine?s?|qui vient)"
_OF_LAST = re.compile(rf"\b(?:{LAST}|last)\b")
_OF_NEXT = re.compile(rf"\b(?:{NEXT}|next)\b")
UNITS = {
    "day": r"jours?|j|days?|d|nights?",
    "week": r"semaines?|sem|weeks?|wks?|w",
    "month": r"mois|months?",
    "year": r"ans?|annees?|years?|yrs?|y",
    "hour": r"heures?|h|hours?|hrs?",
    "minute": r"minutes?|mins?|mn",
}
PARTS = {
    "morning": r"matin|mat|morning|matinee",
    "noon": r"midi|noon|lunchtime",
    "afternoon": r"apres midi|aprem|apres m|aprm|afternoon",
    "evening": r"soir|soiree|evening",
    "night": r"nuit|night",
}
THIRDS = {
    0: r"debut|early|(?:the )?(?:beginning|start) of",
    1: r"mi|mid|milieu|(?:the )?middle of",
    2: r"fin|late|(?:the )?end of",
}


def _key(table: dict[str, str] | dict[int, str], text: str) -> str | int:
    return next(key for key, pattern in table.items() if _form(pattern).fullmatch(text))


@cache
def _form(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def unit_of(found: re.Match[str]) -> str:
    """The unit that a match counts in, such as "week"."""
    return str(_key(UNITS, found["unit"]))


def part_named(found: re.Match[str]) -> str:
    """The part of the day that was named, "" for none."""
    return str(_key(PARTS, found["part"])) if found["part"] else ""


def third_named(found: re.Match[str]) -> int:
    """The third of a month or year that was named, from 0."""
    return int(_key(THIRDS, found["third"]))


def year_named(found: re.Match[str]) -> int | None:
    """The year that was named."""
    return int(found["y"]) if found["y"] else None


def in_figures(asking: Asking, found: re.Match[str]) -> Stretch | None:
    """Day and month, the other way round where that is the only way it can be a date."""
    day, month = int(found["d"]), int(found["m"])
    if month > 12 >= day:
        day, month = month, day
    return asking.date(day, month, found.groupdict().get("y"))


def day_named(asking: Asking, found: re.Match[str]) -> Stretch | None:
    """A day of a month, the first as it is said."""
    day = 1 if found["d"] in {"1er", "premier", "1st"} else int(found["d"])
    return asking.date(day, month_of(found["month"]), found["y"])


def weekday_named(asking: Asking, found: re.Match[str]) -> Stretch:
    """The nearest such weekday in the direction that is meant."""
    day = asking.nearest.weekday(WEEKDAYS[found["day"]])
    return asking.part_of(day.first, part_named(found))


def english_day_named(asking: Asking, found: re.Match[str]) -> Stretch | None:
    """A day of a month, unless "may 7" and "march 3" are something people may or marched."""
    is_verb = found["month"] in VERB_MONTHS and found["y"] is None
    if is_verb and not (_DATE_MARK.search(found[0]) or _ENDS.match(found.string, found.end())):
        return None
    return day_named(asking, found)


def last_weekday_named(asking: Asking, found: re.Match[str]) -> Stretch:
    """The last such weekday."""
    day = asking.past.weekday(WEEKDAYS[found["day"]])
    return asking.part_of(day.first, part_named(found))


def weekday_of_next_week_named(asking: Asking, found: re.Match[str]) -> Stretch:
    """As "mercredi en huit": not the next one, but the one after it."""
    day = asking.to_come.weekday(WEEKDAYS[found["day"]]).first + timedelta(days=7)
    return asking.part_of(day)


def month_named(asking: Asking, found: re.Match[str]) -> Stretch:
    """The nearest such month."""
    return asking.month(month_of(found["month"]))


def next_weekday_named(asking: Asking, found: re.Match[str]) -> Stretch:
    """The next such weekday."""
    day = asking.to_come.weekday(WEEKDAYS[found["day"]])
    return asking.part_of(day.first, part_named(found))


def ago_named(asking: Asking, found: re.Match[str]) -> Stretch:
    """So many units back."""
    return asking.ago(amount_of(found["n"]), unit_of(found))


def ahead_named(asking: Asking, found: re.Match[str]) -> Stretch | None:
    """So many units ahead."""
    return asking.ahead(amount_of(found["n"]), unit_of(found))


def rolling_named(asking: Asking, found: re.Match[str]) -> Stretch:
    """From so many days, weeks, months or years back; "the last days" are a handful."""
    if found["n"] == "":
        return asking.rolling(1, found["unit"])
    unit = unit_of(found)
    vague = 7 if unit == "day" else 3
    return asking.rolling(amount_of(found["n"]) if found["n"] else vague, unit)


def week_named(asking: Asking, found: re.Match[str]) -> Stretch | None:
    """The week or weekend that a date lies in."""
    day = in_figures(asking, found) if "m" in found.groupdict() else day_named(asking, found)
    if day is None:
        return None
    whole = Asking(now=day.start)
    is_week = found["what"].startswith(("sem", "week of"))
    week = whole.past.week(0) if is_week else whole.past.weekend(0)
    return of_span(week, Grain.WEEK if is_week else Grain.DAY)


def beside_named(asking: Asking, found: re.Match[str]) -> Stretch | None:
    """The day or the seven days before or after a date."""
    day = day_named(asking, found)
    if day is None:
        return None
    return day.beside(1 if found["what"] == "day" else 7, later=found["side"] in {"after", "apres"})


def season_named(asking: Asking, found: re.Match[str]) -> Stretch:
    """A season of a year, the last, the next or the latest."""
    first = SEASONS[found["season"]]
    whole = found[0]
    if _OF_LAST.search(whole):
        return asking.last_season(first)
    return (
        asking.next_season(first)
        if _OF_NEXT.search(whole)
        else asking.season(first, year_named(found))
    )


def holiday_named(name: str) -> Reading:
    """How a yearly feast is read."""
    return lambda a, f: a.holiday(name, year_named(f))
