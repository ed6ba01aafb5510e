"""Files on Telegram: those that come with messages, and where they are fetched from."""

from dataclasses import dataclass, replace

import structlog
from pydantic import ValidationError

from bot.channels.telegram.inbound.objects import (
    File,
    Photo,
    Sticker,
    TelegramMessage,
    TelegramObject,
)
from bot.channels.telegram.service.api import HttpBotApi
from bot.errors import DeliveryFailed
from bot.model.events import Attachment
from memory.model.parts import NoteKind

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
        return (_sticker(sticker),)
    kinds = (
        (message.animation, NoteKind.ANIMATION, "video/mp4"),
        (message.document, NoteKind.DOCUMENT, ""),
        (message.audio, NoteKind.AUDIO, "audio/mpeg"),
        (message.video, NoteKind.VIDEO, "video/mp4"),
        (message.video_note, NoteKind.VIDEO_NOTE, "video/mp4"),
        (message.voice, NoteKind.VOICE, "audio/ogg"),
    )
    # An animation is told as a document as well, for programs that know no animations.
    found = [_file(one, kind, media) for one, kind, media in kinds if one is not None]
    return tuple(found[:1])


def _photo(sizes: tuple[Photo, ...]) -> Attachment:
    by_area = sorted(sizes, key=lambda one: one.width * one.height)
    fitting = [one for one in by_area if (one.file_size or 0) <= LARGEST_SEEN]
    best = (fitting or by_area)[-1]
    return _attachment(NoteKind.PHOTO, "", "image/jpeg", (best.file_size, best.file_id))


def _sticker(sticker: Sticker) -> Attachment:
    still = not (sticker.is_animated or sticker.is_video)
    media = "image/webp" if still else ""
    file = (sticker.file_size, sticker.file_id)
    return _attachment(NoteKind.STICKER, sticker.emoji or "", media, file)


def _file(file: File, kind: NoteKind, media: str) -> Attachment:
    found = (file.file_size, file.file_id)
    shown = _attachment(kind, file.file_name or "", file.mime_type or media, found)
    return replace(shown, seconds=file.duration)


def _attachment(kind: NoteKind, name: str, media: str, file: tuple[int | None, str]) -> Attachment:
    size, file_id = file
    return Attachment(
        name=name, media_type=media, size=size or 0, url=f"{SCHEME}{file_id}", kind=kind
    )
