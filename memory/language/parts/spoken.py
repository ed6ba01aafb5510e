"""The words of a voice note in the text of its message: below a mark that they were spoken.

    ⟦spoken⟧
    I'm moving to Lyon on Monday.

They are its author's own words, as what was typed is. Pure.
"""

from memory.language.parts.written import labelled, written
from memory.model.parts import NoteKind, Part, PartSource

_MARK = written("", [Part(source=PartSource.NOTE, text="", note=NoteKind.SPOKEN)])


def with_spoken(text: str, words: str) -> str:
    """The text of a voice note's message once its words are known; they stand on one line."""
    # A line that begins with ">" would count as quoted.
    line = written(" ".join(words.split()).lstrip("> "))
    lines = text.split("\n")
    place = next((at for at, one in enumerate(lines) if _is(one, NoteKind.VOICE)), None)
    if place is None or not line:
        return text
    return "\n".join((*lines[:place], _MARK, line, *lines[place + 1 :]))


def spoken_in(text: str) -> str:
    """The words of a voice note in a message; "" where there are none."""
    lines = text.split("\n")
    place = next((at for at, one in enumerate(lines) if _is(one, NoteKind.SPOKEN)), None)
    return "" if place is None else "".join(lines[place + 1 : place + 2])


def is_spoken(text: str) -> bool:
    """Whether a message, or a part of it, was said by voice."""
    return bool(spoken_in(text))


def is_forwarded(text: str) -> bool:
    """Whether a message forwards another one, of whomever."""
    found = filter(None, map(labelled, text.split("\n")))
    return any(part.source is PartSource.FORWARDED for part in found)


def _is(line: str, kind: NoteKind) -> bool:
    part = labelled(line) if line.startswith("⟦") else None
    return part is not None and part.note is kind
