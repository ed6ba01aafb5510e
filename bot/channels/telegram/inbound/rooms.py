"""Telegram's chats and accounts in the pet's terms. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.channels.telegram.inbound.objects import Chat, ChatType, TelegramMessage, User
from bot.model.events import AuthorRef, RoomRef
from bot.platforms.moved_rooms import MovedRooms
from memory.model.rooms import RoomKind, RoomRole, SpaceId

PLATFORM = "telegram"
"""The platform of the rooms and accounts."""

MANAGERS = frozenset({"creator", "administrator"})
"""What who manages a group is called in it: https://core.telegram.org/bots/api#chatmember"""


@dataclass(slots=True, kw_only=True)
class GroupRules:
    """What groups are: the role of a room, the names of topics, and the first numbers of groups.

    A group that becomes a supergroup gets another number: `moves` has them.
    """

    default_role: RoomRole = RoomRole.LOBBY
    moves: MovedRooms[int] = field(default_factory=MovedRooms)
    topics: dict[tuple[int, int], str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatPlace:
    """Where a message goes to: a chat, the topic in it, and who alone is to read it there."""

    chat: int
    thread: int | None = None
    reader: int | None = None


_WHISPERED = "~"
"""Before the number of who alone reads a message, in the ids of its room and of itself."""


def place_of(room: str, rules: GroupRules) -> ChatPlace:
    """Where what is said in a room goes to, by its id.

    Raises:
        ValueError: it is no room of Telegram's.

    """
    where, _, reader = room.partition(_WHISPERED)
    chat, _, thread = where.partition(":")
    return ChatPlace(
        chat=rules.moves.now_of(int(chat)),
        thread=int(thread) if thread else None,
        reader=int(reader) if reader else None,
    )


def room_number(group: int, thread: int | None) -> str:
    """The id of a room: the first number that its chat had, and its topic."""
    return str(group) if thread is None else f"{group}:{thread}"


def space_of(number: int) -> SpaceId:
    """The community of a group."""
    return SpaceId(f"{PLATFORM}:{number}")


def message_id_of(chat: int, number: int) -> str:
    """The id of a message: its number is unique in its chat alone."""
    return f"{chat}:{number}"


def whisper_id_of(chat: int, reader: int, number: int) -> str:
    """The id of an ephemeral message: all have the number 0, and one of their own for a reader.

    https://core.telegram.org/bots/api#ephemeral-messages-and-commands
    """
    return f"{chat}:{_WHISPERED}{reader}:{number}"


def id_of(message: TelegramMessage) -> str:
    """The id of a message, also of an ephemeral one."""
    chat, reader = message.chat.id, reader_of(message)
    if reader is None or message.ephemeral_message_id is None:
        return message_id_of(chat, message.message_id)
    return whisper_id_of(chat, reader, message.ephemeral_message_id)


def reader_of(message: TelegramMessage) -> int | None:
    """The one member who reads an ephemeral message, said by them or the pet; None for others."""
    if message.ephemeral_message_id is None:
        return None
    both = (message.from_, message.receiver_user)
    return next((one.id for one in both if one is not None and not one.is_bot), None)


def place_in(message: TelegramMessage) -> ChatPlace:
    """Where an answer to a message goes to."""
    return ChatPlace(chat=message.chat.id, thread=thread_of(message), reader=reader_of(message))


def number_in(message: str, chat: int) -> int | None:
    """The number of a message by its id, where it stands in this chat."""
    where, _, number = message.partition(":")
    if number.startswith(_WHISPERED):
        number = number.partition(":")[2]
    return int(number) if where == str(chat) and number.isdecimal() else None


def person_of(user: User) -> AuthorRef:
    """An account under the name that the others see."""
    return AuthorRef(
        platform=PLATFORM, external_id=str(user.id), name=_name(user), is_bot=user.is_bot
    )


def author_of(message: TelegramMessage, rules: GroupRules) -> AuthorRef | None:
    """Who says a message; None for what no account says.

    An admin who stays unnamed speaks as the group, and a person may as a channel: such a chat is
    an account of its own. What a linked channel has posted to all is a program's copy.
    """
    if message.sender_chat is not None:
        return _chat_author(message, message.sender_chat, rules)
    return None if message.from_ is None else person_of(message.from_)


def is_unnamed_admin(message: TelegramMessage) -> bool:
    """Whether an admin speaks as the group itself, which Telegram lets no other member do."""
    return message.sender_chat is not None and message.sender_chat.id == message.chat.id


def thread_of(message: TelegramMessage) -> int | None:
    """The topic of a message; threads of replies in other groups are none."""
    is_topic = message.is_topic_message and message.chat.type is ChatType.SUPERGROUP
    return message.message_thread_id if is_topic else None


def room_in(message: TelegramMessage, rules: GroupRules, *, speaker: str = "") -> RoomRef:
    """The room of a message; one that a single person reads is said between them and the pet."""
    place = place_in(message)
    if place.reader is None:
        return room_of(message.chat, place.thread, rules, speaker=speaker)
    group = room_number(rules.moves.first_of(place.chat), place.thread)
    return RoomRef(
        platform=PLATFORM,
        external_id=f"{group}{_WHISPERED}{place.reader}",
        name=speaker,
        kind=RoomKind.DIRECT,
        role=RoomRole.PET,
    )


def room_of(chat: Chat, thread: int | None, rules: GroupRules, *, speaker: str = "") -> RoomRef:
    """A chat, or a topic in it, as a room; `speaker` names a direct chat that has no name.

    A group with a public name is read by who opens it, member or not: it is `public`, so that
    nothing of it is told elsewhere and nothing private to its members in it.
    """
    if chat.type is ChatType.PRIVATE:
        return RoomRef(
            platform=PLATFORM,
            external_id=str(chat.id),
            name=name_of_chat(chat) or speaker,
            kind=RoomKind.DIRECT,
            role=RoomRole.PET,
        )
    number = rules.moves.first_of(chat.id)
    title = chat.title or ""
    return RoomRef(
        platform=PLATFORM,
        external_id=room_number(number, thread),
        name=title if thread is None else rules.topics.get((chat.id, thread), title),
        kind=RoomKind.GROUP,
        role=rules.default_role,
        space=space_of(number),
        public=chat.username is not None,
        parent=None if thread is None else str(number),
        community=title,
    )


def name_of_chat(chat: Chat) -> str:
    """What a chat is called; "" for one that has no name."""
    return chat.title or " ".join(filter(None, (chat.first_name, chat.last_name)))


def named_topics(message: TelegramMessage) -> Mapping[tuple[int, int], str]:
    """The names of topics that a message tells: it answers the one that opened its topic."""
    found: dict[tuple[int, int], str] = {}
    for one in (message.reply_to_message, message):
        topic = one and (one.forum_topic_created or one.forum_topic_edited)
        thread = message.message_thread_id
        if topic and topic.name and thread is not None:
            found[message.chat.id, thread] = topic.name
    return found


def _chat_author(message: TelegramMessage, chat: Chat, rules: GroupRules) -> AuthorRef:
    return AuthorRef(
        platform=PLATFORM,
        external_id=str(rules.moves.first_of(chat.id)),
        name=name_of_chat(chat) or str(chat.id),
        is_bot=message.is_automatic_forward,
    )


def _name(user: User) -> str:
    return " ".join(filter(None, (user.first_name, user.last_name))) or user.username or ""
