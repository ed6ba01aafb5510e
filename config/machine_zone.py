"""The time zone that this machine is set to."""

from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from tzlocal import get_localzone_name

_UTC = frozenset(
    [
        "UTC",
        "UCT",
        "GMT",
        "Zulu",
        "Universal",
        "Greenwich",
        "Etc/UTC",
        "Etc/UCT",
        "Etc/GMT",
        "Etc/Zulu",
        "Etc/Universal",
        "Etc/Greenwich",
    ]
)
"""The names of what servers and containers are set to wherever they are."""


@cache
def machine_zone() -> str | None:
    """The zone this machine is in; None where it only knows UTC, or its setting cannot be read."""
    try:
        name = get_localzone_name()
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, LookupError, ValueError, OSError):
        return None
    return None if name in _UTC else name
