"""What Meta's documentation lets a request to send a message be; every other one is refused.

https://developers.facebook.com/documentation/business-messaging/whatsapp/reference/whatsapp-business-phone-number/message-api
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

USER_ID = re.compile(r"[A-Z]{2}\.[A-Za-z0-9]{1,128}")

_ADDRESSED = {"messaging_product", "recipient_type", "type", "biz_opaque_callback_data", "context"}
_SIGNAL = {"messaging_product", "status", "message_id", "typing_indicator"}


def broken_rules(body: object, known: Collection[str]) -> list[str]:
    """Every rule that the body of a request breaks; `known` are the ids of messages there are."""
    if not isinstance(body, dict):
        return ["the body is no object"]
    rules = _signal if "status" in body else _message
    return [rule for rule in rules(body, known) if rule]


def _signal(body: Mapping[str, Any], known: Collection[str]) -> Iterator[str]:
    yield _only(body, _SIGNAL)
    yield _is(body.get("messaging_product") == "whatsapp", "messaging_product")
    yield _is(body.get("status") == "read", "status")
    yield _is(body.get("message_id") in known, "message_id is of no message")
    yield _is(body.get("typing_indicator") in (None, {"type": "text"}), "typing_indicator")


def _message(body: Mapping[str, Any], known: Collection[str]) -> Iterator[str]:
    kind = body.get("type")
    yield _is(body.get("messaging_product") == "whatsapp", "messaging_product")
    yield _is(body.get("recipient_type") == "individual", "recipient_type")
    yield _is(("to" in body) != ("recipient" in body), "to or recipient")
    if "recipient" in body:
        yield _is(USER_ID.fullmatch(str(body["recipient"])) is not None, "recipient is no user id")
    else:
        yield _is(str(body.get("to")).isdecimal(), "to is no number")
    yield _only(body, {*_ADDRESSED, "to", "recipient", str(kind)})
    yield _is(len(body.get("biz_opaque_callback_data", "")) <= 512, "biz_opaque_callback_data")
    if "context" in body:
        yield _is(body["context"].get("message_id") in known, "context is of no message")
    rules = _KINDS.get(str(kind))
    if rules is None or not isinstance(body.get(str(kind)), dict):
        yield f"type {kind}"
    else:
        yield from rules(body[str(kind)], known)


def _text(text: Mapping[str, Any], _: Collection[str]) -> Iterator[str]:
    yield _only(text, {"body", "preview_url"})
    yield _length(text.get("body"), 4096, "text.body")


def _reaction(reaction: Mapping[str, Any], known: Collection[str]) -> Iterator[str]:
    yield _only(reaction, {"message_id", "emoji"})
    yield _is(reaction.get("message_id") in known, "reaction is to no message")
    yield _length(reaction.get("emoji"), 40, "reaction.emoji")


def _document(document: Mapping[str, Any], known: Collection[str]) -> Iterator[str]:
    yield _only(document, {"id", "filename", "caption"})
    yield _is(document.get("id") in known, "document is of no upload")
    yield _length(document.get("filename"), 240, "document.filename")


def _interactive(about: Mapping[str, Any], _: Collection[str]) -> Iterator[str]:
    yield _only(about, {"type", "body", "action"})
    kind, action = about.get("type"), about.get("action", {})
    yield _length(about.get("body", {}).get("text"), 1024 if kind == "button" else 4096, "body")
    if kind == "button":
        replies = [one.get("reply", {}) for one in action.get("buttons", ())]
        yield _is(all(one.get("type") == "reply" for one in action["buttons"]), "button.type")
        yield from _choices(replies, most=3, title=20, id_=256)
    elif kind == "list":
        yield _length(action.get("button"), 20, "action.button")
        rows = [row for section in action.get("sections", ()) for row in section.get("rows", ())]
        yield from _choices(rows, most=10, title=24, id_=200)
        for row in rows:
            if "description" in row:
                yield _length(row["description"], 72, "row.description")
    else:
        yield f"interactive.type {kind}"


def _choices(
    choices: Sequence[Mapping[str, str]], *, most: int, title: int, id_: int
) -> Iterator[str]:
    yield _is(1 <= len(choices) <= most, f"{len(choices)} choices")
    yield _is(len({one.get("title") for one in choices}) == len(choices), "titles twice")
    yield _is(len({one.get("id") for one in choices}) == len(choices), "ids twice")
    for one in choices:
        yield _length(one.get("title"), title, "title")
        yield _length(one.get("id"), id_, "id")
        yield _is(one.get("id", "").strip() == one.get("id"), "blanks around an id")


def _only(body: Mapping[str, Any], keys: Collection[str]) -> str:
    unknown = sorted(body.keys() - set(keys))
    return f"unknown {unknown}" if unknown else ""


def _length(text: object, most: int, name: str) -> str:
    return _is(isinstance(text, str) and 1 <= len(text) <= most, f"{name} of 1 to {most}")


def _is(right: bool, name: str) -> str:  # noqa: FBT001 - a rule is right or broken
    return "" if right else name


_KINDS = {
    "text": _text,
    "reaction": _reaction,
    "document": _document,
    "interactive": _interactive,
}
