"""Telegram's messages and reactions as the inbox wants them. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from bot.channels.telegram.inbound.files import attachments_of
from bot.channels.telegram.inbound.objects import (
    ChatType,
    Entity,
    MessageReaction,
    TelegramMessage,
)
from bot.channels.telegram.inbound.rooms import (
    PLATFORM,
    GroupRules,
    author_of,
    message_id_of,
    person_of,
    room_of,
    thread_of,
)
from bot.model.events import AuthorRef, Edited, Inbound, ReactionsChanged, RoomRef
from memory.model.rooms import RoomKind, SpaceId

LATEST = 32_503_680_000
"""Seconds since 1970 of a moment that no message is from: the year 3000."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BotAccount:
    """Who the pet is on Telegram."""

    id: int
    username: str
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class VouchedStanding:
    """What Telegram vouches for about who wrote: their groups where they write to the pet alone."""

    spaces: frozenset[SpaceId] = frozenset()
    manages_space: bool = False


def is_read(message: TelegramMessage) -> bool:
    """Whether a message has words or a file of an account that is no bot.

    What a chat says of itself (a member joined, a message was pinned) has neither.
    """
    return message.chat.type is not ChatType.CHANNEL and bool(
        words_of(message) or attachments_of(message)
    )


def inbound_of(
    message: TelegramMessage,
    author: AuthorRef,
    standing: VouchedStanding,
    pet: BotAccount,
    rules: GroupRules,
) -> Inbound:
    """A message in its room."""
    room = room_of(message.chat, thread_of(message), rules, speaker=author.name)
    return Inbound(
        external_id=message_id_of(message.chat.id, message.message_id),
        room=room,
        author=author,
        text=addressed_words(message, pet),
        sent_at=moment(message.date),
        reply_to=_answered(message),
        mentions_pet=calls(message, pet),
        spaces=standing.spaces or spaces_in(room),
        manages_space=standing.manages_space,
        attachments=attachments_of(message),
    )


def spaces_in(room: RoomRef) -> frozenset[SpaceId]:
    """The community that who writes in a group is in; none of who writes to the pet alone."""
    return frozenset() if room.kind is RoomKind.DIRECT else frozenset({room.space})


def edited_of(
    message: TelegramMessage, pet: BotAccount, rules: GroupRules, *, is_missed: bool
) -> Edited | None:
    """A message that was changed; None where a program changed it."""
    author = author_of(message, rules)
    if author is None or author.is_bot or not is_read(message):
        return None
    return Edited(
        platform=PLATFORM,
        external_id=message_id_of(message.chat.id, message.message_id),
        text=addressed_words(message, pet),
        room=room_of(message.chat, thread_of(message), rules, speaker=author.name),
        author=None if is_missed else author,
        attachments=attachments_of(message),
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


def words_of(message: TelegramMessage) -> str:
    """What a message says in words: its text, or what stands for a thing that is no file."""
    said = message.text or message.caption or ""
    return "\n".join(filter(None, (said, *_things(message))))


def addressed_words(message: TelegramMessage, pet: BotAccount) -> str:
    """The same, with the pet's name in the place of its username: that is what it answers to."""
    words = words_of(message)
    raw = words.encode("utf-16-le", "surrogatepass")
    for one in sorted(_entities(message), key=lambda one: -one.offset):
        if one.type == "mention" and one.offset >= 0 and _names_pet(message, one, pet):
            end = one.offset + one.length
            raw = raw[: 2 * one.offset] + f"@{pet.name}".encode("utf-16-le") + raw[2 * end :]
    return raw.decode("utf-16-le", "replace")


def calls(message: TelegramMessage, pet: BotAccount) -> bool:
    """Whether a message addresses the pet: by its mention, or by answering it.

    Each message in a topic answers the one that opened it, which is no answer to an account.
    """
    answered = message.reply_to_message
    if (
        answered is not None
        and answered.forum_topic_created is None
        and answered.from_ is not None
        and answered.from_.id == pet.id
    ):
        return True
    return any(_names_pet(message, one, pet) for one in _entities(message))


def moment(seconds: int) -> datetime:
    """A moment of Telegram's, which counts seconds since 1970."""
    return datetime.fromtimestamp(min(max(seconds, 0), LATEST), UTC)


def units(text: str, offset: int, length: int) -> str:
    """The part of a text at places that count UTF-16 units."""
    raw = text.encode("utf-16-le", "surrogatepass")
    if offset < 0 or length < 0:
        return ""
    return raw[2 * offset : 2 * (offset + length)].decode("utf-16-le", "replace")


def _entities(message: TelegramMessage) -> tuple[Entity, ...]:
    return message.entities if message.text else message.caption_entities


def _names_pet(message: TelegramMessage, entity: Entity, pet: BotAccount) -> bool:
    """Whether a part of a text is a mention of the pet, or a command for it by name."""
    if entity.user is not None:
        return entity.user.id == pet.id
    if entity.type not in {"mention", "bot_command"}:
        return False
    said = units(message.text or message.caption or "", entity.offset, entity.length)
    _, at, name = said.rpartition("@")
    return bool(at) and name.lower() == pet.username.lower()


def _answered(message: TelegramMessage) -> str | None:
    answered = message.reply_to_message
    if answered is None or answered.forum_topic_created is not None:
        return None
    return message_id_of(answered.chat.id, answered.message_id)


def _things(message: TelegramMessage) -> Iterator[str]:
    """Things that are shown and are no files, each as a line in brackets."""
    if (venue := message.venue) is not None:
        yield f"[{_line(venue.title)}, {_line(venue.address)}]"
    if (place := message.location) is not None:
        yield f"[{place.latitude:.5f}, {place.longitude:.5f}]"
    if (card := message.contact) is not None:
        yield f"[{_line(' '.join(filter(None, (card.first_name, card.last_name))))}]"
    if (poll := message.poll) is not None:
        options = " / ".join(_line(one.text) for one in poll.options)
        yield f"[{_line(poll.question)} {options}]"
    if (dice := message.dice) is not None:
        yield f"[{_line(dice.emoji)} {dice.value}]"


def _line(text: str) -> str:
    return " ".join(text.replace("[", "(").replace("]", ")").split())
