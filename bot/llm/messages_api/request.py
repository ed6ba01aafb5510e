"""A request as the Messages API wants it.

Pure: no vendor library, no I/O. Source: the public reference of `POST /v1/messages`.
"""

import re
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from bot.llm.messages_api.answer import Verbatim
from bot.llm.service.answers import Json, sendable_name
from bot.llm.service.wording import NO_RESULT, NO_TEXT, NO_TOOL, PLEASE_CALL, spoken
from bot.model.requests import (
    ANSWERING,
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """How to ask one family of models.

    `fields` are added to every body. `thought_tokens` is added to the limit of every answer,
    since thoughts count towards it. `can_force` is whether a tool may be forced. A pet's answer is
    two lines, and thoughts are billed as output, so each model thinks as little as it can.
    """

    fields: dict[str, Any] = field(default_factory=dict)
    thought_tokens: int = 0
    can_force: bool = True


PLAIN = Traits()
"""Models that do not think unless told to, and everything that is not Claude."""

# Source: the public table of thinking and effort per model, October 2026.
_FAMILIES = (
    # Thinking cannot be turned off, only kept short; forced tools are answered with 400.
    (
        re.compile(r"opus-5-[5-9]|fable-|mythos-"),
        Traits(fields={"output_config": {"effort": "low"}}, thought_tokens=4000, can_force=False),
    ),
    # Thinking can be kept to notes between tools; forced tools are answered with 400.
    (
        re.compile(r"sonnet-5-[5-9]"),
        Traits(
            fields={"thinking": {"type": "between_tools"}}, thought_tokens=1000, can_force=False
        ),
    ),
    # Thinking is on unless turned off.
    (re.compile(r"(haiku|sonnet|opus)-5"), Traits(fields={"thinking": {"type": "disabled"}})),
)


def traits_of(model: str) -> Traits:
    """How to ask the model of this name, as Anthropic or a gateway writes it."""
    name = model.lower().replace(".", "-")
    if "claude" not in name:
        return PLAIN
    return next((traits for pattern, traits in _FAMILIES if pattern.search(name)), PLAIN)


Role: TypeAlias = Literal["user", "assistant"]

_CACHED = {"type": "ephemeral"}
"""A cache breakpoint; a request may have four, ours has at most three."""


def body_of(
    request: ModelRequest, *, model: str, caching: bool, verbatim: Verbatim = MappingProxyType({})
) -> Json:
    """The JSON body of a request; without `caching` it has no trace of cache control.

    Breakpoints stand on the last tool, on the system text, at the end of the window, before the
    words that are answered now, and in a turn behind those and the rounds since: the next round,
    and the next turn, begin with all of it. `verbatim` are answers of the rounds since those words,
    to be sent back as they came.
    """
    traits = traits_of(model)
    messages = _messages(request.messages, caching=caching, verbatim=verbatim)
    if messages and request.purpose in ANSWERING:  # others are sent once
        _marked(messages[-1]["content"], caching=caching)
    body: Json = {
        "model": model,
        "max_tokens": request.max_tokens + traits.thought_tokens,
        "messages": messages,
        **traits.fields,
    }
    if request.system.strip():
        body["system"] = [
            *_marked([_text(request.system)], caching=caching),
            *([_text(request.system_of_session)] if request.system_of_session else []),
        ]
    if request.tools:
        body["tools"] = _marked([_tool(tool) for tool in request.tools], caching=caching)
    if request.force is not None and traits.can_force:
        is_any = request.force == ANY_TOOL
        body["tool_choice"] = {"type": "any"} if is_any else {"type": "tool", "name": request.force}
    elif request.force not in {None, ANY_TOOL}:
        messages[-1]["content"].append(_text(PLEASE_CALL.format(tool=request.force)))
    return body


def _messages(
    messages: tuple[ModelMessage, ...], *, caching: bool, verbatim: Verbatim
) -> list[Json]:
    """Messages whose roles strictly alternate: neighbours of one role become one message."""
    rendered: list[Json] = []
    now = _last_said(messages)
    for position, message in enumerate(messages):
        if position == now and rendered:
            _marked(rendered[-1]["content"], caching=caching)
        # Thoughts are bound to what came before them, which may change once a turn is over.
        for role, blocks in _parts(message, verbatim if position > now else {}):
            if rendered and rendered[-1]["role"] == role:
                rendered[-1]["content"].extend(blocks)
            else:
                rendered.append({"role": role, "content": blocks})
    return rendered


def _last_said(messages: tuple[ModelMessage, ...]) -> int:
    return max(
        (at for at, message in enumerate(messages) if isinstance(message, UserMessage)), default=-1
    )


def _parts(message: ModelMessage, verbatim: Verbatim) -> Iterator[tuple[Role, list[Json]]]:
    match message:
        case UserMessage():
            yield "user", _said(message)
        case AssistantMessage(text=text):
            if text.strip():
                yield "assistant", [_text(text)]
        case ToolRound():
            yield from _round(message, verbatim)


def _said(said: UserMessage) -> list[Json]:
    before, recalled, told = [
        [_text(text)] if text.strip() else []
        for text in (said.surroundings, said.injection, spoken(said))
    ]
    return [*before, *recalled, *map(_picture, said.pictures), *told] or [_text(NO_TEXT)]


def _picture(picture: Picture) -> Json:
    data = b64encode(picture.content).decode("ascii")
    source = {"type": "base64", "media_type": picture.media_type, "data": data}
    return {"type": "image", "source": source}


def _round(message: ToolRound, verbatim: Verbatim) -> Iterator[tuple[Role, list[Json]]]:
    said = [_text(message.text)] if message.text.strip() else []
    if message.calls:
        rebuilt = [*said, *(_tool_use(call) for call in message.calls)]
        yield "assistant", list(verbatim.get(tuple(call.id for call in message.calls), rebuilt))
        yield "user", _tool_results(message)
    elif said:
        yield "assistant", said
        yield "user", [_text(NO_TOOL)]


def _tool_use(call: ToolCall) -> Json:
    name = sendable_name(call.name)
    return {"type": "tool_use", "id": call.id, "name": name, "input": call.arguments}


def _tool_results(message: ToolRound) -> list[Json]:
    """Exactly one result per call, in the order of the calls."""
    results = {result.call_id: result for result in reversed(message.results)}
    return [_tool_result(call, results.get(call.id)) for call in message.calls]


def _tool_result(call: ToolCall, result: ToolResult | None) -> Json:
    block: Json = {"type": "tool_result", "tool_use_id": call.id}
    if result is None:
        return {**block, "content": NO_RESULT, "is_error": True}
    block["content"] = result.text if result.text.strip() else NO_TEXT
    return {**block, "is_error": True} if result.failed else block


def _tool(tool: ToolSpec) -> Json:
    return {"name": tool.name, "description": tool.description, "input_schema": tool.schema}


def _text(text: str) -> Json:
    return {"type": "text", "text": text}


def _marked(blocks: list[Json], *, caching: bool) -> list[Json]:
    """The same blocks, the last one a cache breakpoint when `caching`."""
    if caching:
        blocks[-1]["cache_control"] = _CACHED
    return blocks
