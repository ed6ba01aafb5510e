"""Pictures that visitors send: kept in memory for the model to look at, and nowhere else."""

from collections import OrderedDict
from uuid import uuid4

from bot.conversation.pictures import media_type_of
from bot.errors import NotAPicture
from bot.model.events import Attachment

MOST_PICTURE_BYTES = 900_000
"""Of one picture: with its form it fits into the body that a request may have."""

MOST_BYTES = 32_000_000
"""Of all of them: what was sent in the last minutes, on a small machine."""

SCHEME = "upload:"
"""The beginning of the address of a picture here."""


class UploadedPictures:
    """A FileStore of what was uploaded lately; the oldest goes when there is too much."""

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
        address = f"{SCHEME}{uuid4().hex}"
        self._kept[address] = content
        self._bytes += len(content)
        while self._bytes > MOST_BYTES:
            self._bytes -= len(self._kept.popitem(last=False)[1])
        return Attachment(name=name, media_type=kind, size=len(content), url=address)

    async def fetch(self, url: str, most_bytes: int) -> bytes | None:
        """The picture, or None where it is kept no more."""
        content = self._kept.get(url)
        return content if content is not None and len(content) <= most_bytes else None
