"""JSON that a model wrote as words where it was asked to call a tool. Pure.

Servers that ignore `tool_choice`, and models that were taught no calls, answer so.
"""

import json
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from bot.model.requests import ToolCall

_MOST_TRIED = 16
"""Places of a text where an object may begin: a text of brackets alone is not read for ever."""

_DECODER = json.JSONDecoder()

_ARGUMENTS = ("arguments", "parameters", "input")
"""Names under which models write the arguments of a call."""

_AROUND = ("```", "<tool_call>", "[TOOL_CALLS]", "<|python_tag|>")
"""What templates and models put before a call that they write."""


def objects_in(text: str) -> Iterator[dict[str, Any]]:
    """The objects that stand in a text, in order, also in fences or in a list; none inside."""
    place, tried = text.find("{"), 0
    while place >= 0 and tried < _MOST_TRIED:
        tried += 1
        try:
            found, end = _DECODER.raw_decode(text, place)
        except (ValueError, RecursionError):
            end = place + 1
        else:
            yield found
        place = text.find("{", end)


def forms_in(text: str, tool: str) -> list[dict[str, Any]]:
    """The arguments for one tool that a text holds: bare, or inside a call of it."""
    return [_unwrapped(one, tool) for one in objects_in(text)]


def calls_in(text: str, tools: Collection[str], *, place: int) -> Sequence[ToolCall]:
    """The calls that a text consists of; none where it says anything before them.

    `tools` are those that were offered, `place` a number that no other round of the request has.
    """
    if not _begins_like_a_call(text):
        return ()
    named = ((_name_of(one), one) for one in objects_in(text))
    return tuple(
        ToolCall(id=f"written_{place}_{number}", name=name, arguments=_unwrapped(one, name))
        for number, (name, one) in enumerate(named)
        if name in tools
    )


def _begins_like_a_call(text: str) -> bool:
    return text.lstrip().startswith(("{", "[", *_AROUND))


def _name_of(written: dict[str, Any]) -> str:
    inside = written.get("function", written)
    name = inside.get("name") if isinstance(inside, dict) else None
    if isinstance(name, str):
        return name
    only = next(iter(written), "")
    return only if len(written) == 1 and isinstance(written[only], dict) else ""


def _unwrapped(written: dict[str, Any], tool: str) -> dict[str, Any]:
    """The arguments in a call of the tool; the object itself where it is none."""
    inside = written.get("function", written)
    if not isinstance(inside, dict) or _name_of(written) != tool:
        return written
    for name in _ARGUMENTS:
        given = inside.get(name)
        if isinstance(given, str):
            given = next(objects_in(given), None)
        if isinstance(given, dict):
            return given
    given = written.get(tool)
    return given if isinstance(given, dict) else {}
