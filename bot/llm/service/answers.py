"""Parts of answers as servers really send them: fields left out, JSON as text, ids used twice.

Pure: no vendor library, no I/O.
"""

import json
import re
from collections.abc import Iterable
from typing import Annotated, Any, TypeAlias
from uuid import uuid4

from pydantic import BaseModel, BeforeValidator, ConfigDict

from bot.model.requests import ToolCall

Json: TypeAlias = dict[str, Any]

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")

_NAME_LENGTH = 64
"""The longest tool name that every server takes."""

_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9_-]")


class LenientPart(BaseModel):
    """A part of an answer: fields that are not ours are ignored, inputs never printed."""

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)


def with_own_ids(calls: Iterable[ToolCall]) -> tuple[ToolCall, ...]:
    """The calls of an answer, each with an id that is its own and can be sent back."""
    seen: set[str] = set()
    told = []
    for call in calls:
        fit = _ID.fullmatch(call.id) is not None and call.id not in seen
        call_id = call.id if fit else f"toolu_{uuid4().hex}"
        seen.add(call_id)
        told.append(ToolCall(id=call_id, name=call.name, arguments=call.arguments))
    return tuple(told)


def sendable_name(name: str) -> str:
    """A tool's name as every server takes it back, whatever the model wrote."""
    return _NOT_IN_A_NAME.sub("_", name)[:_NAME_LENGTH] or "unnamed"


_MOST_TOKENS = 1_000_000_000
"""Of one call; a server that counts more is wrong, and no database has a column for it."""

LONGEST_ANSWER = 400_000
"""Characters of an answer that are read: as much as the most tokens of the settings come to. A
server that sends megabytes is broken, and a room would get them as thousands of messages."""


def given_text(value: object) -> object:
    """A text as far as it is read; "" where there is none."""
    if value is None:
        return ""
    return value[:LONGEST_ANSWER] if isinstance(value, str) else value


def _count(value: object) -> int:
    return min(value, _MOST_TOKENS) if type(value) is int and value > 0 else 0


def _arguments(value: object) -> Json:
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {}
    if not isinstance(value, dict) or not _can_be_sent_back(value):
        return {}
    return value


def _can_be_sent_back(value: Json) -> bool:
    """Whether these arguments are JSON that the next request can carry (no NaN, no half emoji)."""
    try:
        written = json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return False
    return len(written) <= LONGEST_ANSWER


GivenText = Annotated[str, BeforeValidator(given_text)]
"""A text; "" where there is none."""

GivenCount = Annotated[int, BeforeValidator(_count)]
"""A number of tokens; 0 where there is none."""

GivenArguments = Annotated[Json, BeforeValidator(_arguments)]
"""The arguments of a call; some servers send them as JSON text, some send no object: none then."""
