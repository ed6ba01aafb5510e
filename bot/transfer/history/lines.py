"""The lines of a text, numbered and bounded, and the messages that go on over several of them."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby, islice
from typing import Self

from bot.transfer.history.model import UnreadableLine

PIECE = 1 << 20
"""Characters of a piece: a line that is longer comes in several, and is no line of talk."""

LONGEST_TEXT = 1 << 16
"""Characters of one message: no platform takes a longer one."""

UNDATED = datetime(1970, 1, 1, tzinfo=UTC)
"""When a part was changed of which nothing is known."""

_GLANCE = 50
"""Lines by which a text is recognised."""


class PartName(str):
    """The name of a file or of a member of an archive: it stands before its lines and is none."""

    __slots__ = ("changed_at",)
    changed_at: datetime

    def __new__(cls, name: str, changed_at: datetime = UNDATED) -> Self:
        """A name, with the time when its part was last changed."""
        made = super().__new__(cls, name)
        made.changed_at = changed_at
        return made


NO_PART = PartName("")
"""The part of lines that came without one."""


class Fault(str):
    """Why the rest of a part cannot be read: it stands in the place of that rest."""

    __slots__ = ()


_TOO_LONG = f"it is longer than {PIECE} characters"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line without its end; where it cannot be read, `fault` says why."""

    number: int
    text: str
    fault: str = ""
    part: PartName = NO_PART

    def unreadable(self) -> UnreadableLine:
        """What is said of it in place of its text."""
        return UnreadableLine(number=self.number, reason=self.fault)


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A message of one or more lines: what its first line says, and all of its text."""

    number: int
    head: re.Match[str]
    text: str


def numbered(lines: Iterator[str]) -> Iterator[Line]:
    """The lines of all parts, counted from 1 on."""
    number, part, goes_on = 0, NO_PART, False
    for piece in lines:
        if isinstance(piece, PartName):
            part, goes_on = piece, False
            continue
        was_open, goes_on = goes_on, len(piece) >= PIECE and not piece.endswith("\n")
        if not was_open:
            number += 1
            fault = piece if isinstance(piece, Fault) else _TOO_LONG if goes_on else ""
            text = "" if fault else piece.rstrip("\r\n")
            yield Line(number=number, text=text, fault=fault, part=part)


def parts(lines: Iterator[str]) -> Iterator[tuple[PartName, Iterator[str]]]:
    """Each part with its own lines; what is not read of one is skipped."""
    part = NO_PART

    def part_of(piece: str) -> PartName:
        nonlocal part
        part = piece if isinstance(piece, PartName) else part
        return part

    for name, pieces in groupby(lines, part_of):
        yield name, (piece for piece in pieces if piece is not name)


def blocks(
    lines: Iterator[str], opens: Callable[[str, str], re.Match[str] | None]
) -> Iterator[Block | UnreadableLine]:
    """Messages that go on until the next one opens.

    `opens` is given a line and the one before it. The first line's own text is the match's group
    `text`, where it has one. Lines before the first message, and those past the longest text, are
    unreadable.
    """
    head, texts, number, length, previous = None, [""], 0, 0, ""
    for line in numbered(lines):
        text = line.text
        if line.fault:
            yield line.unreadable()
        elif found := opens(text, previous):
            if head:
                yield Block(number=number, head=head, text="\n".join(texts))
            first = found.groupdict().get("text", "")
            head, texts, number, length = found, [first], line.number, len(first)
        elif head is None:
            if text.strip():
                yield UnreadableLine(
                    number=line.number, reason="it stands before the first message"
                )
        elif length + len(text) > LONGEST_TEXT:
            yield UnreadableLine(
                number=line.number, reason="its message is longer than any platform takes"
            )
        else:
            texts.append(text)
            length += len(text) + 1
        previous = text
    if head:
        yield Block(number=number, head=head, text="\n".join(texts))


def glance(head: str) -> list[str]:
    """The first lines of a head that say something."""
    lines = (line.strip("\r") for line in head.split("\n", 4 * _GLANCE))
    return list(islice((line[:PIECE] for line in lines if line.strip()), _GLANCE))
