"""An answer of the Messages API, read from its bytes; local servers leave much of it out.

Pure: no vendor library, no I/O. Source: the public reference of `POST /v1/messages`.
"""

import json
from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from pydantic import BeforeValidator, Field

from bot.llm.service.answers import (
    GivenArguments,
    GivenCount,
    GivenText,
    Json,
    LenientPart,
    with_own_ids,
)
from bot.model.requests import ModelReply, ToolCall, Usage

Verbatim: TypeAlias = Mapping[tuple[str, ...], list[Json]]
"""Answers with thoughts as they came, by the ids of their calls: thoughts are signed."""


def reply_of(answer: bytes, *, model: str) -> ModelReply:
    """What an answer says; `model` is the name to keep when the answer has none.

    Local servers leave fields out: usage counts as 0 then, and arguments that are no object
    become none. A reply cut by the token limit keeps its calls, so look at `stop_reason`.

    Raises:
        ValidationError: these bytes are not an answer of this API.

    """
    read = _Answer.model_validate_json(answer)
    calls = with_own_ids(
        ToolCall(id=block.id, name=block.name, arguments=block.input)
        for block in read.content
        if block.type == "tool_use"
    )
    return ModelReply(
        text="\n".join(block.text for block in read.content if block.is_text),
        calls=calls,
        usage=Usage(
            input=read.usage.input_tokens,
            output=read.usage.output_tokens,
            cache_read=read.usage.cache_read_input_tokens,
            cache_write=read.usage.cache_creation_input_tokens,
        ),
        model=read.model or model,
        stop_reason=_stop_reason(read.stop_reason, called=bool(calls)),
    )


def thoughts_of(answer: bytes, reply: ModelReply) -> Verbatim:
    """The content of this answer by the ids of its calls, when it holds thoughts; else nothing.

    The service refuses a tool round whose thoughts were left out or changed. `reply` is what
    `reply_of` read from the same bytes.
    """
    content: list[Json] = json.loads(answer)["content"]
    thinks = any(block.get("type") in {"thinking", "redacted_thinking"} for block in content)
    uses = [block for block in content if block.get("type") == "tool_use"]
    came = [(block.get("id"), block.get("input")) for block in uses]
    whole = came == [(call.id, call.arguments) for call in reply.calls]
    return {tuple(call.id for call in reply.calls): content} if thinks and uses and whole else {}


def _stop_reason(said: str | None, *, called: bool) -> Literal["end", "tools", "length", "refusal"]:
    match said:
        case "max_tokens" | "model_context_window_exceeded":
            return "length"
        case "refusal":
            return "refusal"
        case _:
            return "tools" if called else "end"


class _Block(LenientPart):
    type: str
    text: GivenText = ""
    id: GivenText = ""
    name: GivenText = ""
    input: GivenArguments = Field(default_factory=dict)

    @property
    def is_text(self) -> bool:
        """Whether this is words for a person, and not thinking or a call."""
        return self.type == "text" and bool(self.text.strip())


class _Usage(LenientPart):
    input_tokens: GivenCount = 0
    output_tokens: GivenCount = 0
    cache_read_input_tokens: GivenCount = 0
    cache_creation_input_tokens: GivenCount = 0


def _usage(value: object) -> object:
    return value if isinstance(value, dict) else {}


class _Answer(LenientPart):
    content: list[_Block]
    model: GivenText = ""
    stop_reason: str | None = None
    usage: Annotated[_Usage, BeforeValidator(_usage)] = _Usage()
