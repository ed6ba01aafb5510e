"""What is kept of a message's words: cleaned, with its parts written in one text; pure."""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.model.events import Attachment, Edited, Inbound
from bot.texts.sanitizing import plain, spaced
from memory.language.parts.written import written
from memory.model.parts import NoteKind, Part, PartSource

LONGEST = 200_000
"""Characters kept of one message; no platform sends more, a hostile one must not fill the disk."""

LONGEST_FILE_NAME = 80
"""Characters of a file's name that are noted."""

MOST_NOTED = 10
"""Files noted of one message; no platform takes more."""

_KINDS = {"image": NoteKind.PHOTO, "video": NoteKind.VIDEO, "audio": NoteKind.AUDIO}


def clean(text: str) -> str:
    """The text in composed Unicode, cut, stripped, without anything that is not text.

    Of long runs of blanks only the beginning is kept.
    """
    return spaced(unicodedata.normalize("NFC", plain(text[:LONGEST]))).strip()


def kept_text(event: Inbound | Edited) -> str:
    """The text that a message is kept as: what was typed, then what its platform vouches for."""
    vouched = (*map(_cleaned, event.parts), *notes_of(event.attachments))
    return written(clean(event.text), vouched)


def notes_of(attachments: Sequence[Attachment]) -> Iterator[Part]:
    """A note for each file: what it is, and its name."""
    for one in attachments[:MOST_NOTED]:
        name = plain(one.name).strip()[:LONGEST_FILE_NAME]
        yield Part(source=PartSource.NOTE, text=name, note=one.kind or _kind_of(one.media_type))


def _kind_of(media_type: str) -> NoteKind:
    kind = media_type.partition("/")[0].strip().lower()
    return _KINDS.get(kind, NoteKind.DOCUMENT)


def _cleaned(part: Part) -> Part:
    return replace(part, text=clean(part.text), author=clean(part.author))
