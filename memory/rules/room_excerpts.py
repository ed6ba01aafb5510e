"""Which lines of a room one turn is told. Pure."""

from collections.abc import Sequence

from memory.model.room_excerpts import ExcerptLimits, RoomLine
from memory.tokens import tokens_of

LONGEST_LINE = 400
"""Characters of one line: a longer one is cut, as a reader skims it."""

FRAME = 12
"""Characters of a line around its words and its author: the bullet, the time, signs."""


def fitting(lines: Sequence[RoomLine], limits: ExcerptLimits) -> tuple[RoomLine, ...]:
    """The latest of these lines that fit, oldest first; `lines` are oldest first.

    The message that a thread hangs on has its place before all others.
    """
    starters = [one for one in lines if one.is_starter]
    chars = sum(map(_chars, starters))
    kept: list[RoomLine] = []
    for line in reversed([one for one in lines if not one.is_starter]):
        chars += _chars(line)
        is_full = len(starters) + len(kept) >= limits.most_lines
        if is_full or tokens_of(chars) > limits.most_tokens:
            break
        kept.append(line)
    return (*starters, *reversed(kept))


def _chars(line: RoomLine) -> int:
    return min(len(line.text), LONGEST_LINE) + len(line.author) + FRAME
