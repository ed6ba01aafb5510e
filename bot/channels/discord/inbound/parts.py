"""What of a Discord message its author did not type: forwarded words, files and polls. Pure."""

from collections.abc import Iterator

import discord

from bot.channels.discord.inbound.mentions import Names, readable
from bot.model.events import Attachment
from memory.model.parts import NoteKind, Part, PartSource

_STICKERS = {
    discord.StickerFormatType.png: "image/png",
    discord.StickerFormatType.apng: "image/png",
    discord.StickerFormatType.gif: "image/gif",
}


def parts_of(message: discord.Message, pet: tuple[int, str]) -> tuple[Part, ...]:
    """What a message asks by a poll, and what it forwards.

    Discord does not say whose words are forwarded, nor what the numbers in them stand for.
    """
    polls = () if message.poll is None else (_poll(message.poll),)
    forwarded = (
        Part(source=PartSource.FORWARDED, text=readable(one.content, Names(pet=pet)))
        for one in message.message_snapshots
    )
    return (*polls, *forwarded)


def attachments_of(message: discord.Message) -> Iterator[Attachment]:
    """The files of a message and of what it forwards, and stickers as files."""
    shown: tuple[discord.Message | discord.MessageSnapshot, ...]
    shown = (message, *message.message_snapshots)
    for one in shown:
        yield from map(_file, one.attachments)
        yield from map(_sticker, one.stickers)


def _poll(poll: discord.Poll) -> Part:
    options = " / ".join(answer.text for answer in poll.answers)
    return Part(source=PartSource.NOTE, text=f"{poll.question} ({options})", note=NoteKind.POLL)


def _file(file: discord.Attachment) -> Attachment:
    return Attachment(
        name=file.filename,
        media_type=file.content_type or "",
        size=file.size,
        url=file.url,
        kind=NoteKind.VOICE if file.is_voice_message() else None,
        seconds=file.duration or 0,
    )


def _sticker(sticker: discord.StickerItem) -> Attachment:
    return Attachment(
        name=sticker.name,
        media_type=_STICKERS.get(sticker.format, ""),
        size=0,
        url=sticker.url,
        kind=NoteKind.STICKER,
    )
