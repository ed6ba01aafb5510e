"""Telegram's messages and reactions as the inbox wants them. Pure."""

from dataclasses import dataclass
from datetime import UTC, datetime

from bot.channels.telegram.inbound.files import attachments_of
from bot.channels.telegram.inbound.objects import ChatType, MessageReaction, TelegramMessage
from bot.channels.telegram.inbound.parts import parts_of, typed
from bot.channels.telegram.inbound.rooms import (
    PLATFORM,
    GroupRules,
    author_of,
    id_of,
    message_id_of,
    person_of,
    room_in,
)
from bot.channels.telegram.inbound.words import BotAccount, calls, calls_another, words_of
from bot.model.events import AuthorRef, Edited, Inbound, ReactionsChanged, RoomRef
from memory.model.rooms import RoomKind, SpaceId

LATEST = 32_503_680_000
"""Seconds since 1970 of a moment that no message is from: the year 3000."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VouchedStanding:
    """What Telegram vouches for about who wrote: their groups where they write to the pet alone."""

    spaces: frozenset[SpaceId] = frozenset()
    manages_space: bool = False


def is_read(message: TelegramMessage, pet: BotAccount, rules: GroupRules) -> bool:
    """Whether a message has words, a file or a thing of an account that is no bot.

    What a chat says of itself (a member joined, a message was pinned) has neither. A command of
    another bot's is for that one.
    """
    if message.chat.type is ChatType.CHANNEL or calls_another(message, pet):
        return False
    return bool(words_of(message, pet) or attachments_of(message) or parts_of(message, pet, rules))


def inbound_of(
    message: TelegramMessage,
    author: AuthorRef,
    standing: VouchedStanding,
    pet: BotAccount,
    rules: GroupRules,
) -> Inbound:
    """A message in its room."""
    room = room_in(message, rules, speaker=author.name)
    return Inbound(
        external_id=id_of(message),
        room=room,
        author=author,
        text=typed(message, pet),
        sent_at=moment(message.date),
        reply_to=_answered(message),
        mentions_pet=calls(message, pet),
        spaces=standing.spaces or spaces_in(room),
        manages_space=standing.manages_space,
        attachments=attachments_of(message),
        parts=parts_of(message, pet, rules),
    )


def spaces_in(room: RoomRef) -> frozenset[SpaceId]:
    """The community that who writes in a group is in; none of who writes to the pet alone."""
    return frozenset() if room.kind is RoomKind.DIRECT else frozenset({room.space})


def edited_of(
    message: TelegramMessage, pet: BotAccount, rules: GroupRules, *, is_missed: bool
) -> Edited | None:
    """A message that was changed; None where a program changed it."""
    author = author_of(message, rules)
    if author is None or author.is_bot or not is_read(message, pet, rules):
        return None
    return Edited(
        platform=PLATFORM,
        external_id=id_of(message),
        text=typed(message, pet),
        room=room_in(message, rules, speaker=author.name),
        author=None if is_missed else author,
        attachments=attachments_of(message),
        parts=parts_of(message, pet, rules),
    )


def reacted_of(changed: MessageReaction, rules: GroupRules) -> ReactionsChanged | None:
    """The emoji that a member has at a message now; an emoji of its own make is left away."""
    if changed.user is not None:
        author = person_of(changed.user)
    elif (chat := changed.actor_chat) is not None:
        author = AuthorRef(
            platform=PLATFORM, external_id=str(rules.moves.first_of(chat.id)), name=chat.title or ""
        )
    else:
        return None
    emoji = tuple(one.emoji for one in changed.new_reaction if one.emoji)
    external_id = message_id_of(changed.chat.id, changed.message_id)
    return ReactionsChanged(platform=PLATFORM, external_id=external_id, author=author, emoji=emoji)


def moment(seconds: int) -> datetime:
    """A moment of Telegram's, which counts seconds since 1970."""
    return datetime.fromtimestamp(min(max(seconds, 0), LATEST), UTC)


def _answered(message: TelegramMessage) -> str | None:
    answered = message.reply_to_message
    if answered is None or answered.forum_topic_created is not None:
        return None
    return id_of(answered)
