"""A form that a model fills in: as a call where it can be forced, else in its own words."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias, TypeVar

import structlog

from bot.agent.written_json import forms_in
from bot.errors import BotError
from bot.model.requests import ModelReply, ModelRequest, ToolResult, ToolRound, UserMessage
from bot.ports import Model

log = structlog.get_logger(__name__)

Form: TypeAlias = Mapping[str, Any]
Read = TypeVar("Read")

_REPAIR = (
    "That was no use: {problem} Answer with one JSON object for {tool} and with nothing else, by"
    " this schema: {schema}"
)
"""Asked once, of a model whose answer was not the form."""


class FormMisread(BotError):
    """A model's answer is not the form it was asked for; the sentence says why."""


async def filled(
    model: Model, request: ModelRequest, read: Callable[[Sequence[Form]], Read]
) -> Read:
    """What `read` makes of the forms of an answer; the model is asked a second time if it fails.

    The tool that `request` forces is the form. A model that did not call it may have written its
    arguments as JSON, whatever stands around. `read` raises `FormMisread` with a sentence.

    Raises:
        FormMisread: neither answer could be read, or one was cut or refused.
        BotError: what the model raises.

    """
    reply = await model.complete(request)
    try:
        return read(_forms(reply, request))
    except FormMisread as misread:
        if reply.stop_reason in {"length", "refusal"}:
            raise
        log.info("form.misread", purpose=request.purpose, reason=str(misread))
        again = replace(request, messages=(*request.messages, *_repair(reply, request, misread)))
    return read(_forms(await model.complete(again), again))


def _forms(reply: ModelReply, request: ModelRequest) -> list[Form]:
    if reply.stop_reason in {"length", "refusal"}:
        raise FormMisread(f"The model's answer is not whole ({reply.stop_reason}).")
    tool = request.force or ""
    called: list[Form] = [call.arguments for call in reply.calls if call.name == tool]
    forms = called or [*forms_in(reply.text, tool)]
    if not forms:
        raise FormMisread("The model did not fill in the form.")
    return forms


def _repair(
    reply: ModelReply, request: ModelRequest, misread: FormMisread
) -> tuple[ToolRound | UserMessage, ...]:
    """Its answer, and what was wrong with it."""
    results = tuple(
        ToolResult(call_id=call.id, text=str(misread), failed=True) for call in reply.calls
    )
    tool = next(one for one in request.tools if one.name == request.force)
    schema = json.dumps(tool.schema, ensure_ascii=False)
    asked = _REPAIR.format(problem=misread, tool=tool.name, schema=schema)
    return (
        ToolRound(text=reply.text, calls=reply.calls, results=results),
        UserMessage(text=asked, speaker=""),
    )
