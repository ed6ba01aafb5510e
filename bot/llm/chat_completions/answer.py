"""An answer of chat completions, read from its bytes; servers leave much of it out, and add to it.

Pure: no vendor library, no I/O. Source: the public reference of `POST /v1/chat/completions`.
"""

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BeforeValidator, Field

from bot.llm.service.answers import (
    GivenArguments,
    GivenCount,
    GivenText,
    Json,
    LenientPart,
    given_text,
    with_own_ids,
)
from bot.model.requests import ModelReply, ToolCall, Usage

Verbatim: TypeAlias = Mapping[tuple[str, ...], Json]
"""Messages with more than words and calls, as they came, by the ids of their calls."""

_THOUGHT = ("<think>", "</think>")
"""Between these stand the thoughts of local models whose servers do not take them out."""

_SENT_BACK = ("reasoning_content", "reasoning", "reasoning_details")
"""Thoughts that some services refuse the next round without, where they sent any."""


def reply_of(answer: bytes, *, model: str) -> ModelReply:
    """What an answer says; `model` is the name to keep when the answer has none.

    Servers leave fields out: usage counts as 0 then, and arguments that are no object become none.
    Thoughts are no words for a person. A reply cut by the token limit keeps its calls, so look at
    `stop_reason`.

    Raises:
        ValidationError: these bytes are not an answer of this API.

    """
    read = _Answer.model_validate_json(answer)
    choice = read.choices[0]
    message = choice.message
    calls = with_own_ids(
        ToolCall(id=call.id, name=call.function.name, arguments=call.function.arguments)
        for call in message.tool_calls
    )
    cached = min(read.usage.cached, read.usage.prompt_tokens)
    return ModelReply(
        text=_without_thoughts(message.content) or message.refusal,
        calls=calls,
        usage=Usage(
            input=read.usage.prompt_tokens - cached,
            output=read.usage.completion_tokens,
            cache_read=cached,
        ),
        model=read.model or model,
        stop_reason=_stop_reason(choice, called=bool(calls)),
    )


def thoughts_of(answer: bytes, reply: ModelReply) -> Verbatim:
    """The message of this answer by the ids of its calls, when it holds thoughts; else nothing.

    Services that sign what led to a call refuse the next round without it. `reply` is what
    `reply_of` read from the same bytes.
    """
    message: Json = json.loads(answer)["choices"][0]["message"]
    given = message.get("tool_calls") or []
    kept = {name: message[name] for name in _SENT_BACK if message.get(name)}
    signed = any("extra_content" in one for one in given if isinstance(one, dict))
    whole = [one.get("id") for one in given if isinstance(one, dict)] == [c.id for c in reply.calls]
    if not given or not whole or not (kept or signed):
        return {}
    said = {"role": "assistant", "content": message.get("content"), "tool_calls": given}
    return {tuple(call.id for call in reply.calls): {**said, **kept}}


def _without_thoughts(text: str) -> str:
    """The words after thoughts; none where the thoughts never ended."""
    opening, closing = _THOUGHT
    words = text.strip()
    if words.startswith(opening) or closing in words:
        words = words.rpartition(closing)[2] if closing in words else ""
    return words.strip()


def _stop_reason(
    choice: "_Choice", *, called: bool
) -> Literal["end", "tools", "length", "refusal"]:
    if choice.message.refusal or choice.finish_reason == "content_filter":
        return "refusal"
    if choice.finish_reason == "length":
        return "length"
    return "tools" if called else "end"


def _words(value: object) -> object:
    """The text of a content, which may be a list of parts."""
    if isinstance(value, list):
        texts = (part.get("text") for part in value if isinstance(part, dict))
        value = "\n".join(text for text in texts if isinstance(text, str))
    return given_text(value)


def _listed(value: object) -> object:
    return [] if value is None else value


def _table(value: object) -> object:
    return value if isinstance(value, dict) else {}


class _Function(LenientPart):
    name: GivenText = ""
    arguments: GivenArguments = Field(default_factory=dict)


class _Call(LenientPart):
    id: GivenText = ""
    function: Annotated[_Function, BeforeValidator(_table)] = _Function()


class _Message(LenientPart):
    content: Annotated[str, BeforeValidator(_words)] = ""
    tool_calls: Annotated[list[_Call], BeforeValidator(_listed)] = Field(default_factory=list)
    refusal: GivenText = ""


class _Choice(LenientPart):
    message: _Message
    finish_reason: str | None = None


class _Cached(LenientPart):
    cached_tokens: GivenCount = 0


class _Usage(LenientPart):
    prompt_tokens: GivenCount = 0
    completion_tokens: GivenCount = 0
    prompt_tokens_details: Annotated[_Cached, BeforeValidator(_table)] = _Cached()
    prompt_cache_hit_tokens: GivenCount = 0

    @property
    def cached(self) -> int:
        """Tokens read from a cache, by either of the two names that are in use."""
        return self.prompt_tokens_details.cached_tokens or self.prompt_cache_hit_tokens


class _Answer(LenientPart):
    choices: Annotated[list[_Choice], Field(min_length=1)]
    model: GivenText = ""
    usage: Annotated[_Usage, BeforeValidator(_table)] = _Usage()


def complaint_of(body: Any, message: str) -> str:
    """What a refusal says, with the field that it names, in lower case."""
    told = body.get("error", body) if isinstance(body, dict) else {}
    param = told.get("param") if isinstance(told, dict) else None
    return f"{param or ''} {message}".lower()
