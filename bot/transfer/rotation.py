"""Which backups are kept. Pure."""

import re
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime

_NAME = re.compile(r"eko-(?P<pet>[0-9a-f]+)-(?P<at>\d{8}T\d{6})Z\.tar\.gz(\.age)?")

_MOMENT = "%Y%m%dT%H%M%S"


def name_of(pet: str, at: datetime, *, encrypted: bool) -> str:
    """What a backup is called."""
    moment = at.astimezone(UTC).strftime(_MOMENT)
    return f"eko-{pet}-{moment}Z.tar.gz{'.age' if encrypted else ''}"


def moment_of(name: str, pet: str) -> datetime | None:
    """When a backup of this pet was made, by its name; None for any other file."""
    found = _NAME.fullmatch(name)
    if found is None or found["pet"] != pet:
        return None
    with suppress(ValueError):  # the thirteenth month
        return datetime.strptime(found["at"], _MOMENT).replace(tzinfo=UTC)
    return None


def outlived(names: Iterable[str], pet: str, *, daily: int, weekly: int) -> list[str]:
    """The backups of a pet that are not kept, oldest first.

    Kept is the last one of each of the latest `daily` days on which any was made, and of each of
    the latest `weekly` weeks.
    """
    made = [(at, name) for name in names if (at := moment_of(name, pet)) is not None]
    newest = sorted(made, reverse=True)
    by_day: dict[object, str] = {}
    by_week: dict[object, str] = {}
    for at, name in newest:
        by_day.setdefault(at.date(), name)
        by_week.setdefault(at.isocalendar()[:2], name)
    kept = {*list(by_day.values())[:daily], *list(by_week.values())[:weekly]}
    return [name for _, name in reversed(newest) if name not in kept]
