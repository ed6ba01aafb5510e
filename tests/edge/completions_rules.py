"""What chat completions demand of a request, as rules: each broken one is a sentence."""

import json
import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_ID = re.compile(r"[a-zA-Z0-9_-]{1,40}")
_FIELDS = {"model", "messages", "tools", "tool_choice", "reasoning_effort"}
_LIMITS = {"max_tokens", "max_completion_tokens"}
_PICTURE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}")


def violations(headers: Mapping[str, str], body: object) -> list[str]:
    """Every rule this request breaks; `headers` have lower-case names."""
    found = []
    if not headers.get("authorization", "").removeprefix("Bearer ").strip():
        found.append("there is no key")
    if not headers.get("content-type", "").startswith("application/json"):
        found.append("content-type is not application/json")
    if not isinstance(body, dict):
        return [*found, "the body is no object"]
    return [*found, *_of_fields(body), *_of_tools(body), *_of_messages(body.get("messages"))]


def _of_fields(body: dict[str, Any]) -> Iterator[str]:
    for name in body.keys() - _FIELDS - _LIMITS:
        yield f"{name} is not a field we send"
    if not isinstance(body.get("model"), str) or not body["model"]:
        yield "model is missing"
    limits = [body[name] for name in _LIMITS if name in body]
    if len(limits) != 1 or type(limits[0]) is not int or limits[0] < 1:
        yield "there is not one limit of tokens"


def _of_tools(body: dict[str, Any]) -> Iterator[str]:
    tools = body.get("tools", [])
    names = [tool.get("function", {}).get("name", "") for tool in tools]
    for tool in tools:
        function = tool.get("function", {})
        if tool.get("type") != "function" or not _NAME.fullmatch(function.get("name", "")):
            yield f"{function.get('name')!r} is no tool"
        if function.get("parameters", {}).get("type") != "object":
            yield f"{function.get('name')} has no object schema"
    if "tools" in body and not names:
        yield "tools is empty"
    if len(names) != len(set(names)):
        yield "two tools have one name"
    choice = body.get("tool_choice")
    if choice is not None and choice.get("function", {}).get("name") not in names:
        yield "tool_choice names no tool"


def _of_messages(messages: object) -> Iterator[str]:
    if not isinstance(messages, list) or not messages:
        yield "there are no messages"
        return
    talk = messages[1:] if messages[0].get("role") == "system" else messages
    if any(one.get("role") == "system" for one in talk):
        yield "a system message does not stand first"
    if not talk or talk[0].get("role") != "user" or talk[-1].get("role") not in {"user", "tool"}:
        yield "the conversation does not start and end with the user"
    for message in messages:
        yield from _of_message(message)
    said = [one for one in talk if one.get("role") != "tool"]
    if any(
        before.get("role") == after.get("role") == "user" for before, after in pairwise(said)
    ) or any(
        before.get("role") == after.get("role") == "assistant" for before, after in pairwise(talk)
    ):
        yield "roles do not alternate"
    yield from _of_calls(talk)


def _of_message(message: dict[str, Any]) -> Iterator[str]:
    role, content = message.get("role"), message.get("content")
    calls = message.get("tool_calls")
    if isinstance(content, list):
        for part in content:
            yield from _of_part(part, role)
    elif content is None:
        if not calls:
            yield f"a message of {role} has no content"
    elif not isinstance(content, str) or not content.strip():
        yield f"a message of {role} is blank"
    for call in calls or []:
        if not _ID.fullmatch(call.get("id", "")) or not _NAME.fullmatch(call["function"]["name"]):
            yield "a call has no proper id or name"
        if not isinstance(json.loads(call["function"]["arguments"]), dict):
            yield "the arguments of a call are no object"


def _of_part(part: dict[str, Any], role: object) -> Iterator[str]:
    match part.get("type"):
        case "text":
            if not str(part.get("text", "")).strip():
                yield "a part is blank"
        case "image_url":
            if role != "user" or not _PICTURE.fullmatch(part["image_url"].get("url", "")):
                yield "an image is not the user's, or not base64"
        case kind:
            yield f"{kind} is no part of a message"


def _of_calls(talk: list[dict[str, Any]]) -> Iterator[str]:
    ids = [call["id"] for message in talk for call in message.get("tool_calls") or []]
    if len(ids) != len(set(ids)):
        yield "two calls have one id"
    open_: list[str] = []
    for message in talk:
        if message.get("role") == "tool":
            if message.get("tool_call_id") not in open_:
                yield "a result answers no call"
            else:
                open_.remove(message["tool_call_id"])
            continue
        if open_:
            yield f"calls {open_} were not answered"
        open_ = [call["id"] for call in message.get("tool_calls") or []]
    if open_:
        yield f"calls {open_} were not answered"
