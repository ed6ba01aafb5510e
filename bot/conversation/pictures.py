"""The pictures that come with messages, for a model that can see."""

import asyncio
from collections.abc import Mapping
from typing import Protocol

from bot.model.events import Attachment
from bot.model.requests import Picture
from bot.model.turns import Batch, Heard
from bot.ports import FileStore

MOST = 4
"""Pictures of one turn; each is paid for as about 1,500 tokens, in every round of the turn."""

MOST_BYTES = 3_900_000
"""Of one picture: 5 MiB in base64, which is all that Anthropic takes. Four are 21 MB of its 32."""

_BEGINNINGS = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}

_TYPES = frozenset({*_BEGINNINGS.values(), "image/webp"})
"""What models read."""


class Pictures(Protocol):
    """Shows what came with the words of a batch."""

    async def of(self, batch: Batch) -> tuple[Picture, ...]:
        """The pictures of a batch, in order; those that cannot be had are left out."""
        ...


class NoPictures:
    """Shows nothing, to a model that cannot see."""

    async def of(self, batch: Batch) -> tuple[Picture, ...]:
        """Nothing of any batch."""
        del batch
        return ()


class AttachedPictures:
    """Fetches pictures from the stores of the platforms that have one, by platform."""

    def __init__(self, stores: Mapping[str, FileStore]) -> None:
        self._stores = stores

    async def of(self, batch: Batch) -> tuple[Picture, ...]:
        """The last pictures of a batch, in order; those that cannot be had are left out."""
        attached = [
            (one, file) for one in batch.heard for file in one.attachments if _is_seen(file)
        ]
        seen = await asyncio.gather(*(self._seen(one, file) for one, file in attached[-MOST:]))
        return tuple(picture for picture in seen if picture is not None)

    async def _seen(self, heard: Heard, file: Attachment) -> Picture | None:
        store = self._stores.get(heard.channel)
        content = await store.fetch(file.url, MOST_BYTES) if store else None
        kind = media_type_of(content) if content else None
        return Picture(media_type=kind, content=content) if content and kind else None


def media_type_of(content: bytes) -> str | None:
    """What the first bytes say a picture is; None when it is nothing that models read."""
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for mark, kind in _BEGINNINGS.items() if content.startswith(mark)), None)


def _is_seen(file: Attachment) -> bool:
    return file.media_type.partition(";")[0].lower() in _TYPES and file.size <= MOST_BYTES
