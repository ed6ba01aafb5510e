"""A strict Messages API on loopback: it answers from a script and forgives no broken rule."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from tests.edge.loopback import Answer, LoopbackServer
from tests.edge.messages_rules import violations
from tests.edge.strict_server import Conversation


def call(name: str, arguments: object, call_id: str = "toolu_1") -> dict[str, Any]:
    """A tool_use block."""
    return {"type": "tool_use", "id": call_id, "name": name, "input": arguments}


def says(*content: str | dict[str, Any], **fields: Any) -> Answer:
    """A successful answer with these texts and blocks; `fields` replace those of the body."""
    blocks = [{"type": "text", "text": c} if isinstance(c, str) else c for c in content]
    called = any(block["type"] == "tool_use" for block in blocks)
    body = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-test-1",
        "content": blocks,
        "stop_reason": "tool_use" if called else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 12, "output_tokens": 3},
        **fields,
    }
    return Answer(body=json.dumps(body).encode())


def without(answer: Answer, *names: str) -> Answer:
    """The same answer, these fields of its body left out."""
    body = {name: value for name, value in json.loads(answer.body).items() if name not in names}
    return replace(answer, body=json.dumps(body).encode())


@asynccontextmanager
async def anthropic_server() -> AsyncIterator[Conversation]:
    """A running server; leaving the context checks that nothing was wrong or left over."""
    conversation = Conversation(path="/v1/messages", rules=violations)
    async with LoopbackServer(conversation.answer) as server:
        conversation.url = server.url
        yield conversation
    conversation.check()
