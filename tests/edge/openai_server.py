"""Strict chat completions on loopback, answered from a script."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tests.edge.completions_rules import violations
from tests.edge.loopback import Answer, LoopbackServer
from tests.edge.strict_server import Conversation


def call(name: str, arguments: object, call_id: str = "call_1") -> dict[str, Any]:
    """A call of a tool, its arguments as JSON text."""
    written = arguments if isinstance(arguments, str) else json.dumps(arguments)
    function = {"name": name, "arguments": written}
    return {"id": call_id, "type": "function", "function": function}


def says(*content: str | dict[str, Any], **fields: Any) -> Answer:
    """A successful answer with these texts and calls; `fields` replace those of the body."""
    texts = [one for one in content if isinstance(one, str)]
    calls = [one for one in content if not isinstance(one, str)]
    message: dict[str, Any] = {"role": "assistant", "content": "\n".join(texts) or None}
    if calls:
        message["tool_calls"] = calls
    message |= fields.pop("message", {})
    reason = fields.pop("finish_reason", "tool_calls" if calls else "stop")
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "gpt-test-1",
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        "usage": {"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15},
        **fields,
    }
    return Answer(body=json.dumps(body).encode())


@asynccontextmanager
async def openai_server() -> AsyncIterator[Conversation]:
    """A running server; leaving the context checks that nothing was wrong or left over."""
    conversation = Conversation(path="/v1/chat/completions", rules=violations)
    async with LoopbackServer(conversation.answer) as server:
        conversation.url = f"{server.url}/v1"
        yield conversation
    conversation.check()
