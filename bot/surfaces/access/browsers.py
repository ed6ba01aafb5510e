"""What a browser is called, from what it calls itself. Pure."""

from collections.abc import Sequence

_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
)
"""Marks and names: most call themselves by several, and the first that fits is meant."""

_SYSTEMS = (
    ("Windows", "Windows"),
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Mac OS", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)

_SHORT = 40


def browser_of(agent: str) -> str:
    """A browser and its system, such as "Firefox, Linux"; else the beginning of what it says."""
    named = [name for name in (_first(_BROWSERS, agent), _first(_SYSTEMS, agent)) if name]
    return ", ".join(named) or agent[:_SHORT]


def _first(marks: Sequence[tuple[str, str]], agent: str) -> str:
    return next((name for mark, name in marks if mark in agent), "")
