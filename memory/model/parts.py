"""Parts of a message: whose words each stretch of it is. Values."""

from dataclasses import dataclass
from enum import StrEnum


class PartSource(StrEnum):
    """Whose words a part is."""

    OWN = "own"
    """The author's: they alone state anything of the author, ask, and give orders."""
    QUOTED = "quoted"
    """Another author's, repeated by this one: a quoted line, a pasted log, reported speech."""
    FORWARDED = "forwarded"
    """Another author's, as the platform vouches."""
    CODE = "code"
    NOTE = "note"
    """No words: the pet's note of a file, a place or a contact that came with the message."""


class NoteKind(StrEnum):
    """What a note is about."""

    PHOTO = "photo"
    VIDEO = "video"
    VIDEO_NOTE = "video_note"
    """A short round video that stands for a voice note."""
    VOICE = "voice"
    """A voice note whose words are not known."""
    SPOKEN = "spoken"
    """A voice note whose words stand below."""
    AUDIO = "audio"
    STICKER = "sticker"
    ANIMATION = "animation"
    DOCUMENT = "document"
    PLACE = "place"
    CONTACT = "contact"
    POLL = "poll"
    DICE = "dice"
    OTHER = "other"
    """A kind of message that its channel cannot read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A stretch of a message with its source.

    `author` is whose words are quoted or forwarded, "" where that is unknown; `note` is what a note
    is about, whose `text` is a file's name, a place or a contact as its platform gives it.
    """

    source: PartSource
    text: str
    author: str = ""
    note: NoteKind | None = None
