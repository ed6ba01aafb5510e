"""Ages and dates in the reader's words, through Babel."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta, tzinfo

from babel import Locale
from babel.core import get_global
from babel.dates import (
    format_date,
    format_interval,
    format_time,
    format_timedelta,
    get_timezone_location,
)

_SECOND = timedelta(seconds=1)


def age(then: datetime, now: datetime, locale: str) -> str:
    """How long ago `then` was, a second at least: "3 days ago", "il y a 3 jours"."""
    past = min(then - now, -_SECOND)  # Babel says "in 0 seconds" of this very moment
    return format_timedelta(past, add_direction=True, threshold=1.2, locale=locale)


def age_with_year(then: datetime, now: datetime, zone: tzinfo, locale: str) -> str:
    """The same; of another year with it: "8 months ago, 2025"."""
    year = then.astimezone(zone).year
    is_this_one = year == now.astimezone(zone).year
    return age(then, now, locale) if is_this_one else f"{age(then, now, locale)}, {year}"


def days(first: date, last: date, locale: str) -> str:
    """A day or a stretch of days: "3 févr. 2026", "Feb 3 – 5, 2026"."""
    if first == last:
        return format_date(first, "medium", locale=locale)
    # Babel sets the two apart with thin spaces, which are no spaces to a search.
    return " ".join(format_interval(first, last, "yMMMd", locale=locale).split())


def stamp(then: datetime, now: datetime, zone: tzinfo) -> str:
    """Day and time of a lobby message: "17/01 10:23"; with its year when that is not this one."""
    local = then.astimezone(zone)
    day = "%d/%m" if local.year == now.astimezone(zone).year else "%d/%m/%Y"
    return local.strftime(f"{day} %H:%M")


def day(then: datetime, zone: tzinfo, locale: str) -> str:
    """The day of a moment in words: "Saturday, January 17, 2026", "samedi 17 janvier 2026"."""
    return str(format_date(then.astimezone(zone).date(), "full", locale=locale))


def weekday(then: datetime, zone: tzinfo, locale: str) -> str:
    """The day of the week of a moment: "Saturday", "samedi"."""
    return str(format_date(then.astimezone(zone).date(), "EEEE", locale=locale))


def date_in_words(then: datetime, zone: tzinfo, locale: str) -> str:
    """The same without the day of the week: "January 17, 2026", "17 janvier 2026"."""
    return str(format_date(then.astimezone(zone).date(), "long", locale=locale))


def month(then: datetime, zone: tzinfo, locale: str) -> str:
    """The month of a moment in words: "January 2026", "janvier 2026"."""
    return str(format_date(then.astimezone(zone).date(), "MMMM y", locale=locale))


def time_of_day(then: datetime, zone: tzinfo, locale: str) -> str:
    """The time of a moment: "10:23 AM", "10:23"."""
    return str(format_time(then, "short", tzinfo=zone, locale=locale))


def day_near(then: datetime, now: datetime, zone: tzinfo, locale: str) -> str:
    """The day of a moment: "mardi 24 novembre", with its year where that is not this one."""
    whole, year = day(then, zone, locale), now.astimezone(zone).year
    return whole.removesuffix(f" {year}").removesuffix(",")


def is_old_name(zone: str) -> bool:
    """Whether a zone goes by another name today: Europe/Belfast by Europe/London."""
    return zone in get_global("zone_aliases")


def zones_of_countries(locale: str) -> Mapping[str, Sequence[str]]:
    """The zones of each country, by its name in a language: "Japon" has Asia/Tokyo alone."""
    zones: dict[str, list[str]] = {}
    for zone, territory in get_global("zone_territories").items():
        zones.setdefault(territory, []).append(zone)
    territories = Locale(locale).territories
    return {str(name): zones[code] for code, name in territories.items() if code in zones}


def city_of_zone(zone: str, locale: str) -> str:
    """The city that a time zone is known by: "Londres" of Europe/London."""
    return str(get_timezone_location(zone, locale=locale, return_city=True))
