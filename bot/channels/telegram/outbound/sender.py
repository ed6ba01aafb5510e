"""What the pet sends on Telegram: replies, reactions, files, and that it is writing."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import structlog

from bot.channels.telegram.inbound.rooms import (
    ChatPlace,
    GroupRules,
    message_id_of,
    number_in,
    place_of,
    room_number,
    whisper_id_of,
)
from bot.channels.telegram.outbound.entities import TEXT_LIMIT, shown
from bot.channels.telegram.outbound.flood_gate import FloodGate
from bot.channels.telegram.outbound.refusals import RefusingRooms, RoomShut, refusal_of
from bot.channels.telegram.service.api import BotApi, HttpBotApi, described, moved_to
from bot.errors import DeliveryFailed, DeliveryRefused
from bot.model.commands import Attached
from bot.model.turns import Outgoing
from bot.platforms.expressions import with_emoji
from bot.platforms.http_api import ApiRefused, OutcomeUnknown
from memory.model.rooms import Room

log = structlog.get_logger()

_SELECTOR = "\ufe0f"

_JOINED = frozenset(
    {
        "\u2764\u200d\U0001f525",
        "\U0001f468\u200d\U0001f4bb",
        "\U0001f937\u200d\u2642",
        "\U0001f937\u200d\u2640",
    }
)
"""Those of several characters, without selectors: a heart on fire, a technologist, who shrugs."""

TAKEN = _JOINED | frozenset(
    "👍👎❤🔥🥰👏😁🤔🤯😱🤬😢🎉🤩🤮💩🙏👌🕊🤡"
    "🥱🥴😍🐳🌚🌭💯🤣⚡🍌🏆💔🤨😐🍓🍾💋🖕😈😴"
    "😭🤓👻👀🎃🙈😇😨🤝✍🤗🫡🎅🎄☃💅🤪🗿🆒💘"
    "🙉🦄😘💊🙊😎👾🤷😡"
)
"""All emoji that Telegram takes at a message; a group may take fewer.

https://core.telegram.org/bots/api#reactiontypeemoji
"""


def reaction_of(text: str) -> str | None:
    """The emoji as Telegram writes it, which is without selectors; None for one it has not."""
    bare = text.replace(_SELECTOR, "")
    return bare if bare in TAKEN else None


FaceStyle = Literal["emoji", "none"]

TYPING_LIMIT_S = 3.0
"""Seconds for showing that it writes."""

Keyboard = list[list[dict[str, str]]]
"""Rows of buttons."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TelegramForm:
    """One message as it is sent: its words, what it answers there, its buttons."""

    place: ChatPlace
    text: str
    answers: int | None = None
    keyboard: Keyboard | None = None
    plain: bool = False
    """Without entities."""


