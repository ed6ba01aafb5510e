"""What is said to a message without words of its author: to a picture, a place, forwarded words."""

from collections.abc import Sequence

from bot.model.turns import Expression, Reply
from bot.texts.catalogue import Texts, texts_in
from bot.texts.sanitizing import extract
from memory.language.parts.reading import parts_of
from memory.model.parts import NoteKind, Part, PartSource

_LONGEST = 160
"""Characters of a note that are said back."""

_WORDLESS = frozenset({PartSource.NOTE, PartSource.FORWARDED})

_GLAD = frozenset({NoteKind.STICKER, NoteKind.DICE, NoteKind.PLACE, NoteKind.POLL})


def notes_alone(text: str) -> frozenset[NoteKind]:
    """The kinds of notes that a message consists of; none where there are words in it."""
    parts = parts_of(text)
    if any(part.source is not PartSource.NOTE for part in parts):
        return frozenset()
    return frozenset(map(_kind, parts))


def reply_to_wordless(text: str, language: str) -> Reply | None:
    """One sentence to a message in which its author says nothing; None where there are words."""
    parts = parts_of(text)
    if not parts or any(part.source not in _WORDLESS for part in parts):
        return None
    texts = texts_in(language)
    forwarded = [part for part in parts if part.source is PartSource.FORWARDED]
    if forwarded:
        return _to_forwarded(forwarded, texts)
    return _to_note(parts[0], texts)


def _to_forwarded(parts: Sequence[Part], texts: Texts) -> Reply:
    who = next((part.author for part in parts if part.author), "")
    key = "forwarded" if who else "forwarded_from_nobody"
    return Reply(text=texts.say(f"wordless.{key}", who=extract(who, _LONGEST)))


def _to_note(note: Part, texts: Texts) -> Reply:
    kind, what = _kind(note), extract(note.text, _LONGEST)
    if kind is NoteKind.STICKER and what and not any(map(str.isalnum, what)):  # an emoji
        return Reply(text=texts.say("wordless.sticker_of", what=what), expression=Expression.HAPPY)
    expression = Expression.HAPPY if kind in _GLAD else Expression.CURIOUS
    key = "unread" if kind is NoteKind.OTHER else kind.value
    return Reply(text=texts.say(f"wordless.{key}", what=what), expression=expression)


def _kind(note: Part) -> NoteKind:
    return note.note or NoteKind.OTHER
