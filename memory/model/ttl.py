"""Time to live, as people and models write it: `1h`, `7d`, `30d`."""

import re
from datetime import timedelta

from memory.model.errors import InvalidTtl

_FORM = re.compile(r"\s*(\d{1,5})\s*([mhdw])\s*", re.IGNORECASE | re.ASCII)
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def parse_ttl(text: str | None) -> timedelta | None:
    """The duration that `text` means; None, an empty text and "null" mean for ever.

    Raises:
        InvalidTtl: the text is not of the form 30m, 1h, 7d or 2w, or is zero.

    """
    if text is None or text.strip().lower() in {"", "null", "none"}:
        return None
    found = _FORM.fullmatch(text)
    if found is None or int(found[1]) == 0:
        raise InvalidTtl(f'"{text[:40]}" is not a duration: write it like "1h", "7d" or "30d".')
    return timedelta(**{_UNITS[found[2].lower()]: int(found[1])})


def ttl_text(ttl: timedelta | None) -> str:
    """A duration as `parse_ttl` reads it, in the largest unit that is exact; "none" for ever."""
    if ttl is None:
        return "none"
    minutes = int(ttl / timedelta(minutes=1))
    for unit, size in (("d", 24 * 60), ("h", 60)):
        if minutes % size == 0:
            return f"{minutes // size}{unit}"
    return f"{minutes}m"
