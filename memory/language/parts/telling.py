"""A message on one line, with what is not its author's own words said to be so; pure."""

from collections.abc import Callable, Mapping

from memory.language.parts.reading import blocks_of
from memory.language.parts.written import OPENING, labelled
from memory.language.text import Language
from memory.model.parts import Part, PartSource

_SOURCES: Mapping[Language, Mapping[PartSource, tuple[str, str]]] = {
    "en": {
        PartSource.QUOTED: ("quoted", "quoted from {who}"),
        PartSource.FORWARDED: ("forwarded", "forwarded from {who}"),
    },
    "fr": {
        PartSource.QUOTED: ("cité", "cité de {who}"),
        PartSource.FORWARDED: ("transféré", "transféré de {who}"),
    },
}

_NOTES: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "video_note": "video message",
        "voice": "voice note",
        "spoken": "said by voice",
        "audio": "recording",
        "other": "message of another kind",
    },
    "fr": {
        "video": "vidéo",
        "video_note": "message vidéo",
        "voice": "message vocal",
        "spoken": "dit par message vocal",
        "audio": "enregistrement",
        "sticker": "autocollant",
        "place": "lieu",
        "poll": "sondage",
        "dice": "dé",
        "other": "message d'un autre genre",
    },
}
"""What notes are called where it is not the name of their kind."""

_MARKS: Mapping[Language, tuple[str, str]] = {"en": ("“", "”"), "fr": ("« ", " »")}


def on_one_line(
    text: str,
    language: Language = "en",
    cut: Callable[[str, int], str] | None = None,
    size: int = 0,
) -> str:
    """A message on one line: `⟦forwarded from Nadia: “The race is on 12 May.”⟧ see you there`.

    A text longer than `size` has each of its parts cut, never what says whose words they are.
    """
    parts = blocks_of(text)
    whole = sum(len(part.text) for part in parts)
    said = []
    for part in parts:
        words = " ".join(part.text.split())
        if cut is not None and whole > size and words:
            words = cut(part.text, max(_LEAST, size * len(part.text) // whole))
        said.append(_told(part, words, language))
    return " ".join(filter(None, said))


_LEAST = 40
"""Characters of a part that is cut."""


def as_shown(text: str, language: Language) -> str:
    """A message line by line, with its labels in the language of who reads it."""
    if OPENING not in text:
        return text
    return "\n".join(_shown(line, language) for line in text.split("\n"))


def _shown(line: str, language: Language) -> str:
    part = labelled(line)
    if part is None:
        return line
    is_note = part.source is PartSource.NOTE
    return f"⟦{note_of(part, language) if is_note else source_of(part, language)}⟧"


def source_of(part: Part, language: Language = "en") -> str:
    """What a part of another author's words is called: "forwarded from Nadia"."""
    unknown, known = _SOURCES[language][part.source]
    return known.format(who=" ".join(part.author.split())) if part.author else unknown


def note_of(part: Part, language: Language = "en") -> str:
    """What a note says: "photo: cat.png"."""
    kind = str(part.note or "other")
    name = _NOTES[language].get(kind, kind)
    return f"{name}: {part.text}" if part.text else name


def _told(part: Part, words: str, language: Language) -> str:
    if part.source is PartSource.NOTE:
        return f"⟦{note_of(part, language)}⟧"
    if part.source not in _SOURCES[language]:
        return words
    opening, closing = _MARKS[language]
    bare = words.strip(' "“”«»„')
    return f"⟦{source_of(part, language)}: {opening}{bare}{closing}⟧" if bare else ""
