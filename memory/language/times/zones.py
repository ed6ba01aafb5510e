"""The time zone that a text names: "18h heure de Tokyo", "6pm New York time", "UTC+2"; pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, timedelta, timezone, tzinfo
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from memory.language.dates_in_words import city_of_zone, is_old_name, zones_of_countries
from memory.language.text import fold

_ABBREVIATIONS: Mapping[str, str] = {
    **dict.fromkeys(("EST", "EDT"), "America/New_York"),
    **dict.fromkeys(("CST", "CDT"), "America/Chicago"),
    **dict.fromkeys(("MST", "MDT"), "America/Denver"),
    **dict.fromkeys(("PST", "PDT"), "America/Los_Angeles"),
    **dict.fromkeys(("HNE", "HAE"), "America/Toronto"),
    **dict.fromkeys(("CET", "CEST"), "Europe/Paris"),
    **dict.fromkeys(("BST", "WET", "WEST"), "Europe/London"),
    "JST": "Asia/Tokyo",
    "AEST": "Australia/Sydney",
}
"""What the signs behind a time of day most often mean to those who type them."""

_LANGUAGES = ("fr", "en")
_NOT_A_CITY = re.compile(r"[^a-z]+")

_OFFSET = re.compile(
    r"(?<!\w)(?:UTC|GMT)(?: ?(?P<sign>[+-])(?P<h>[0-9]{1,2})(?::?(?P<m>[0-9]{2}))?)?(?!\w)",
    re.IGNORECASE,
)
_ISO = re.compile(
    r"(?<=[0-9]{2}:[0-9]{2})(?::[0-9]{2})?(?:Z\b|(?P<sign>[+-])(?P<h>[0-9]{2}):(?P<m>[0-9]{2}))"
)
"""Behind a time as machines write it (ISO 8601)."""
_NAMED = re.compile(r"(?<!\w)(?P<name>[A-Z][A-Za-z]{1,20}(?:/[A-Z][A-Za-z_]{1,30}){1,2})(?!\w)")
_SHORT = re.compile(rf"(?<=[0-9hHmM] )(?P<name>{'|'.join(_ABBREVIATIONS)})(?!\w)")
_CITY_FR = re.compile(
    r"\b(?:a l |l )?heure (?:de |du |d )(?P<city>[^\W\d_]{2,20}(?: [^\W\d_]{2,20}){0,2})"
)
_CITY_EN = re.compile(
    r"(?P<city>\b[^\W\d_]{2,20}(?: [^\W\d_]{2,20}){0,2}) (?:time(?: ?zone)?|timezone)\b"
)
_FURTHEST_H = 14
"""Hours that a zone is ahead of UTC, at most (Kiribati)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedZone:
    """A zone, and where in the text it is named."""

    zone: tzinfo
    start: int
    end: int


def zone_in(text: str, line: str) -> NamedZone | None:
    """The first zone a text names; `line` is the same text folded sign by sign."""
    for pattern in (_OFFSET, _ISO, _NAMED, _SHORT):
        for found in pattern.finditer(text):
            if zone := _zone_of(pattern, found):
                return NamedZone(zone=zone, start=found.start(), end=found.end())
    for pattern in (_CITY_FR, _CITY_EN):
        for found in pattern.finditer(line):
            if named := _city_in(found, is_first=pattern is _CITY_FR):
                return named
    return None


def zone_called(name: str) -> tzinfo | None:
    """The zone of this name, city or offset: "Europe/Paris", "Londres", "UTC+2"; else None."""
    found = _OFFSET.fullmatch(name.strip())
    if found is not None:
        return _zone_of(_OFFSET, found)
    key = _ABBREVIATIONS.get(name.strip())
    if key is None:
        key = name if "/" in name and name in _keys() else _cities().get(_plain(name))
    return None if key is None else ZoneInfo(key)


def known_zone(key: str) -> str | None:
    """The key of a zone, such as Europe/Paris, as a device tells it; None where there is none."""
    try:
        return ZoneInfo(key).key
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def zone_of_place(name: str) -> tzinfo | None:
    """The zone of a city that a zone is named after, or of a country that has one; else None."""
    key = _cities().get(_plain(name)) or _countries().get(_plain(name))
    return None if key is None else ZoneInfo(key)


def load_cities() -> None:
    """Load cities and countries of all zones, which takes a third of a second at first."""
    _cities()
    _countries()


def zone_name(zone: tzinfo) -> str:
    """The name of a zone, by which `zone_called` knows it again: "Europe/Paris", "UTC+02:00"."""
    return zone.key if isinstance(zone, ZoneInfo) else str(zone)


def _zone_of(pattern: re.Pattern[str], found: re.Match[str]) -> tzinfo | None:
    if pattern not in {_OFFSET, _ISO}:
        return zone_called(found["name"])
    if found["sign"] is None:
        return UTC
    hours, minutes = int(found["h"]), int(found["m"] or 0)
    if hours > _FURTHEST_H or minutes >= 60:
        return None
    offset = timedelta(hours=hours, minutes=minutes)
    return timezone(offset if found["sign"] == "+" else -offset)


def _city_in(found: re.Match[str], *, is_first: bool) -> NamedZone | None:
    """The longest city of the words that may be one: those after "heure de", before "time"."""
    words = found["city"].split(" ")
    for size in range(len(words), 0, -1):
        name = " ".join(words[:size] if is_first else words[-size:])
        key = _cities().get(_plain(name))
        if key is None:
            continue
        start = found.start() if is_first else found.end("city") - len(name)
        end = found.start("city") + len(name) if is_first else found.end()
        return NamedZone(zone=ZoneInfo(key), start=start, end=end)
    return None


@cache
def _keys() -> frozenset[str]:
    """The zones of this machine: they are read off its disk, which takes 20 ms."""
    return frozenset(available_timezones())


@cache
def _cities() -> Mapping[str, str]:
    """The zones by the cities that they are known by, folded, in every language."""
    other = ("Etc/", "posix/", "right/", "SystemV/")
    keys = [key for key in _keys() if "/" in key and not key.startswith(other)]
    keys.sort(key=lambda key: (is_old_name(key), key))  # Europe/Belfast goes by London, too
    cities = {_plain(key.rpartition("/")[2]): key for key in reversed(keys)}
    for key in keys:
        for language in _LANGUAGES:
            cities.setdefault(_plain(city_of_zone(key, language)), key)
    return cities


@cache
def _countries() -> Mapping[str, str]:
    """The zone of each country that has one, by its folded names in every language."""
    known = _keys()
    return {
        _plain(country): only[0]
        for language in _LANGUAGES
        for country, zones in zones_of_countries(language).items()
        if len(only := [zone for zone in zones if zone in known]) == 1
    }


def _plain(name: str) -> str:
    return _NOT_A_CITY.sub(" ", fold(name)).strip()
