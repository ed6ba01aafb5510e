"""What the Bot API takes, by its documentation (https://core.telegram.org/bots/api). Pure."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bot.channels.telegram.outbound.sender import TAKEN

Given = Mapping[str, Any]

METHODS: Mapping[str, Mapping[str, type]] = {
    "getMe": {},
    "getUpdates": {"offset": int, "limit": int, "timeout": int, "allowed_updates": list},
    "setWebhook": {
        "url": str,
        "secret_token": str,
        "allowed_updates": list,
        "max_connections": int,
    },
    "deleteWebhook": {"drop_pending_updates": bool},
    "getWebhookInfo": {},
    "getChat": {"chat_id": int},
    "getChatMember": {"chat_id": int, "user_id": int},
    "getFile": {"file_id": str},
    "sendMessage": {
        "chat_id": int,
        "message_thread_id": int,
        "text": str,
        "entities": list,
        "link_preview_options": dict,
        "reply_parameters": dict,
        "reply_markup": dict,
        "receiver_user_id": int,
        "ephemeral_message_parameters": dict,
    },
    "editEphemeralMessageText": {
        "chat_id": int,
        "receiver_user_id": int,
        "ephemeral_message_id": int,
        "text": str,
        "entities": list,
        "link_preview_options": dict,
        "reply_markup": dict,
    },
    "sendDocument": {"chat_id": str, "message_thread_id": str, "document": bytes},
    "sendChatAction": {"chat_id": int, "message_thread_id": int, "action": str},
    "editMessageText": {
        "chat_id": int,
        "message_id": int,
        "text": str,
        "entities": list,
        "link_preview_options": dict,
        "reply_markup": dict,
    },
    "editMessageReplyMarkup": {"chat_id": int, "message_id": int, "reply_markup": dict},
    "setMessageReaction": {"chat_id": int, "message_id": int, "reaction": list},
    "answerCallbackQuery": {"callback_query_id": str, "text": str, "show_alert": bool},
    "setMyCommands": {"commands": list, "scope": dict, "language_code": str},
}
"""The methods with the parameters that there are, of what is used of them."""

REQUIRED: Mapping[str, Sequence[str]] = {
    "setWebhook": ("url",),
    "getChat": ("chat_id",),
    "getChatMember": ("chat_id", "user_id"),
    "getFile": ("file_id",),
    "sendMessage": ("chat_id", "text"),
    "sendDocument": ("chat_id", "document"),
    "sendChatAction": ("chat_id", "action"),
    "editMessageText": ("chat_id", "message_id", "text"),
    "editEphemeralMessageText": ("chat_id", "receiver_user_id", "ephemeral_message_id", "text"),
    "editMessageReplyMarkup": ("chat_id", "message_id"),
    "setMessageReaction": ("chat_id", "message_id"),
    "answerCallbackQuery": ("callback_query_id",),
    "setMyCommands": ("commands",),
}

KINDS = frozenset({"bold", "italic", "strikethrough", "code", "pre", "blockquote", "text_link"})
LIGHT = frozenset({"bold", "italic", "strikethrough"})
SCOPES = frozenset({"default", "all_private_chats", "all_group_chats", "all_chat_administrators"})
UPDATES = frozenset(
    {"message", "edited_message", "callback_query", "message_reaction", "my_chat_member"}
)

_COMMAND = re.compile(r"[a-z0-9_]{1,32}")
_SECRET = re.compile(r"[A-Za-z0-9_-]{1,256}")


class BadRequest(Exception):
    """Why a request is refused."""


def check(method: str, given: Given) -> None:
    """Refuse what is not as documented.

    Raises:
        BadRequest: with why.

    """
    known = METHODS.get(method)
    if known is None:
        raise BadRequest(f"no method {method}")
    for name, value in given.items():
        if name not in known:
            raise BadRequest(f"{method} has no parameter {name}")
        if not isinstance(value, known[name]) or (known[name] is int and isinstance(value, bool)):
            raise BadRequest(f"{name} is no {known[name].__name__}")
    for name in REQUIRED.get(method, ()):
        if name not in given:
            raise BadRequest(f"{method} needs {name}")
    if "text" in given and method != "answerCallbackQuery":
        _check_text(given["text"], given.get("entities", ()))
    if method == "answerCallbackQuery" and len(given.get("text", "")) > 200:
        raise BadRequest("text of an answer is too long")
    if "reply_markup" in given:
        _check_keyboard(given["reply_markup"])
    _check_rest(method, given)


def units(text: str) -> int:
    """UTF-16 units."""
    return len(text.encode("utf-16-le")) // 2


def _check_rest(method: str, given: Given) -> None:
    if method == "setMyCommands":
        _check_commands(given)
    if method == "setWebhook":
        ok = given["url"].startswith("https://") and _SECRET.fullmatch(given["secret_token"])
        _hold(ok, "bad webhook")
    if method == "setMessageReaction":
        emoji = [one.get("emoji") for one in given["reaction"]]
        _hold(len(emoji) <= 1 and set(emoji) <= TAKEN, "REACTION_INVALID")
    if method in {"getUpdates", "setWebhook"}:
        _hold(set(given.get("allowed_updates", ())) <= UPDATES, "unknown updates")
        _hold(1 <= given.get("limit", 1) <= 100, "bad limit")
        _hold(1 <= given.get("max_connections", 1) <= 100, "bad max_connections")
    if method == "sendChatAction":
        _hold(given["action"] == "typing", "wrong action")
    if "reply_parameters" in given:
        known = {"message_id", "allow_sending_without_reply", "ephemeral_message_id"}
        _hold(set(given["reply_parameters"]) <= known, "unknown reply parameters")
    if "ephemeral_message_parameters" in given:
        about = given["ephemeral_message_parameters"]
        _hold(about == {"receiver_user_id": given["receiver_user_id"]}, "two receivers")
    if "link_preview_options" in given:
        _hold(given["link_preview_options"] == {"is_disabled": True}, "unknown preview options")


def _check_text(text: str, entities: Sequence[Given]) -> None:
    _hold(bool(text.strip()), "message text is empty")
    _hold(units(text) <= 4096, "message is too long")
    _hold(len(entities) <= 100, "too many entities")
    raw = text.encode("utf-16-le")
    for one in entities:
        _check_entity(one, raw)
    for one in entities:
        for other in entities:
            if one is not other:
                _check_pair(one, other)


def _check_entity(one: Given, raw: bytes) -> None:
    own = {"url"} if one["type"] == "text_link" else {"language"} if one["type"] == "pre" else set()
    _hold(one["type"] in KINDS, "can't parse entities: unknown type")
    _hold(set(one) - {"type", "offset", "length"} <= own, "can't parse entities: unknown field")
    start, end = one["offset"], one["offset"] + one["length"]
    _hold(0 <= start < end <= len(raw) // 2, "can't parse entities: outside of the text")
    for place in (start, end):
        if place < len(raw) // 2:
            unit = int.from_bytes(raw[2 * place : 2 * place + 2], "little")
            _hold(not 0xDC00 <= unit < 0xE000, "can't parse entities: inside of a character")
    if one["type"] == "text_link":
        _hold(one["url"].startswith(("http://", "https://")), "can't parse entities: bad link")


def _check_pair(one: Given, other: Given) -> None:
    """By https://core.telegram.org/bots/api#formatting-options."""
    start, end = one["offset"], one["offset"] + one["length"]
    its_start, its_end = other["offset"], other["offset"] + other["length"]
    if end <= its_start or its_end <= start:
        return
    within = start >= its_start and end <= its_end
    around = start <= its_start and end >= its_end
    _hold(within or around, "can't parse entities: they cross")
    kinds = {one["type"], other["type"]}
    _hold(not kinds & {"code", "pre"}, "can't parse entities: code holds nothing")
    _hold(bool(kinds & LIGHT), "can't parse entities: these do not nest")


