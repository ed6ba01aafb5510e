"""The words by which people say when something is to happen, taken apart; French and English, pure.

`time_patterns.py` is the table; `due_times.py` puts the pieces of a request together.
"""

import re

from memory.language.text import fold
from memory.language.times.named_times import TimePiece
from memory.language.times.time_patterns import PATTERNS

READ = 1_000
"""Characters read: a request is a sentence or two."""


def aligned(text: str) -> str:
    """A text folded sign by sign, so that places are the same; hyphens and apostrophes are blanks.

    Past 1,000 characters nothing is read.
    """
    line = "".join(map(_folded, text[:READ]))
    return _MACHINE.sub(lambda found: f"{found[1]} {found[2]}", line)


_MACHINE = re.compile(r"\b([0-9]{4} [0-9]{2} [0-9]{2})t([0-9]{2}:[0-9]{2})")
"""Day and time as machines write them (ISO 8601): 2026-11-24T18:00."""


def time_pieces(text: str) -> list[TimePiece]:
    """Every word of time in a text, in order; the earlier pattern wins an overlap."""
    line = aligned(text)
    pieces: list[TimePiece] = []
    for pattern, read in PATTERNS:
        for found in pattern.finditer(line):
            start, end = found.span()
            if any(start < one.end and one.start < end for one in pieces):
                continue
            value = None if _is_article(text, found) else read(found)
            if value is not None:
                pieces.append(TimePiece(start=start, end=end, value=value))
    return sorted(pieces, key=lambda one: one.start)


_BLANKS = frozenset("-'’`´\u2010\u2011\n\r\t\u00a0\u202f")


def _folded(sign: str) -> str:
    if sign in _BLANKS:
        return " "
    folded = fold(sign)
    return folded if len(folded) == 1 else sign.lower()[:1]


def _is_article(text: str, found: re.Match[str]) -> bool:
    """Whether the "a" before a bare number is an English article: "a 6 pack"."""
    return found[0].startswith("a ") and found[0][2:].isdigit() and text[found.start()] != "à"
