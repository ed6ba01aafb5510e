"""What the pet sends on Telegram: replies, reactions, files, and that it is writing."""

import asyncio
from dataclasses import dataclass, replace
from typing import Any, Literal

import structlog

from bot.channels.telegram.inbound.rooms import (
    ChatPlace,
    GroupRules,
    message_id_of,
    number_in,
    place_of,
)
from bot.channels.telegram.outbound.entities import TEXT_LIMIT, shown
from bot.channels.telegram.service.api import BotApi, HttpBotApi, described, moved_to
from bot.errors import DeliveryFailed, DeliveryRefused
from bot.model.commands import Attached
from bot.model.turns import Outgoing
from bot.platforms.expressions import with_emoji
from bot.platforms.http_api import ApiBusy, ApiRefused, OutcomeUnknown
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

LONGEST_WAIT_S = 90.0
"""Seconds that flood control may ask for while a reply waits: a group takes twenty a minute."""

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
    """Sends through the Bot API, and keeps to its flood control chat by chat.

    There is no nonce: what may have been taken although no answer came is not sent again.
    """

    def __init__(self, api: BotApi, rules: GroupRules, face: FaceStyle = "emoji") -> None:
        self._api = api
        self._rules = rules
        self._face = face
        self._held: dict[int, float] = {}

    async def send(self, message: Outgoing) -> str | None:
        """Put a message into its room: the id it got there, None where it has none.

        One that became a reaction has none, and one that Telegram may have taken or not.

        Raises:
            DeliveryFailed: Telegram cannot be reached, is overloaded or refuses the token.
            DeliveryRefused: the room is gone or closed to the pet, or the text is not taken.

        """
        place = self._place(message.room)
        answers = None if message.answers is None else number_in(message.answers, place.chat)
        emoji = reaction_of(message.text)
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
        if not isinstance(sent, dict) or not isinstance(sent.get("message_id"), int):
            raise DeliveryFailed("Telegram gave no answer that can be read.")
        return message_id_of(form.place.chat, sent["message_id"])

    async def edit(self, form: TelegramForm, message: int) -> bool:
        """Put words and buttons in the place of a message of the pet's; whether it was taken."""
        parameters = _parameters(replace(form, answers=None))
        parameters.pop("message_thread_id", None)
        try:
            await self._patiently(
                form.place.chat, "editMessageText", message_id=message, **parameters
            )
        except ApiRefused as refused:
            return "not modified" in described(refused)
        return True

    async def file(self, api: HttpBotApi, place: ChatPlace, file: Attached) -> None:
        """Send a file.

        Raises:
            DeliveryFailed: Telegram did not take it.

        """
        try:
            await api.upload(
                "sendDocument",
                "document",
                (file.name, file.content),
                chat_id=place.chat,
                message_thread_id=place.thread,
            )
        except OutcomeUnknown as lost:
            log.warning("delivery.unconfirmed", reason=str(lost))

    async def show_typing(self, room: Room) -> None:
        """Show for some seconds that the pet is writing; a failure shows nothing."""
        try:
            place = self._place(room)
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
        raise DeliveryRefused(str(refused)) from refused

    async def _patiently(self, chat: int, method: str, **parameters: Any) -> Any:
        """The result of a method for a chat, after the waits that flood control asks for."""
        loop = asyncio.get_running_loop()
        patience = loop.time() + LONGEST_WAIT_S
        while True:
            free_at = self._held.get(chat, 0.0)
            if free_at > patience:
                raise DeliveryFailed("Telegram asks to wait for long.")
            if free_at > loop.time():
                await asyncio.sleep(free_at - loop.time())
                continue
            try:
                return await self._api.call(method, chat_id=chat, **parameters)
            except ApiBusy as busy:
                wait_s = 1.0 if busy.retry_after_s is None else busy.retry_after_s
                log.info("sending.postponed", wait_s=wait_s)
                self._hold(chat, loop.time() + wait_s)

    def _hold(self, chat: int, until: float) -> None:
        now = asyncio.get_running_loop().time()
        self._held = {one: free_at for one, free_at in self._held.items() if free_at > now}
        self._held[chat] = max(until, self._held.get(chat, 0.0))


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
    if form.answers is not None:
        parameters["reply_parameters"] = {
            "message_id": form.answers,
            "allow_sending_without_reply": True,
        }
    if form.keyboard is not None:
        parameters["reply_markup"] = {"inline_keyboard": form.keyboard}
    return parameters