def _check_keyboard(markup: Given) -> None:
    _hold(set(markup) == {"inline_keyboard"}, "unknown markup")
    for row in markup["inline_keyboard"]:
        _hold(0 < len(row) <= 8, "bad row of buttons")
        for button in row:
            _hold(set(button) == {"text", "callback_data"}, "unknown field of a button")
            _hold(bool(button["text"].strip()), "button without text")
            _hold(1 <= len(button["callback_data"].encode()) <= 64, "BUTTON_DATA_INVALID")


def _check_commands(given: Given) -> None:
    commands = given["commands"]
    _hold(given.get("scope", {}).get("type") in SCOPES, "unknown scope")
    _hold(len(commands) <= 100, "too many commands")
    names = [one["command"] for one in commands]
    _hold(all(map(_COMMAND.fullmatch, names)), "BOT_COMMAND_INVALID")
    _hold(len(set(names)) == len(names), "a command stands twice")
    _hold(all(1 <= len(one["description"]) <= 256 for one in commands), "bad description")


def _hold(fine: object, why: str) -> None:
    if not fine:
        raise BadRequest(why)


def detected(text: str) -> list[dict[str, Any]]:
    """The entities that Telegram finds itself in what people write."""
    found: Iterable[tuple[str, re.Match[str]]] = [
        *(("mention", one) for one in re.finditer(r"(?<!\w)@\w{5,32}", text)),
        *(("bot_command", one) for one in re.finditer(r"(?<![\w/])/\w{1,64}(?:@\w+)?", text)),
    ]
    return [
        {"type": kind, "offset": units(text[: one.start()]), "length": units(one[0])}
        for kind, one in found
    ]
