"""Files on Telegram: those that come with messages, and where they are fetched from."""

from dataclasses import dataclass

import structlog
from pydantic import ValidationError

from bot.channels.telegram.api import HttpBotApi
from bot.channels.telegram.inbound.objects import File, Photo, TelegramMessage, TelegramObject
from bot.errors import DeliveryFailed
from bot.model.events import Attachment

log = structlog.get_logger()

SCHEME = "telegram-file:"
"""What the address of a file begins with: the real one has the token in it and lasts an hour."""

LARGEST_SEEN = 3_900_000
"""Bytes of a picture for a model; of several sizes the largest one below is taken."""


class _Found(TelegramObject):
    file_path: str | None = None
    file_size: int | None = None


@dataclass(frozen=True, slots=True)
class TelegramFiles:
    """The FileStore port over `getFile`.

    https://core.telegram.org/bots/api#getfile
    """

    api: HttpBotApi

    async def fetch(self, url: str, most_bytes: int) -> bytes | None:
        """The file, or None where it is not there, not Telegram's, too large or too slow."""
        if not url.startswith(SCHEME):
            return None
        try:
            told = await self.api.call("getFile", file_id=url.removeprefix(SCHEME))
            found = _Found.model_validate(told)
        except (DeliveryFailed, ValidationError) as error:
            log.info("file.missed", reason=type(error).__name__)
            return None
        if found.file_path is None or (found.file_size or 0) > most_bytes:
            return None
        return await self.api.fetch(found.file_path, most_bytes)


def attachments_of(message: TelegramMessage) -> tuple[Attachment, ...]:
    """The files that come with a message: Telegram sends one with each."""
    if message.photo:
        return (_photo(message.photo),)
    if (sticker := message.sticker) is not None:
        still = not (sticker.is_animated or sticker.is_video)
        kind = "image/webp" if still else ""
        name = f"{sticker.emoji or ''} sticker".strip()
        return (_attachment(name, kind, sticker.file_size, sticker.file_id),)
    kinds = (
        (message.animation, "animation", "video/mp4"),
        (message.document, "file", ""),
        (message.audio, "audio", "audio/mpeg"),
        (message.video, "video", "video/mp4"),
        (message.video_note, "video", "video/mp4"),
        (message.voice, "voice", "audio/ogg"),
    )
    # An animation is told as a document as well, for programs that know no animations.
    found = [_file(one, name, kind) for one, name, kind in kinds if one is not None]
    return tuple(found[:1])


def _photo(sizes: tuple[Photo, ...]) -> Attachment:
    by_area = sorted(sizes, key=lambda one: one.width * one.height)
    fitting = [one for one in by_area if (one.file_size or 0) <= LARGEST_SEEN]
    best = (fitting or by_area)[-1]
    return _attachment("photo.jpg", "image/jpeg", best.file_size, best.file_id)


def _file(file: File, name: str, kind: str) -> Attachment:
    return _attachment(file.file_name or name, file.mime_type or kind, file.file_size, file.file_id)


def _attachment(name: str, kind: str, size: int | None, file_id: str) -> Attachment:
    return Attachment(name=name, media_type=kind, size=size or 0, url=f"{SCHEME}{file_id}")
