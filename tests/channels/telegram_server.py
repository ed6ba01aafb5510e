"""A server that speaks the Bot API as it is documented, strictly, on loopback.

What stands in no documentation it does not do; what the pet sends that is not as documented is
refused, and written down as a fault.
"""

import asyncio
import itertools
import json
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from email.parser import BytesParser
from email.policy import HTTP
from typing import Any

from tests.channels.telegram_rules import BadRequest, Given, check, detected
from tests.edge.loopback import Answer, Asked, LoopbackServer

TOKEN = "7000001:AAtesttesttesttesttesttesttesttest"
BOT: Mapping[str, Any] = {
    "id": 7_000_001,
    "is_bot": True,
    "first_name": "Eko",
    "username": "eko_pet_bot",
}

SENDING = frozenset({"sendMessage", "sendDocument", "editMessageText", "setMessageReaction"})
"""What a flood is counted by."""

FIRST_NUMBER = 3
"""Of ephemeral messages, which have numbers of their own."""

Shown = dict[str, Any]


class Refusal(Exception):
    """A status of HTTP, the words for it, and its parameters."""

    def __init__(self, status: int, why: str, **parameters: Any) -> None:
        super().__init__(why)
        self.status, self.why, self.parameters = status, why, parameters


@dataclass
class FloodControl:
    """So many messages in so many seconds, of each chat and of all together; more are refused.

    `refused` counts those, as https://core.telegram.org/bots/faq has it in words alone.
    """

    of_chat: int
    of_bot: int
    within_s: float
    refused: int = 0
    taken: list[tuple[float, int]] = field(default_factory=list)

    def take(self, chat: int) -> None:
        """Count a message.

        Raises:
            Refusal: it is one too many.

        """
        now = time.monotonic()
        recent = [(at, one) for at, one in self.taken if now - at < self.within_s]
        here = [at for at, one in recent if one == chat]
        full = here if len(here) >= self.of_chat else [at for at, _ in recent]
        if len(here) >= self.of_chat or len(recent) >= self.of_bot:
            self.refused += 1
            wait_s = full[0] + self.within_s - now
            raise Refusal(
                429, "Too Many Requests: retry later", retry_after=round(wait_s + 0.01, 2)
            )
        self.taken = [*recent, (now, chat)]


@dataclass
class TelegramChat:
    """A chat with its members by their ids, and its messages by their numbers."""

    about: Shown
    members: dict[int, str] = field(default_factory=dict)
    messages: dict[int, Shown] = field(default_factory=dict)
    moved_to: int | None = None
    whispers: dict[tuple[int, int], Shown] = field(default_factory=dict)
    """Ephemeral messages by who reads them and their numbers."""

    @property
    def is_private(self) -> bool:
        """Whether it is with one person."""
        return bool(self.about["type"] == "private")


