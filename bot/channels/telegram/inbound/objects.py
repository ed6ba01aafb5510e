"""What Telegram sends, as far as the pet reads it.

The names are those of https://core.telegram.org/bots/api#available-types; what it sends besides is
left alone.
"""

from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class TelegramObject(BaseModel):
    """One object of the Bot API."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class ChatType(StrEnum):
    """What a chat is."""

    PRIVATE = "private"
    GROUP = "group"
    SUPERGROUP = "supergroup"
    CHANNEL = "channel"


class User(TelegramObject):
    """A person or a bot."""

    id: int
    is_bot: bool = False
    first_name: str = ""
    last_name: str | None = None
    username: str | None = None
    language_code: str | None = None


class Chat(TelegramObject):
    """A direct chat, a group or a channel."""

    id: int
    type: ChatType
    title: str | None = None
    username: str | None = None
    first_name: str | None = None
    last_name: str | None = None


class Entity(TelegramObject):
    """A part of a text that is something; places count UTF-16 units."""

    type: str
    offset: int
    length: int
    user: User | None = None


class Photo(TelegramObject):
    """One size of a picture."""

    file_id: str
    file_size: int | None = None
    width: int = 0
    height: int = 0


class File(TelegramObject):
    """A document, a voice, a video: what all of them have."""

    file_id: str
    file_name: str | None = None
    mime_type: str | None = None
    file_size: int | None = None
    duration: float = 0


class Sticker(TelegramObject):
    """A sticker, and the emoji it stands for."""

    file_id: str
    emoji: str | None = None
    is_animated: bool = False
    is_video: bool = False
    file_size: int | None = None


class Location(TelegramObject):
    """A point on the map."""

    latitude: float
    longitude: float


class Venue(TelegramObject):
    """A place with a name."""

    title: str = ""
    address: str = ""


class Contact(TelegramObject):
    """A card of a person; their number is not read."""

    first_name: str = ""
    last_name: str | None = None


class PollOption(TelegramObject):
    """What can be chosen."""

    text: str = ""


class Poll(TelegramObject):
    """A question with its options."""

    question: str = ""
    options: tuple[PollOption, ...] = ()


class Dice(TelegramObject):
    """A die that was cast."""

    emoji: str = ""
    value: int = 0


class ForumTopic(TelegramObject):
    """A topic of a forum that was opened or renamed."""

    name: str | None = None


class Button(TelegramObject):
    """A button under a message."""

    text: str = ""
    callback_data: str | None = None


class Keyboard(TelegramObject):
    """The rows of buttons under a message."""

    inline_keyboard: tuple[tuple[Button, ...], ...] = ()


class QuotedPart(TelegramObject):
    """The part of a message that a reply is about."""

    text: str = ""


class MessageOrigin(TelegramObject):
    """Where a forwarded message comes from: an account, its name alone, a group or a channel."""

    type: str = ""
    sender_user: User | None = None
    sender_user_name: str | None = None
    sender_chat: Chat | None = None
    chat: Chat | None = None
    author_signature: str | None = None


class ExternalReply(TelegramObject):
    """A message of another chat, or another topic, that a reply is about; its words are a quote."""

    origin: MessageOrigin | None = None
    location: Location | None = None
    venue: Venue | None = None
    contact: Contact | None = None
    poll: Poll | None = None
    dice: Dice | None = None


class TelegramMessage(TelegramObject):
    """A message; one that is too old to be told of has no date.

    An ephemeral one, which a single member of a group reads, has 0 for a number and another in
    `ephemeral_message_id`; `receiver_user` is whom it is for, person or bot.
    """

    message_id: int
    ephemeral_message_id: int | None = None
    receiver_user: User | None = None
    date: int = 0
    chat: Chat
    message_thread_id: int | None = None
    is_topic_message: bool = False
    from_: User | None = Field(None, alias="from")
    sender_chat: Chat | None = None
    is_automatic_forward: bool = False
    author_signature: str | None = None
    edit_date: int | None = None
    text: str | None = None
    caption: str | None = None
    entities: tuple[Entity, ...] = ()
    caption_entities: tuple[Entity, ...] = ()
    reply_to_message: "TelegramMessage | None" = None
    forward_origin: MessageOrigin | None = None
    external_reply: ExternalReply | None = None
    quote: QuotedPart | None = None
    photo: tuple[Photo, ...] = ()
    document: File | None = None
    animation: File | None = None
    audio: File | None = None
    video: File | None = None
    video_note: File | None = None
    voice: File | None = None
    sticker: Sticker | None = None
    location: Location | None = None
    venue: Venue | None = None
    contact: Contact | None = None
    poll: Poll | None = None
    dice: Dice | None = None
    story: object = None
    paid_media: object = None
    checklist: object = None
    game: object = None
    giveaway: object = None
    giveaway_winners: object = None
    invoice: object = None
    forum_topic_created: ForumTopic | None = None
    forum_topic_edited: ForumTopic | None = None
    migrate_to_chat_id: int | None = None
    migrate_from_chat_id: int | None = None
    reply_markup: Keyboard | None = None


class CallbackQuery(TelegramObject):
    """A press of a button."""

    id: str
    from_: User = Field(alias="from")
    message: TelegramMessage | None = None
    data: str | None = None


class ReactionType(TelegramObject):
    """An emoji that was put at a message; a custom one has none."""

    type: str
    emoji: str | None = None


class MessageReaction(TelegramObject):
    """What a member has at a message from now on."""

    chat: Chat
    message_id: int
    user: User | None = None
    actor_chat: Chat | None = None
    date: int = 0
    new_reaction: tuple[ReactionType, ...] = ()


class ChatMember(TelegramObject):
    """What an account is in a chat; one who is restricted may still be in it."""

    status: str
    is_member: bool | None = None
    can_send_messages: bool | None = None
    user: User | None = None


class MemberUpdated(TelegramObject):
    """The pet was let into a chat, or put out of it."""

    chat: Chat
    date: int
    from_: User | None = Field(None, alias="from")
    old_chat_member: ChatMember
    new_chat_member: ChatMember


class Update(TelegramObject):
    """One thing that happened; at most one of the fields is there."""

    update_id: int
    message: TelegramMessage | None = None
    edited_message: TelegramMessage | None = None
    callback_query: CallbackQuery | None = None
    message_reaction: MessageReaction | None = None
    my_chat_member: MemberUpdated | None = None

    @property
    def chat(self) -> Chat | None:
        """Where it happened."""
        about: Any = (
            self.message
            or self.edited_message
            or self.message_reaction
            or self.my_chat_member
            or (self.callback_query and self.callback_query.message)
        )
        return about.chat if about else None


ALLOWED = ("message", "edited_message", "callback_query", "message_reaction", "my_chat_member")
"""The kinds of updates to ask for: Telegram sends reactions only to bots that name them."""
