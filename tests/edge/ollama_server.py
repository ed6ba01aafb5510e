"""A server that behaves as Ollama does: no forced tools, 4,096 tokens, the front lost silently.

It speaks both ways of asking. Its model knows a few questions, and only what is left of a prompt.
Sources: docs.ollama.com/context-length; github.com/ollama/ollama/issues/17921.
"""

import json
import re
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from memory.tokens import CHARS_PER_TOKEN, tokens_in
from tests.edge import anthropic_server, openai_server
from tests.edge.loopback import Answer, Asked, LoopbackServer

MODEL = "qwen3:4b"

DEFAULT_WINDOW = 4096
"""Tokens kept below 24 GiB of video memory, where nothing else is said."""

_WORD = re.compile(r"word of the day is ([\w-]{1,40})")

_NOT_FOUND = Answer(status=404, body=b'{"error": "not found"}')


@dataclass
class Ollama:
    """The server: `says` are answers to give first; `truncated` counts prompts that lost a part."""

    window: int = DEFAULT_WINDOW
    tools: bool = True
    url: str = ""
    truncated: int = 0
    bodies: list[dict[str, Any]] = field(default_factory=list)
    says: deque[str] = field(default_factory=deque)

    async def answer(self, asked: Asked) -> Answer:
        """What it says to a request of either kind, or of its own."""
        match asked.method, asked.path:
            case "GET", "/api/version":
                return Answer(body=b'{"version": "0.32.15"}')
            case "GET", "/v1/models":
                models = {"data": [{"id": MODEL, "object": "model", "owned_by": "library"}]}
                return Answer(body=json.dumps(models).encode())
            case "POST", "/v1/messages":
                return self._spoken(asked.json(), anthropic_server)
            case "POST", "/v1/chat/completions":
                return self._spoken(asked.json(), openai_server)
        return _NOT_FOUND

    def _spoken(self, body: dict[str, Any], way: Any) -> Answer:
        self.bodies.append(body)
        prompt = _flat(body)
        kept = prompt[-int(self.window * CHARS_PER_TOKEN) :]
        self.truncated += len(kept) < len(prompt)
        offered = [name for name in _tools(body) if name in kept] if self.tools else []
        said = self._said(kept, _last(body), offered)
        read = min(tokens_in(prompt), self.window)
        usage = (
            {"input_tokens": read, "output_tokens": 9}
            if way is anthropic_server
            else {"prompt_tokens": read, "completion_tokens": 9}
        )
        told = said if isinstance(said, str) else way.call(*said)
        return way.says(told, usage=usage)  # type: ignore[no-any-return]

    def _said(
        self, kept: str, last: str, offered: Sequence[str]
    ) -> str | tuple[str, dict[str, Any]]:
        """What its model comes to; `tool_choice` was never looked at."""
        if self.says:
            return self.says.popleft()
        if "What is the word of the day" in last:
            known = _WORD.search(kept)
            return known[1] if known else "I have no word of the day. How can I help?"
        if "What is the weather" in last and "look_up_weather" in offered:
            return "look_up_weather", {"city": "Athens"}
        if "Answer with one JSON object for record_city" in last:
            return 'Of course!\n```json\n{"city": "Athens"}\n```'
        if "respond" in offered:
            return "respond", {"message": "Bonjour, me voilà.", "expression": "happy"}
        return "That sounds lovely."


@asynccontextmanager
async def ollama(**fields: Any) -> AsyncIterator[Ollama]:
    """One of them, until the body ends."""
    server = Ollama(**fields)
    async with LoopbackServer(server.answer) as loopback:
        server.url = loopback.url
        yield server


def _flat(body: dict[str, Any]) -> str:
    """The prompt as a template writes it: the system text, the tools, the messages."""
    front = [body.get("system"), body.get("tools")]
    return "\n".join(_text(one) for one in (*front, *body["messages"]) if one)


def _text(part: Any) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, dict) and isinstance(part.get("content"), str):
        return str(part["content"])
    if isinstance(part, dict) and isinstance(part.get("text"), str):
        return str(part["text"])
    if isinstance(part, dict) and isinstance(part.get("content"), list):
        return _text(part["content"])
    if isinstance(part, list):
        return "\n".join(map(_text, part))
    return json.dumps(part, ensure_ascii=False)


def _tools(body: dict[str, Any]) -> list[str]:
    return [tool.get("function", tool)["name"] for tool in body.get("tools", [])]


def _last(body: dict[str, Any]) -> str:
    return _text(body["messages"][-1])
