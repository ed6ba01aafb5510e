"""A request as chat completions want it.

Pure: no vendor library, no I/O. Source: the public reference of `POST /v1/chat/completions`.
"""

import json
from base64 import b64encode
from collections.abc import Iterator
from types import MappingProxyType

from bot.llm.chat_completions.answer import Verbatim
from bot.llm.chat_completions.dialect import Dialect
from bot.llm.service.answers import Json, sendable_name
from bot.llm.service.wording import NO_RESULT, NO_TEXT, NO_TOOL, PLEASE_CALL, spoken
from bot.model.requests import (
    ANY_TOOL,
    AssistantMessage,
    ModelMessage,
    ModelRequest,
    Picture,
    ToolCall,
    ToolResult,
    ToolRound,
    ToolSpec,
    UserMessage,
)

_BETWEEN = "\n\n"
"""Stands between what becomes one message: templates of local models know no parts of one."""

_FAILED = "This call failed: "
"""Stands before the result of a failed call: there is no field for that here."""


def body_of(
    request: ModelRequest,
    *,
    model: str,
    dialect: Dialect,
    verbatim: Verbatim = MappingProxyType({}),
) -> Json:
    """The JSON body of a request.

    There is one system message, and roles alternate after it, which the templates of local models
    insist on. Servers cache a prefix by themselves: what changes last stands last. `verbatim` are
    answers of the rounds since the last words, to be sent back as they came.
    """
    body: Json = {
        "model": model,
        dialect.limit: request.max_tokens + dialect.thought_tokens,
        "messages": _messages(request, verbatim),
    }
    if dialect.effort is not None:
        body["reasoning_effort"] = dialect.effort
    if request.tools:
        body["tools"] = [_tool(tool) for tool in request.tools]
    if request.force is not None and dialect.can_force:
        named = {"type": "function", "function": {"name": request.force}}
        body["tool_choice"] = "required" if request.force == ANY_TOOL else named
    elif request.force not in {None, ANY_TOOL}:
        _add(body["messages"], _user([PLEASE_CALL.format(tool=request.force)]))
    return body


def _messages(request: ModelRequest, verbatim: Verbatim) -> list[Json]:
    rendered: list[Json] = []
    system = [one for one in (request.system, request.system_of_session) if one.strip()]
    if system:
        rendered.append({"role": "system", "content": _BETWEEN.join(system)})
    now = _last_said(request.messages)
    for position, message in enumerate(request.messages):
        # What services sign is bound to what came before it, which may change after a turn.
        for one in _parts(message, verbatim if position > now else {}):
            _add(rendered, one)
    return rendered


def _last_said(messages: tuple[ModelMessage, ...]) -> int:
    return max(
        (at for at, message in enumerate(messages) if isinstance(message, UserMessage)), default=-1
    )


def _add(rendered: list[Json], message: Json) -> None:
    """Add a message; neighbours of one role become one message."""
    last: Json = rendered[-1] if rendered else {"role": ""}
    mergeable = message["role"] == "user" or "tool_calls" not in {*last, *message}
    if last["role"] == message["role"] in {"user", "assistant"} and mergeable:
        last["content"] = _joined(last["content"], message["content"])
    else:
        rendered.append(message)


def _joined(first: str | list[Json], second: str | list[Json]) -> str | list[Json]:
    if isinstance(first, str) and isinstance(second, str):
        return f"{first}{_BETWEEN}{second}"
    return [*_as_parts(first), *_as_parts(second)]


def _as_parts(content: str | list[Json]) -> list[Json]:
    return [_text(content)] if isinstance(content, str) else content


def _parts(message: ModelMessage, verbatim: Verbatim) -> Iterator[Json]:
    match message:
        case UserMessage():
            yield _said(message)
        case AssistantMessage(text=text):
            if text.strip():
                yield {"role": "assistant", "content": text}
        case ToolRound():
            yield from _round(message, verbatim)


def _said(said: UserMessage) -> Json:
    recalled, told = [[text] if text.strip() else [] for text in (said.injection, spoken(said))]
    if not said.pictures:
        return _user([*recalled, *told])
    shown = [*map(_text, recalled), *map(_picture, said.pictures), *map(_text, told)]
    return {"role": "user", "content": shown}


def _user(texts: list[str]) -> Json:
    return {"role": "user", "content": _BETWEEN.join(texts) or NO_TEXT}


def _text(text: str) -> Json:
    return {"type": "text", "text": text}


def _picture(picture: Picture) -> Json:
    data = b64encode(picture.content).decode("ascii")
    url = f"data:{picture.media_type};base64,{data}"
    return {"type": "image_url", "image_url": {"url": url}}


def _round(message: ToolRound, verbatim: Verbatim) -> Iterator[Json]:
    text = message.text if message.text.strip() else None
    if message.calls:
        rebuilt = {
            "role": "assistant",
            "content": text,
            "tool_calls": [_called(call) for call in message.calls],
        }
        yield dict(verbatim.get(tuple(call.id for call in message.calls), rebuilt))
        yield from _results(message)
    elif text:
        yield {"role": "assistant", "content": text}
        yield _user([NO_TOOL])


def _called(call: ToolCall) -> Json:
    arguments = json.dumps(call.arguments, ensure_ascii=False)
    function = {"name": sendable_name(call.name), "arguments": arguments}
    return {"id": call.id, "type": "function", "function": function}


def _results(message: ToolRound) -> Iterator[Json]:
    """Exactly one result per call, in the order of the calls."""
    results = {result.call_id: result for result in reversed(message.results)}
    for call in message.calls:
        yield {
            "role": "tool",
            "tool_call_id": call.id,
            "content": _result(results.get(call.id)),
        }


def _result(result: ToolResult | None) -> str:
    if result is None:
        return f"{_FAILED}{NO_RESULT}"
    text = result.text if result.text.strip() else NO_TEXT
    return f"{_FAILED}{text}" if result.failed else text


def _tool(tool: ToolSpec) -> Json:
    return {
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.schema,
        },
    }
