"""Voice notes: where their sound is, what became of them, and what a server heard. Values."""

from dataclasses import dataclass, field
from enum import StrEnum


class VoiceState(StrEnum):
    """What became of a voice note: it waits for ears, has its words, or why it has none."""

    WAITING = "waiting"
    HEARD = "heard"
    SILENT = "silent"
    TOO_LONG = "too_long"
    FAILED = "failed"
    SPENT = "spent"
    """What a day may cost was used up."""
    FORWARDED = "forwarded"
    """Another person speaks, who was not asked whether their voice may go anywhere."""
    UNOBSERVED = "unobserved"
    """Its author does not want to be observed: their voice goes to no server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceFile:
    """The sound of a voice note, where its platform has it.

    `seconds` and `size` (bytes) are what its platform says of it, 0 where it says nothing.
    """

    url: str
    media_type: str
    seconds: float = 0
    size: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechTranscript:
    """The words that a server heard, "" where nothing was said; "" and 0 of what it did not say."""

    words: str = field(repr=False)
    language: str = ""
    seconds: float = 0