@dataclass
class TelegramServer:
    """Chats, what waits to be told of them, and what the bot asked for."""

    reads_groups: bool = True
    chats: dict[int, TelegramChat] = field(default_factory=dict)
    users: dict[int, Shown] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    asked: list[tuple[str, Given]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    waiting: dict[int, Shown] = field(default_factory=dict)
    told: dict[int, Shown] = field(default_factory=dict)
    again: list[Shown] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    answered: dict[str, Shown] = field(default_factory=dict)
    commands: dict[tuple[str, str], list[Shown]] = field(default_factory=dict)
    webhook: Shown = field(default_factory=dict)
    allowed: frozenset[str] = frozenset()
    token: str = TOKEN
    lost: int = 0
    """Of so many sendings that it takes, the answer is lost."""
    flood: FloodControl | None = None
    shut: dict[int, tuple[int, str]] = field(default_factory=dict)
    """The status and the words by which chats refuse everything."""

    def __post_init__(self) -> None:
        self._updates = itertools.count(500)
        self._numbers = itertools.count(10)
        self._news = asyncio.Condition()
        self._cut = asyncio.Event()
        self._poll = 0
        self._asking = 0

    def person(self, id_: int, name: str, language: str = "en") -> None:
        """Have a person, with a private chat of theirs."""
        user = {"id": id_, "is_bot": False, "first_name": name, "language_code": language}
        self.users[id_] = user
        self.chats[id_] = TelegramChat({"id": id_, "type": "private", "first_name": name})

    def group(self, id_: int, title: str, members: Mapping[int, str], **about: Any) -> None:
        """Have a group, with what its members are in it; a bot is one of them by its id."""
        kind = "supergroup" if id_ < -1_000_000_000_000 else "group"
        given = {"id": id_, "type": kind, "title": title, **about}
        self.chats[id_] = TelegramChat(given, dict(members))

    async def says(self, user: int, chat: int, text: str | None = None, **more: Any) -> Shown:
        """Something that a person sends; `answers` is the number of a message."""
        answers, thread = more.pop("answers", None), more.pop("thread", None)
        message = self._message(chat, self.users.get(user, BOT), thread)
        if text is not None:
            message |= {"text": text, "entities": detected(text)}
        if answers is not None:
            message["reply_to_message"] = self._quoted(chat, answers)
        message |= more
        self.chats[chat].messages[message["message_id"]] = message
        if self._is_for_bot(message):
            await self.tell("message", message)
        return message

    async def whispers(self, user: int, chat: int, text: str, **more: Any) -> Shown:
        """Something that a member of a group says to the bot alone."""
        place = self.chats[chat]
        number = FIRST_NUMBER + len(place.whispers)
        about = {"message_id": 0, "ephemeral_message_id": number, "receiver_user": dict(BOT)}
        said = {**self._message(chat, self.users[user], None), **about, "text": text}
        place.whispers[user, number] = said | {"entities": detected(text)} | more
        await self.tell("message", place.whispers[user, number])
        return place.whispers[user, number]

    def whispered_to(self, user: int, chat: int) -> list[Shown]:
        """What the bot says in a group to one member alone, oldest first."""
        whispers = self.chats[chat].whispers.items()
        return [one for (who, _), one in whispers if who == user and one["from"] == BOT]

    async def edits(self, chat: int, number: int, text: str) -> None:
        """A message that its author changes."""
        message = self.chats[chat].messages[number]
        message |= {"text": text, "entities": detected(text), "edit_date": _now()}
        if self._is_for_bot(message):
            await self.tell("edited_message", message)

    async def reacts(self, user: int, chat: int, number: int, emoji: str | None) -> None:
        """The only reaction that a person has at a message; told to admins."""
        place = self.chats[chat]
        if place.is_private or place.members.get(BOT["id"]) == "administrator":
            new = [{"type": "emoji", "emoji": emoji.replace("\ufe0f", "")}] if emoji else []
            about = {"chat": place.about, "message_id": number, "user": self.users[user]}
            changed = {**about, "date": _now(), "old_reaction": [], "new_reaction": new}
            await self.tell("message_reaction", changed)

    async def presses(
        self, user: int, chat: int, number: int, data: str, whisper: Shown | None = None
    ) -> str:
        """A button that a person presses; the number of the press."""
        id_ = str(next(self._updates) * 1000)
        message = whisper or self.chats[chat].messages[number]
        press = {"id": id_, "from": self.users[user], "message": message, "data": data}
        await self.tell("callback_query", {**press, "chat_instance": "1"})
        return id_

    async def tell(self, kind: str, what: Shown) -> None:
        """Let something wait for the bot, in its form of now."""
        if self.allowed and kind not in self.allowed:
            return
        number = next(self._updates)
        self.waiting[number] = json.loads(json.dumps({"update_id": number, kind: what}))
        async with self._news:
            self._news.notify_all()

    async def tell_again(self) -> None:
        """Give everything that was taken once more, as after a lost confirmation."""
        self.again = list(self.told.values())
        async with self._news:
            self._news.notify_all()

    async def drop(self) -> None:
        """Cut the questions that wait for an answer."""
        self._cut.set()
        self._cut = asyncio.Event()
        async with self._news:
            self._news.notify_all()

    @property
    def is_asked(self) -> bool:
        """Whether a question for updates waits."""
        return bool(self._asking)

    def migrate(self, old: int, new: int) -> None:
        """Make a supergroup of a group, which has another number from then on."""
        before = self.chats[old]
        before.moved_to = new
        self.group(new, str(before.about["title"]), before.members)

    async def answer(self, asked: Asked) -> Answer:
        """Answer a request."""
        file = f"/file/bot{self.token}/"
        if asked.path.startswith(file):
            content = self.files.get(asked.path.removeprefix(file))
            return Answer(body=content) if content is not None else Answer(status=404)
        cut = self._cut
        try:
            result = await self._result(asked, cut)
        except Refusal as refusal:
            body = {"ok": False, "error_code": refusal.status, "description": refusal.why}
            body |= {"parameters": refusal.parameters} if refusal.parameters else {}
            return Answer(status=refusal.status, body=json.dumps(body).encode())
        if cut.is_set() or self._loses(asked):
            return Answer(reset=True)
        return Answer(body=json.dumps({"ok": True, "result": result}).encode())

    def _loses(self, asked: Asked) -> bool:
        """Whether the answer to a sending is lost on its way."""
        is_lost = self.lost > 0 and asked.path.rpartition("/")[2] in SENDING
        self.lost -= is_lost
        return is_lost

    async def _result(self, asked: Asked, cut: asyncio.Event) -> Any:
        token, _, method = asked.path.removeprefix("/bot").partition("/")
        if token != self.token:
            raise Refusal(401, "Unauthorized")
        given = _given(asked)
        try:
            check(method, given)
        except BadRequest as bad:
            self.faults.append(f"{method}: {bad}")
            raise Refusal(400, f"Bad Request: {bad}") from None
        self.asked.append((method, given))
        if method in SENDING and self.refusals:
            raise self.refusals.pop(0)
        if method in SENDING and self.flood is not None:
            self.flood.take(int(given["chat_id"]))
        if method == "getUpdates":
            return await self._get_updates(given, cut)
        return getattr(self, f"_{method}")(given)

    async def _get_updates(self, given: Given, cut: asyncio.Event) -> list[Shown]:
        if self.webhook:
            raise Refusal(409, "Conflict: can't use getUpdates method while webhook is active")
        self._poll += 1
        mine = self._poll
        self.allowed = frozenset(given.get("allowed_updates", self.allowed))
        for number in [one for one in self.waiting if one < given.get("offset", 0)]:
            self.told[number] = self.waiting.pop(number)
        async with self._news:
            self._news.notify_all()  # another question that waits ends with this one
            self._asking += 1
            with suppress(TimeoutError):
                async with asyncio.timeout(given.get("timeout", 0)):
                    await self._news.wait_for(
                        lambda: self.waiting or self.again or cut.is_set() or mine != self._poll
                    )
        self._asking -= 1
        if mine != self._poll:
            raise Refusal(409, "Conflict: terminated by other getUpdates request")
        if cut.is_set():
            return []
        again, self.again = self.again, []
        return [*again, *list(self.waiting.values())[: given.get("limit", 100)]]

    def _getMe(self, _: Given) -> Shown:  # noqa: N802 - as the method is called
        return {**BOT, "can_read_all_group_messages": self.reads_groups}

    def _setWebhook(self, given: Given) -> bool:  # noqa: N802
        self.webhook = dict(given)
        return True

    def _deleteWebhook(self, _: Given) -> bool:  # noqa: N802
        self.webhook = {}
        return True

    def _getWebhookInfo(self, _: Given) -> Shown:  # noqa: N802
        return {"url": self.webhook.get("url", ""), "pending_update_count": len(self.waiting)}

    def _getChat(self, given: Given) -> Shown:  # noqa: N802
        return self._chat(given["chat_id"]).about

    def _getChatMember(self, given: Given) -> Shown:  # noqa: N802
        status = self._chat(given["chat_id"]).members.get(given["user_id"], "left")
        user = self.users.get(given["user_id"])
        if user is None:
            raise Refusal(400, "Bad Request: user not found")
        return {"status": status, "user": user}

    def _getFile(self, given: Given) -> Shown:  # noqa: N802
        if given["file_id"] not in self.files:
            raise Refusal(400, "Bad Request: invalid file_id")
        size = len(self.files[given["file_id"]])
        return {"file_id": given["file_id"], "file_path": given["file_id"], "file_size": size}

    def _sendMessage(self, given: Given) -> Shown:  # noqa: N802
        chat = self._chat(given["chat_id"])
        if "receiver_user_id" in given:
            return self._whisper(chat, given)
        message = self._message(given["chat_id"], BOT, given.get("message_thread_id"))
        message |= {
            name: given[name] for name in ("text", "entities", "reply_markup") if name in given
        }
        if about := given.get("reply_parameters"):
            if about["message_id"] in chat.messages:
                message["reply_to_message"] = self._quoted(given["chat_id"], about["message_id"])
            elif not about.get("allow_sending_without_reply"):
                raise Refusal(400, "Bad Request: message to be replied not found")
        chat.messages[message["message_id"]] = message
        return message

    def _whisper(self, chat: TelegramChat, given: Given) -> Shown:
        """By https://core.telegram.org/bots/api#ephemeral-messages-and-commands."""
        user = given["receiver_user_id"]
        answered = given.get("reply_parameters", {}).get("ephemeral_message_id")
        is_admin = chat.members.get(BOT["id"]) == "administrator"
        if not is_admin and (user, answered) not in chat.whispers:
            raise Refusal(400, "Bad Request: EPHEMERAL_MESSAGE_FORBIDDEN")
        number = FIRST_NUMBER + len(chat.whispers)
        about = {"message_id": 0, "ephemeral_message_id": number, "receiver_user": self.users[user]}
        said = {**self._message(given["chat_id"], BOT, given.get("message_thread_id")), **about}
        said |= {name: given[name] for name in ("text", "reply_markup") if name in given}
        chat.whispers[user, number] = said
        return said

    def _editEphemeralMessageText(self, given: Given) -> bool:  # noqa: N802
        key = given["receiver_user_id"], given["ephemeral_message_id"]
        message = self._chat(given["chat_id"]).whispers[key]
        message.pop("reply_markup", None)
        message |= {name: given[name] for name in ("text", "reply_markup") if name in given}
        return True

    def _sendDocument(self, given: Given) -> Shown:  # noqa: N802
        chat = self._chat(int(given["chat_id"]))
        message = self._message(int(given["chat_id"]), BOT, None)
        message["document"] = {"file_id": "sent", "content": given["document"].decode("latin-1")}
        chat.messages[message["message_id"]] = message
        return message

    def _sendChatAction(self, given: Given) -> bool:  # noqa: N802
        return bool(self._chat(given["chat_id"]))

    def _editMessageText(self, given: Given) -> Shown:  # noqa: N802
        message = self._own(given)
        new = {"text": given["text"], "entities": given.get("entities", [])}
        markup = given.get("reply_markup")
        if message.get("text") == new["text"] and message.get("reply_markup") == markup:
            raise Refusal(400, "Bad Request: message is not modified")
        message.pop("reply_markup", None)
        message |= new | ({"reply_markup": markup} if markup else {})
        return message

    def _editMessageReplyMarkup(self, given: Given) -> Shown:  # noqa: N802
        message = self._own(given)
        message.pop("reply_markup", None)
        return message

    def _setMessageReaction(self, given: Given) -> bool:  # noqa: N802
        messages = self._chat(given["chat_id"]).messages
        if given["message_id"] not in messages:
            raise Refusal(400, "Bad Request: message to react not found")
        messages[given["message_id"]]["by_bot"] = given["reaction"]
        return True

    def _answerCallbackQuery(self, given: Given) -> bool:  # noqa: N802
        if given["callback_query_id"] in self.answered:
            raise Refusal(400, "Bad Request: query is too old and response timeout expired")
        self.answered[given["callback_query_id"]] = dict(given)
        return True

    def _setMyCommands(self, given: Given) -> bool:  # noqa: N802
        self.commands[given["scope"]["type"], given.get("language_code", "")] = given["commands"]
        return True

    def _chat(self, id_: int) -> TelegramChat:
        chat = self.chats.get(id_)
        if chat is None:
            raise Refusal(400, "Bad Request: chat not found")
        if id_ in self.shut:
            raise Refusal(*self.shut[id_])
        if chat.moved_to is not None:
            why = "Bad Request: group chat was upgraded to a supergroup chat"
            raise Refusal(400, why, migrate_to_chat_id=chat.moved_to)
        if not chat.is_private and BOT["id"] not in chat.members:
            raise Refusal(403, "Forbidden: bot is not a member of the group chat")
        return chat

    def _own(self, given: Given) -> Shown:
        message = self._chat(given["chat_id"]).messages.get(given["message_id"])
        if message is None or message["from"]["id"] != BOT["id"]:
            raise Refusal(400, "Bad Request: message can't be edited")
        return message

    def _message(self, chat: int, user: Mapping[str, Any], thread: int | None) -> Shown:
        about = {"message_id": next(self._numbers), "date": _now(), "from": user}
        about |= {"chat": self.chats[chat].about}
        if thread is not None:
            about |= {"message_thread_id": thread, "is_topic_message": True}
        return about

    def _quoted(self, chat: int, number: int) -> Shown:
        message = self.chats[chat].messages[number]
        return {name: one for name, one in message.items() if name != "reply_to_message"}

    def _is_for_bot(self, message: Shown) -> bool:
        """By https://core.telegram.org/bots/features#privacy-mode."""
        place = self.chats[message["chat"]["id"]]
        status = place.members.get(BOT["id"])
        if place.is_private or (self.reads_groups and status) or status == "administrator":
            return True
        if status is None:
            return False
        answered = message.get("reply_to_message", {}).get("from", {}).get("id")
        text = str(message.get("text", ""))
        return answered == BOT["id"] or (text.startswith("/") and f"@{BOT['username']}" in text)


def _given(asked: Asked) -> Given:
    kind = asked.headers.get("content-type", "")
    if not kind.startswith("multipart/"):
        given = json.loads(asked.body or b"{}")
        assert isinstance(given, dict)
        return given
    parts = BytesParser(policy=HTTP).parsebytes(f"content-type: {kind}\n\n".encode() + asked.body)
    found: dict[str, Any] = {}
    for part in parts.walk():
        name = part.get_param("name", header="content-disposition")
        if isinstance(name, str):
            content = part.get_payload(decode=True)
            assert isinstance(content, bytes)
            found[name] = content if part.get_filename() else content.decode().strip()
    return found


def _now() -> int:
    return int(time.time())


def serving(server: TelegramServer) -> LoopbackServer:
    """The server on a port of its own; use it as a context."""
    return LoopbackServer(server.answer)
