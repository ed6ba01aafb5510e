"""Every provider of models as its service: how it answers, what it asks, in one set of words."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from bot.llm.chat_completions.openai import OpenAiModel
from bot.llm.messages_api.claude import ClaudeModel
from bot.llm.service.options import ServiceOptions
from bot.model.requests import ModelReply, ModelRequest
from tests.edge import anthropic_server, openai_server
from tests.edge.loopback import Answer
from tests.edge.strict_server import Conversation


class ClosingModel(Protocol):
    """A model with connections."""

    @property
    def name(self) -> str:
        """Its name."""
        ...

    async def complete(self, request: ModelRequest) -> ModelReply:
        """One answer."""
        ...

    async def close(self) -> None:
        """Release them."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """A provider: its adapter, its strict server, and its words for what both do.

    `counted` are the fields of a usage with 75 tokens sent, 70 of them cached, and 6 received.
    `forced`, `results`, `words` and `pictures` read a request.
    """

    name: str
    model: Callable[[ServiceOptions], ClosingModel]
    server: Callable[[], AbstractAsyncContextManager[Conversation]]
    says: Callable[..., Answer]
    call: Callable[..., dict[str, Any]]
    counted: dict[str, Any]
    cut: dict[str, Any]
    refused: dict[str, Any]
    forced: Callable[[dict[str, Any]], str | None]
    results: Callable[[dict[str, Any]], list[str]]
    words: Callable[[dict[str, Any]], str]
    pictures: Callable[[dict[str, Any]], int]
    unreadable: tuple[bytes, ...]


def _claude_results(body: dict[str, Any]) -> list[str]:
    blocks = [block for one in body["messages"] for block in one["content"]]
    return [block["content"] for block in blocks if block["type"] == "tool_result"]


def _claude_words(body: dict[str, Any]) -> str:
    last = body["messages"][-1]["content"]
    return "\n\n".join(block["text"] for block in last if block["type"] == "text")


def _openai_words(body: dict[str, Any]) -> str:
    content = body["messages"][-1]["content"]
    if isinstance(content, str):
        return content
    return "\n\n".join(part["text"] for part in content if part["type"] == "text")


def _claude_pictures(body: dict[str, Any]) -> int:
    return sum(block["type"] == "image" for one in body["messages"] for block in one["content"])


def _openai_pictures(body: dict[str, Any]) -> int:
    contents = [one["content"] for one in body["messages"] if isinstance(one["content"], list)]
    return sum(part["type"] == "image_url" for content in contents for part in content)


ANTHROPIC = Provider(
    name="anthropic",
    model=ClaudeModel,
    server=anthropic_server.anthropic_server,
    says=anthropic_server.says,
    call=anthropic_server.call,
    counted={
        "usage": {"input_tokens": 5, "output_tokens": 6, "cache_read_input_tokens": 70},
    },
    cut={"stop_reason": "max_tokens"},
    refused={"stop_reason": "refusal"},
    forced=lambda body: body.get("tool_choice", {}).get("name"),
    results=_claude_results,
    words=_claude_words,
    pictures=_claude_pictures,
    unreadable=(b'{"content": [{"type": "te', b'{"content": "a secret of david"}'),
)

OPENAI = Provider(
    name="openai",
    model=OpenAiModel,
    server=openai_server.openai_server,
    says=openai_server.says,
    call=openai_server.call,
    counted={
        "usage": {
            "prompt_tokens": 75,
            "completion_tokens": 6,
            "prompt_tokens_details": {"cached_tokens": 70},
        },
    },
    cut={"finish_reason": "length"},
    refused={"finish_reason": "content_filter"},
    forced=lambda body: body.get("tool_choice", {}).get("function", {}).get("name"),
    results=lambda body: [one["content"] for one in body["messages"] if one["role"] == "tool"],
    words=_openai_words,
    pictures=_openai_pictures,
    unreadable=(b'{"choices": [{"mess', b'{"choices": []}', b'{"choices": "a secret of david"}'),
)

PROVIDERS = (ANTHROPIC, OPENAI)
