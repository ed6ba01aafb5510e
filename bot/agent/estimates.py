"""How many tokens a request is, taken before the provider has counted them. Pure."""

import json

from bot.model.requests import (
    AssistantMessage,
    ModelMessage,
    ModelRequest,
    ToolRound,
    Usage,
    UserMessage,
)
from memory.tokens import tokens_in

PICTURE_TOKENS = 1500
"""What one picture counts for: providers make it smaller until it is about that."""


def tokens_sent(request: ModelRequest) -> int:
    """About how many tokens a request sends."""
    return tokens_said(request) + _tools(request)


def tokens_said(request: ModelRequest) -> int:
    """About how many tokens a request sends, without its tools."""
    said = (message for message in request.messages if isinstance(message, UserMessage))
    seen = PICTURE_TOKENS * sum(len(one.pictures) for one in said)
    rules = request.system + request.system_of_session
    return tokens_in(rules + "".join(map(_sent, request.messages))) + seen


def charged(request: ModelRequest, usage: Usage) -> Usage:
    """What a call counts for: what the provider counted, or an estimate where it counts nothing."""
    if usage.input or usage.cache_read or usage.cache_write or usage.output:
        return usage
    return Usage(input=tokens_sent(request))


def _tools(request: ModelRequest) -> int:
    written = [
        {"name": one.name, "description": one.description, "input_schema": one.schema}
        for one in request.tools
    ]
    return tokens_in(json.dumps(written, ensure_ascii=False)) if written else 0


def _sent(message: ModelMessage) -> str:
    match message:
        case UserMessage():
            return message.surroundings + message.injection + message.text
        case AssistantMessage():
            return message.text
        case ToolRound():
            asked = "".join(json.dumps(call.arguments) for call in message.calls)
            return message.text + asked + "".join(result.text for result in message.results)
