"""Discord's events as the inbox wants them. Pure: what must be asked for is asked for before.

What a guild says of itself (a member joined, pinned, boosted) is left alone: it has no author, and
nothing of it is worth keeping. So are the words of bots and webhooks.
"""

from dataclasses import dataclass, field

import discord

from bot.channels.discord.inbound.mentions import text_of
from bot.channels.discord.inbound.parts import attachments_of, parts_of
from bot.channels.discord.inbound.rooms import (
    PLATFORM,
    GuildRules,
    Place,
    author_of,
    manages,
    room_of,
    space_of,
)
from bot.model.events import AuthorRef, Deleted, Edited, Inbound, RoomRef, Typing
from memory.model.rooms import SpaceId

_SAID = frozenset({discord.MessageType.default, discord.MessageType.reply})
"""The kinds of message that have an author."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventReader:
    """Whose eyes the events are read with: the account, its name, what a guild's channels are.

    `content`: whether Discord shows it what is said in guilds without a mention.
    """

    pet_id: int
    pet_name: str
    guilds: GuildRules = field(default_factory=GuildRules)
    content: bool = True

    @property
    def pet(self) -> tuple[int, str]:
        """The account and its name."""
        return self.pet_id, self.pet_name


def is_said(message: discord.Message) -> bool:
    """Whether a person wrote this, and not a program or Discord itself."""
    return not message.author.bot and message.webhook_id is None and message.type in _SAID


def inbound_of(
    message: discord.Message, place: Place, shared: frozenset[SpaceId], reading: EventReader
) -> Inbound:
    """A message in its place; `shared` are the spaces of who writes in a direct room."""
    room = room_of(place, reading.guilds, speaker=message.author.display_name)
    return Inbound(
        external_id=str(message.id),
        room=room,
        author=author_of(message.author),
        text=text_of(message, reading.pet, reading.guilds),
        sent_at=message.created_at,
        reply_to=_answered(message),
        mentions_pet=mentions_pet(message, reading.pet_id),
        spaces=shared if message.guild is None else frozenset({space_of(message.guild.id)}),
        manages_space=message.guild is not None and manages(message.author),
        attachments=tuple(attachments_of(message)),
        parts=parts_of(message, reading.pet),
    )


def edited_of(event: discord.RawMessageUpdateEvent, reading: EventReader) -> Edited | None:
    """What a message says now; None when Discord does not tell, or the words did not change.

    Discord tells of links it has unfolded, of pins and of threads in the same way.
    """
    message = event.message
    if message.edited_at is None or not is_said(message) or "content" not in event.data:
        return None
    text = text_of(message, reading.pet, reading.guilds)
    attachments = tuple(attachments_of(message))
    parts = parts_of(message, reading.pet)
    if not text and not attachments and not parts and not reading.content:
        return None
    return Edited(
        platform=PLATFORM,
        external_id=str(message.id),
        text=text,
        author=author_of(message.author),
        attachments=attachments,
        parts=parts,
    )


def deleted_of(message_id: int) -> Deleted:
    """A message that is gone."""
    return Deleted(platform=PLATFORM, external_id=str(message_id))


def typing_of(event: discord.RawTypingEvent, room: RoomRef) -> Typing:
    """The sign that an account is typing; the account is all that it surely holds."""
    name = event.user.display_name if event.user else ""
    author = AuthorRef(platform=PLATFORM, external_id=str(event.user_id), name=name)
    return Typing(room=room, author=author)


def mentions_pet(message: discord.Message, pet_id: int) -> bool:
    """Whether a message calls the account, the role that Discord made for it, or answers it."""
    if any(user.id == pet_id for user in message.mentions):
        return True
    if any(role.tags and role.tags.bot_id == pet_id for role in message.role_mentions):
        return True
    answered = message.reference.resolved if _answered(message) and message.reference else None
    return isinstance(answered, discord.Message) and answered.author.id == pet_id


def _answered(message: discord.Message) -> str | None:
    """The id of the message that this one answers; forwarding is not answering."""
    reference = message.reference
    if message.type is not discord.MessageType.reply or reference is None:
        return None
    return None if reference.message_id is None else str(reference.message_id)
