"""A sound as a transcription server is given it, and for whom it is listened to. Values."""

from dataclasses import dataclass, field

from memory.model.people import PersonId
from memory.model.rooms import RoomId, SpaceId

_ENDINGS = {"audio/ogg": "ogg", "audio/webm": "webm", "audio/mp4": "m4a", "audio/x-m4a": "m4a"}
_ENDINGS |= {"audio/mpeg": "mp3", "audio/wav": "wav", "audio/x-wav": "wav", "audio/flac": "flac"}
"""How a file of each type is called: servers tell types apart by the name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sound:
    """A recorded sound; `seconds` is how long it may be at most, for what it may cost.

    `person`, `space` and `room` are on whose behalf and where it is listened to.
    """

    content: bytes = field(repr=False)
    media_type: str
    seconds: float
    person: PersonId | None = None
    space: SpaceId | None = None
    room: RoomId | None = None

    @property
    def kind(self) -> str:
        """Its type, one that servers know: a platform may hand on what a program made up."""
        kind = self.media_type.partition(";")[0].strip().lower()
        return kind if kind in _ENDINGS else "audio/ogg"

    @property
    def file_name(self) -> str:
        """A name for it, which ends as its type asks for."""
        return f"voice.{_ENDINGS[self.kind]}"


def seconds_of(content: bytes) -> float | None:
    """How long an Ogg file with Opus is, by the last of its pages (RFC 7845, 4); None for others.

    The pages are of 48,000 samples a second, whatever was recorded.
    """
    last = content.rfind(b"OggS")
    is_opus = content.startswith(b"OggS") and b"OpusHead" in content[:200]
    if not is_opus or len(content) < last + 14:
        return None
    samples = int.from_bytes(content[last + 6 : last + 14], "little", signed=True)
    return max(0.0, samples / 48_000)
