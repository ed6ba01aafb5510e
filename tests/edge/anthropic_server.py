"""A strict Messages API on loopback: it answers from a script and forgives no broken rule."""

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from tests.edge.loopback import Answer, Asked, LoopbackServer
from tests.edge.messages_rules import violations


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


def fails(status: int, kind: str, *, message: str = "no", **headers: str) -> Answer:
    """An error answer; header names are written with underscores."""
    body = {"type": "error", "error": {"type": kind, "message": message}}
    return Answer(
        status=status,
        body=json.dumps(body).encode(),
        headers={name.replace("_", "-"): value for name, value in headers.items()},
    )


@dataclass
class Conversation:
    """What was asked of the server, and what it still has to answer."""

    url: str = ""
    requests: list[Asked] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    _script: deque[Answer] = field(default_factory=deque)

    @property
    def bodies(self) -> list[dict[str, Any]]:
        """The JSON of every request, in order."""
        return [asked.json() for asked in self.requests]

    def will(self, *answers: Answer) -> None:
        """Answer the next requests with these, in order."""
        self._script.extend(answers)

    async def answer(self, asked: Asked) -> Answer:
        """The next answer of the script, or a 400 for a broken rule."""
        self.requests.append(asked)
        self.asked.set()
        broken = violations(asked.headers, asked.json())
        if (asked.method, asked.path) != ("POST", "/v1/messages"):
            broken.append(f"{asked.method} {asked.path} is not what we call")
        if not broken and not self._script:
            broken.append("this request is one more than the script has answers")
        self.broken += broken
        if broken:
            return fails(400, "invalid_request_error", message="; ".join(broken))
        return self._script.popleft()

    def check(self) -> None:
        """Fail when a rule was broken or an answer was never asked for."""
        assert not self.broken, self.broken
        assert not self._script, f"{len(self._script)} answers were never asked for"


@asynccontextmanager
async def anthropic_server() -> AsyncIterator[Conversation]:
    """A running server; leaving the context checks that nothing was wrong or left over."""
    conversation = Conversation()
    async with LoopbackServer(conversation.answer) as server:
        conversation.url = server.url
        yield conversation
    conversation.check()
