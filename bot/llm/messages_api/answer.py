"""An answer of the Messages API, read from its bytes; local servers leave much of it out.

Pure: no vendor library, no I/O. Source: the public reference of `POST /v1/messages`.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal, TypeAlias
from uuid import uuid4

from pydantic import BaseModel, BeforeValidator, ConfigDict

from bot.model.requests import ModelReply, ToolCall, Usage

Json: TypeAlias = dict[str, Any]
Verbatim: TypeAlias = Mapping[tuple[str, ...], list[Json]]
"""Answers with thoughts as they came, by the ids of their calls: thoughts are signed."""

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


def reply_of(answer: bytes, *, model: str) -> ModelReply:
    """What an answer says; `model` is the name to keep when the answer has none.

    Local servers leave fields out: usage counts as 0 then, and arguments that are no object
    become none. A reply cut by the token limit keeps its calls, so look at `stop_reason`.

    Raises:
        ValidationError: these bytes are not an answer of this API.

    """
    read = _Answer.model_validate_json(answer)
    calls = tuple(_calls(read.content))
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


def _calls(blocks: Iterable["_Block"]) -> Iterator[ToolCall]:
    """The calls of an answer, each with an id that is its own and can be sent back."""
    seen: set[str] = set()
    for block in blocks:
        if block.type == "tool_use":
            fit = _ID.fullmatch(block.id) is not None and block.id not in seen
            call_id = block.id if fit else f"toolu_{uuid4().hex}"
            seen.add(call_id)
            yield ToolCall(id=call_id, name=block.name, arguments=block.input)


def _stop_reason(said: str | None, *, called: bool) -> Literal["end", "tools", "length", "refusal"]:
    match said:
        case "max_tokens" | "model_context_window_exceeded":
            return "length"
        case "refusal":
            return "refusal"
        case _:
            return "tools" if called else "end"


def _or_empty(value: object) -> object:
    return "" if value is None else value


def _count(value: object) -> int:
    return value if type(value) is int and value > 0 else 0


def _arguments(value: object) -> Json:
    """The arguments of a call; some servers send them as JSON text, some send no object."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return {}
    if not isinstance(value, dict) or not _can_be_sent_back(value):
        return {}
    return value


def _can_be_sent_back(value: Json) -> bool:
    """Whether these arguments are JSON that the next request can carry (no NaN, no half emoji)."""
    try:
        json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
    except ValueError:
        return False
    return True


_Text = Annotated[str, BeforeValidator(_or_empty)]
_Count = Annotated[int, BeforeValidator(_count)]


class _Lenient(BaseModel):
    """A part of an answer: fields that are not ours are ignored, inputs never printed."""

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)


class _Block(_Lenient):
    type: str
    text: _Text = ""
    id: _Text = ""
    name: _Text = ""
    input: Annotated[Json, BeforeValidator(_arguments)] = {}

    @property
    def is_text(self) -> bool:
        """Whether this is words for a person, and not thinking or a call."""
        return self.type == "text" and bool(self.text.strip())


class _Usage(_Lenient):
    input_tokens: _Count = 0
    output_tokens: _Count = 0
    cache_read_input_tokens: _Count = 0
    cache_creation_input_tokens: _Count = 0


def _usage(value: object) -> object:
    return value if isinstance(value, dict) else {}


class _Answer(_Lenient):
    content: list[_Block]
    model: _Text = ""
    stop_reason: str | None = None
    usage: Annotated[_Usage, BeforeValidator(_usage)] = _Usage()
