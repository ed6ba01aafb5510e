"""What is said to a message that is no speech: a picture, a place, a voice note. Pure."""

from bot.model.turns import Expression, Reply
from bot.texts.catalogue import texts_in
from bot.texts.sanitizing import extract
from memory.language.parts.reading import parts_of
from memory.model.parts import NoteKind, Part, PartSource

_LONGEST = 160
"""Characters of a note that are said back."""

_GLAD = frozenset({NoteKind.STICKER, NoteKind.DICE, NoteKind.PLACE, NoteKind.POLL})


def notes_alone(text: str) -> frozenset[NoteKind]:
    """The kinds of notes that a message consists of; none where there are words in it."""
    return frozenset(map(_kind, _notes_alone(text)))


def reply_to_wordless(text: str, language: str) -> Reply | None:
    """One sentence to a message of nothing but notes; None where there are words in it."""
    notes = _notes_alone(text)
    if not notes:
        return None
    kind, what = _kind(notes[0]), extract(notes[0].text, _LONGEST)
    expression = Expression.HAPPY if kind in _GLAD else Expression.CURIOUS
    return Reply(text=texts_in(language).say(_key(kind, what), what=what), expression=expression)


def _notes_alone(text: str) -> tuple[Part, ...]:
    parts = parts_of(text)
    return parts if all(part.source is PartSource.NOTE for part in parts) else ()


def _key(kind: NoteKind, what: str) -> str:
    if kind is NoteKind.STICKER and what and not any(map(str.isalnum, what)):  # an emoji
        return "wordless.sticker_of"
    return "wordless.unread" if kind is NoteKind.OTHER else f"wordless.{kind}"


def _kind(note: Part) -> NoteKind:
    return note.note or NoteKind.OTHER
