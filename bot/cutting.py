"""Replies are cut to what a platform takes, and call nobody by accident."""

import re

_MASS_MENTION = re.compile(r"@(?=everyone\b|here\b|channel\b|all\b)", re.IGNORECASE)
_BREAKS = ("\n\n", "\n", ". ", " ")
"""Where a text may be cut, the best place first."""


def cut(text: str, limit: int) -> list[str]:
    """The text in parts of at most `limit` characters, cut at the best place, nothing lost.

    Joining the parts gives the text again but for the white space at the cuts.
    """
    parts = []
    rest = text.strip()
    while len(rest) > limit:
        end = _place(rest, limit)
        parts.append(rest[:end].rstrip())
        rest = rest[end:].lstrip()
    return [*parts, rest] if rest else parts


def quiet_mentions(text: str) -> str:
    """The text with mass mentions made harmless by a zero-width space."""
    return _MASS_MENTION.sub("@\u200b", text)


def _place(text: str, limit: int) -> int:
    for mark in _BREAKS:
        found = text.rfind(mark, limit // 2, limit)
        if found > 0:
            return found + len(mark.rstrip())
    return limit
