"""The one text that a message is kept as: its author's words, then what the platform vouches for.

    look at this
    ⟦forwarded: Nadia⟧
    > The race is on 12 May.
    ⟦photo: start.jpg⟧

Pure.
"""

import re
from collections.abc import Iterable

from memory.model.parts import NoteKind, Part, PartSource

OPENING, CLOSING = "⟦", "⟧"

LONGEST_LABEL = 200
"""Characters of a name, a file's name or a place that are written."""

_BRACKETS = str.maketrans({OPENING: "[", CLOSING: "]"})
_VOUCHED = frozenset({PartSource.QUOTED, PartSource.FORWARDED})
_NOTES = frozenset(NoteKind)
_LABEL = re.compile(r"⟦(?P<kind>[a-z_]{1,12})(?:: (?P<what>[^⟦⟧\n]*))?⟧")


def written(typed: str, vouched: Iterable[Part] = ()) -> str:
    """The text of a message: what was typed, and the parts that its platform vouches for."""
    return "\n".join(filter(None, (typed.translate(_BRACKETS), *map(_spelt, vouched))))


def typed_in(text: str) -> str:
    """What its author typed of a message, which comes before what its platform vouches for."""
    return text[: _vouched_from(text)].rstrip("\n")


def vouched_in(text: str) -> str:
    """What the platform of a message vouches for, as it is written below what was typed."""
    return text[_vouched_from(text) :]


def _vouched_from(text: str) -> int:
    """Where the first label stands: its brackets cannot be typed."""
    found = _LABEL.search(text)
    return len(text) if found is None else found.start()


def labelled(line: str) -> Part | None:
    """What a line in brackets says: a note, or the source of the quoted lines below it."""
    found = _LABEL.fullmatch(line.strip())
    if found is None:
        return None
    kind, what = found["kind"], found["what"] or ""
    if kind in _NOTES:
        return Part(source=PartSource.NOTE, text=what, note=NoteKind(kind))
    if kind in _VOUCHED:
        return Part(source=PartSource(kind), text="", author=what)
    return None


def _spelt(part: Part) -> str:
    if part.source is PartSource.NOTE:
        return _label(part.note or NoteKind.OTHER, part.text)
    words = part.text.translate(_BRACKETS)
    if part.source not in _VOUCHED:
        return words
    lines = (f"> {line}" for line in words.splitlines())
    if not words.strip() and part.source is not PartSource.FORWARDED:
        return ""
    return "\n".join((_label(part.source, part.author), *lines))


def _label(kind: str, what: str) -> str:
    said = " ".join(what.translate(_BRACKETS).split())[:LONGEST_LABEL].strip()
    return f"{OPENING}{kind}{f': {said}' if said else ''}{CLOSING}"
