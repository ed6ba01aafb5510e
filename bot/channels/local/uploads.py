"""What visitors send to be seen or heard: kept in memory until then, and nowhere else."""

from collections import OrderedDict
from uuid import uuid4

from bot.conversation.pictures import media_type_of
from bot.errors import NotAPicture, NotASound
from bot.model.events import Attachment
from memory.model.parts import NoteKind

MOST_PICTURE_BYTES = 900_000
"""Of one picture: with its form it fits into the body that a request may have."""

MOST_VOICE_BYTES = 900_000
"""Of one voice note, for the same reason: five minutes as the page records them."""

MOST_BYTES = 32_000_000
"""Of all of them: what was sent in the last minutes, on a small machine."""

SCHEME = "upload:"
"""The beginning of the address of a picture here."""

HEARD_ONCE = "upload-once:"
"""The beginning of the address of a voice note, which is gone once it was fetched."""

_SOUNDS = (
    (0, b"\x1aE\xdf\xa3", "audio/webm"),
    (0, b"OggS", "audio/ogg"),
    (4, b"ftyp", "audio/mp4"),
)
"""What browsers record, by the bytes that stand at a place of the file."""


class UploadedPictures:
    """A FileStore of what was uploaded lately; the oldest goes when there is too much.

    Voice notes are among them: what is fetched of those is kept no longer.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._bytes = 0

    def keep(self, name: str, content: bytes) -> Attachment:
        """Keep a picture; what comes with the message that it was sent with.

        Raises:
            NotAPicture: it is too large, or nothing that models read.

        """
        kind = media_type_of(content)
        if kind is None or len(content) > MOST_PICTURE_BYTES:
            raise NotAPicture("That is no picture that I can read, or it is too large.")
        address = self._put(SCHEME, content)
        return Attachment(name=name, media_type=kind, size=len(content), url=address)

    def keep_voice(self, content: bytes) -> Attachment:
        """Keep a voice note until it is listened to.

        Raises:
            NotASound: it is too large, or nothing that browsers record.

        """
        found = (kind for at, mark, kind in _SOUNDS if content[at:].startswith(mark))
        kind = next(found, None)
        if kind is None or len(content) > MOST_VOICE_BYTES:
            raise NotASound("That is no voice note that I can listen to, or it is too long.")
        address = self._put(HEARD_ONCE, content)
        return Attachment(
            name="", media_type=kind, size=len(content), url=address, kind=NoteKind.VOICE
        )

    async def fetch(self, url: str, most_bytes: int) -> bytes | None:
        """The file, or None where it is kept no more."""
        content = self._kept.get(url)
        if content is None or len(content) > most_bytes:
            return None
        if url.startswith(HEARD_ONCE):
            self._bytes -= len(self._kept.pop(url))
        return content

    def _put(self, scheme: str, content: bytes) -> str:
        address = f"{scheme}{uuid4().hex}"
        self._kept[address] = content
        self._bytes += len(content)
        while self._bytes > MOST_BYTES:
            self._bytes -= len(self._kept.popitem(last=False)[1])
        return address
