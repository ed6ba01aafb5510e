"""What the Messages API demands of a request, as rules: each broken one is a sentence."""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_FIELDS = {"model", "max_tokens", "messages", "system", "tools", "tool_choice"}
_FIELDS |= {"thinking", "output_config"}
_VERSIONS = {"2023-06-01", "2026-10-21"}
_THINKS_ALWAYS = re.compile("opus-5-5|fable|mythos")
_UNFORCED = re.compile("opus-5-5|sonnet-5-5|fable|mythos")
_MOST_BREAKPOINTS = 4
_PICTURES = {"image/png", "image/jpeg", "image/gif", "image/webp"}
_LARGEST_PICTURE = 5 * 1024 * 1024
_BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")


def violations(headers: Mapping[str, str], body: object) -> list[str]:
    """Every rule this request breaks; `headers` have lower-case names."""
    found = list(_of_headers(headers))
    if isinstance(body, dict):
        found += [*_of_fields(body), *_of_tools(body), *_of_caching(body)]
        found += _of_messages(body.get("messages"))
    else:
        found.append("the body is no object")
    return found


def _of_headers(headers: Mapping[str, str]) -> Iterator[str]:
    if headers.get("anthropic-version") not in _VERSIONS:
        yield "anthropic-version is missing or unknown"
    if not headers.get("content-type", "").startswith("application/json"):
        yield "content-type is not application/json"
    bearer = headers.get("authorization", "").removeprefix("Bearer ").strip()
    if not (bearer or headers.get("x-api-key", "").strip()):
        yield "there is no key"


def _of_fields(body: dict[str, Any]) -> Iterator[str]:
    for name in body.keys() - _FIELDS:
        yield f"{name} is not a field we send"
    if not isinstance(body.get("model"), str) or not body["model"]:
        yield "model is missing"
    if type(body.get("max_tokens")) is not int or body["max_tokens"] < 1:
        yield "max_tokens is not a positive number"
    thinking = body.get("thinking", {}).get("type")
    if _THINKS_ALWAYS.search(str(body.get("model"))) and thinking not in {None, "adaptive"}:
        yield f"thinking {thinking} is not supported for this model"
    if "sonnet-5-5" in str(body.get("model")) and thinking == "disabled":
        yield "thinking disabled is not supported for this model"
    for block in body.get("system", []):
        yield from _of_text(block, "system")


def _of_tools(body: dict[str, Any]) -> Iterator[str]:
    names = [tool.get("name", "") for tool in body.get("tools", [])]
    for tool in body.get("tools", []):
        if not _NAME.fullmatch(tool.get("name", "")):
            yield f"{tool.get('name')!r} is no tool name"
        if tool.get("input_schema", {}).get("type") != "object":
            yield f"{tool.get('name')} has no object schema"
    if "tools" in body and not names:
        yield "tools is empty"
    if len(names) != len(set(names)):
        yield "two tools have one name"
    choice = body.get("tool_choice")
    is_any = choice == {"type": "any"} and bool(names)
    is_named = choice is not None and choice.get("type") == "tool" and choice.get("name") in names
    if choice is not None and not is_any and not is_named:
        yield "tool_choice names no tool"
    if choice is not None and _UNFORCED.search(str(body.get("model"))):
        yield "tool_choice is not supported for this model"


def _of_caching(body: dict[str, Any]) -> Iterator[str]:
    messages = body.get("messages")
    groups = [message.get("content") for message in messages] if isinstance(messages, list) else []
    groups += [body.get("system", []), body.get("tools", [])]
    blocks = [block for group in groups if isinstance(group, list) for block in group]
    marks = [block["cache_control"] for block in blocks if "cache_control" in block]
    if len(marks) > _MOST_BREAKPOINTS:
        yield f"there are {len(marks)} cache breakpoints"
    if any(mark != {"type": "ephemeral"} for mark in marks):
        yield "a cache breakpoint is not ephemeral"


def _of_messages(messages: object) -> Iterator[str]:
    if not isinstance(messages, list) or not messages:
        yield "there are no messages"
        return
    if messages[0].get("role") != "user" or messages[-1].get("role") != "user":
        yield "the conversation does not start and end with the user"
    for message in messages:
        yield from _of_message(message)
    if any(before.get("role") == after.get("role") for before, after in pairwise(messages)):
        yield "roles do not alternate"
    yield from _of_calls(messages)


def _of_message(message: dict[str, Any]) -> Iterator[str]:
    role, content = message.get("role"), message.get("content")
    if role not in {"user", "assistant"} or message.keys() != {"role", "content"}:
        yield "a message has other fields than role and content"
    if not isinstance(content, list) or not content:
        yield "a message has no content"
        return
    for block in content:
        yield from _of_block(block, role)
    kinds = [block.get("type") for block in content]
    if role == "user" and kinds != sorted(kinds, key=lambda kind: kind != "tool_result"):
        yield "a tool_result stands after text"


def _of_block(block: dict[str, Any], role: object) -> Iterator[str]:
    match block.get("type"), role:
        case "text", _:
            yield from _of_text(block, "a message")
        case (("thinking" | "redacted_thinking"), "assistant"):
            if not (block.get("signature") or block.get("data")):
                yield "thoughts without their signature"
        case "tool_use", "assistant":
            yield from _of_call(block)
        case "tool_result", "user":
            if not isinstance(block.get("content"), str) or not block["content"].strip():
                yield "a tool_result is empty"
        case "image", "user":
            yield from _of_picture(block.get("source", {}))
        case kind, _:
            yield f"{kind} does not belong to {role}"


def _of_call(block: dict[str, Any]) -> Iterator[str]:
    if not _NAME.fullmatch(block.get("id", "")) or not _NAME.fullmatch(block["name"]):
        yield "a tool_use has no proper id or name"
    if not isinstance(block.get("input"), dict):
        yield "the input of a tool_use is no object"


def _of_picture(source: dict[str, Any]) -> Iterator[str]:
    data = source.get("data", "")
    if source.keys() != {"type", "media_type", "data"} or source["type"] != "base64":
        yield "an image has no base64 source"
        return
    if source["media_type"] not in _PICTURES:
        yield f"{source['media_type']} is no image that is read"
    if not 0 < len(data) <= _LARGEST_PICTURE or not _BASE64.fullmatch(data):
        yield "an image is empty, too large or not base64"


def _of_text(block: dict[str, Any], where: str) -> Iterator[str]:
    if block.get("type") != "text" or not str(block.get("text", "")).strip():
        yield f"{where} has a blank text"


def _of_calls(messages: list[dict[str, Any]]) -> Iterator[str]:
    ids = [block["id"] for message in messages for block in _blocks(message, "tool_use")]
    if len(ids) != len(set(ids)):
        yield "two calls have one id"
    for before, after in pairwise([{"role": "none"}, *messages]):
        asked = [block["id"] for block in _blocks(before, "tool_use")]
        answered = [block["tool_use_id"] for block in _blocks(after, "tool_result")]
        if sorted(asked) != sorted(answered):
            yield f"calls {asked} were answered by {answered}"


def _blocks(message: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    content = message.get("content")
    blocks = content if isinstance(content, list) else []
    return [block for block in blocks if block.get("type") == kind]