class TelegramSender:
    """Sends through the Bot API, and keeps to its flood control by one gate for all that it sends.

    There is no nonce: what may have been taken although no answer came is not sent again.
    """

    def __init__(
        self, api: BotApi, rules: GroupRules, refusing: RefusingRooms, face: FaceStyle = "emoji"
    ) -> None:
        self._api = api
        self._rules = rules
        self._refusing = refusing
        self._face = face
        self._gate = FloodGate()

    async def send(self, message: Outgoing) -> str | None:
        """Put a message into its room: the id it got there, None where it has none.

        One that became a reaction has none, and one that Telegram may have taken or not.

        Raises:
            DeliveryFailed: Telegram cannot be reached, is overloaded or refuses the token.
            DeliveryRefused: the room is gone or closed to the pet, or the text is not taken.

        """
        place = self._place(message.room)
        answers = None if message.answers is None else number_in(message.answers, place.chat)
        emoji = None if place.reader is not None else reaction_of(message.text)
        if answers is not None and emoji and await self._reacted(place.chat, answers, emoji):
            return None
        face = message.expression if self._face == "emoji" else None
        text = with_emoji(message.text, face, TEXT_LIMIT)
        return await self.post(TelegramForm(place=place, text=text, answers=answers)) or None

    async def post(self, form: TelegramForm) -> str:
        """Send a message as it is; its id, "" where Telegram did not say whether it took it.

        Raises:
            DeliveryFailed: see `send`.
            DeliveryRefused: see `send`.

        """
        try:
            sent = await self._patiently(form.place.chat, "sendMessage", **_parameters(form))
        except ApiRefused as refused:
            return await self._again(form, refused)
        except OutcomeUnknown as lost:
            log.warning("delivery.unconfirmed", reason=str(lost))
            return ""
        self._refusing.opened(self._room(form.place))
        if not isinstance(sent, dict) or not isinstance(sent.get("message_id"), int):
            raise DeliveryFailed("Telegram gave no answer that can be read.")
        if form.place.reader is not None:
            whisper = sent.get("ephemeral_message_id", 0)
            return whisper_id_of(form.place.chat, form.place.reader, whisper)
        return message_id_of(form.place.chat, sent["message_id"])

    async def edit(self, form: TelegramForm, message: int) -> bool:
        """Put words and buttons in the place of a message of the pet's; whether it was taken."""
        parameters = _parameters(replace(form, answers=None))
        parameters.pop("message_thread_id", None)
        method, about = "editMessageText", {"message_id": message}
        if form.place.reader is not None:
            parameters.pop("ephemeral_message_parameters")
            method, about = "editEphemeralMessageText", {"ephemeral_message_id": message}
        try:
            await self._patiently(form.place.chat, method, **about, **parameters)
        except ApiRefused as refused:
            return "not modified" in described(refused)
        return True

    async def file(self, api: HttpBotApi, place: ChatPlace, file: Attached) -> None:
        """Send a file; what one person alone is to read goes to their own chat.

        Raises:
            DeliveryFailed: Telegram did not take it.
            DeliveryRefused: it never will.

        """
        to = place if place.reader is None else ChatPlace(chat=place.reader)
        sending = partial(
            api.upload,
            "sendDocument",
            "document",
            (file.name, file.content),
            chat_id=to.chat,
            message_thread_id=to.thread,
        )
        try:
            await self._gate.passed(to.chat, sending)
        except ApiRefused as refused:
            raise self._refused(to, refused) from refused
        except OutcomeUnknown as lost:
            log.warning("delivery.unconfirmed", reason=str(lost))

    async def show_typing(self, room: Room) -> None:
        """Show for some seconds that the pet is writing; a failure shows nothing.

        It is not shown where only one member is answered, or while the chat has to wait.
        """
        try:
            place = self._place(room)
            if place.reader is not None or self._gate.is_closed(place.chat):
                return
            await self._api.call(
                "sendChatAction",
                limit_s=TYPING_LIMIT_S,
                chat_id=place.chat,
                message_thread_id=place.thread,
                action="typing",
            )
        except DeliveryFailed as error:
            log.debug("typing.failed", room=room.id, reason=str(error))

    def _place(self, room: Room) -> ChatPlace:
        try:
            return place_of(room.external_id, self._rules)
        except ValueError:
            raise DeliveryRefused("That is no room of Telegram's.") from None

    async def _reacted(self, chat: int, message: int, emoji: str) -> bool:
        try:
            await self._patiently(
                chat,
                "setMessageReaction",
                message_id=message,
                reaction=[{"type": "emoji", "emoji": emoji}],
            )
        except ApiRefused as refused:
            log.debug("request.refused", status=refused.status)
            return False
        return True

    async def _again(self, form: TelegramForm, refused: ApiRefused) -> str:
        """The id of a message that was refused in this form, sent in another one.

        Raises:
            DeliveryRefused: there is none.

        """
        if (new := moved_to(refused)) is not None and new != form.place.chat:
            self._rules.moves.moved(form.place.chat, new)
            place = ChatPlace(chat=new)
            return await self.post(replace(form, place=place, answers=None))
        if not form.plain and "entit" in described(refused):
            return await self.post(replace(form, plain=True))
        if form.place.reader is not None:  # too late to answer where only they read it
            place = ChatPlace(chat=form.place.reader)
            return await self.post(replace(form, place=place, answers=None))
        raise self._refused(form.place, refused) from refused

    def _refused(self, place: ChatPlace, refused: ApiRefused) -> DeliveryRefused:
        """A refusal in our words; it is kept in mind where it is of the room."""
        error = refusal_of(refused)
        if isinstance(error, RoomShut):
            self._refusing.refused(self._room(place), error.kind)
        return error

    def _room(self, place: ChatPlace) -> str:
        """The number of a room, by where it is now."""
        return room_number(self._rules.moves.first_of(place.chat), place.thread)

    async def _patiently(self, chat: int, method: str, **parameters: Any) -> Any:
        """The result of a method for a chat, once flood control lets it through."""
        return await self._gate.passed(
            chat, partial(self._api.call, method, chat_id=chat, **parameters)
        )


def _parameters(form: TelegramForm) -> dict[str, Any]:
    """A form as https://core.telegram.org/bots/api#sendmessage takes it.

    Links show no preview: a remembered link is not what the answer is about, and its server need
    not hear of it again.
    """
    text, entities = (form.text, []) if form.plain else shown(form.text)
    parameters: dict[str, Any] = {"text": text, "link_preview_options": {"is_disabled": True}}
    if entities:
        parameters["entities"] = entities
    if form.place.thread is not None:
        parameters["message_thread_id"] = form.place.thread
    if form.place.reader is not None:
        parameters |= _for_one_reader(form.place.reader)
    if form.answers is not None and form.place.reader is None:
        parameters["reply_parameters"] = {
            "message_id": form.answers,
            "allow_sending_without_reply": True,
        }
    elif form.answers is not None:
        parameters["reply_parameters"] = {"ephemeral_message_id": form.answers}
    if form.keyboard is not None:
        parameters["reply_markup"] = {"inline_keyboard": form.keyboard}
    return parameters


def _for_one_reader(user: int) -> dict[str, Any]:
    """What has a message shown to one member of a group alone.

    The Bot API took the person as a parameter of its own in version 10.2, and takes it as an
    object since: https://core.telegram.org/bots/api#ephemeralmessageparameters. A server that knows
    neither would show all of it to everybody, and tells of no ephemeral messages to answer.
    """
    return {
        "receiver_user_id": user,
        "ephemeral_message_parameters": {"receiver_user_id": user},
    }
