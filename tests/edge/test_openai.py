"""What only chat completions have: dialects, thoughts among the words, an account without money."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from bot.errors import ModelAccessDenied, ModelRefused
from bot.llm.chat_completions.dialect import Dialect, adapted, dialect_of
from bot.llm.chat_completions.openai import OpenAiModel
from bot.llm.service.options import ServiceOptions
from bot.model.requests import ModelRequest, Purpose, ToolResult, ToolRound, ToolSpec, UserMessage
from tests.edge.loopback import Answer
from tests.edge.openai_server import call, openai_server, says
from tests.edge.strict_server import Conversation

TOOLS = (ToolSpec(name="respond", description="A tool.", schema={"type": "object"}),)
SAID = UserMessage(text="hello", speaker="david")


def request(*messages: Any, force: str | None = None) -> ModelRequest:
    """A turn with these messages."""
    return ModelRequest(
        system="Be brief.",
        system_of_session="Of today.",
        messages=messages or (SAID,),
        tools=TOOLS,
        purpose=Purpose.TURN,
        max_tokens=300,
        force=force,
    )


def refuses(message: str, *, status: int = 400, **error: Any) -> Answer:
    """A refusal as OpenAI words it."""
    told = {"message": message, "type": "invalid_request_error", "param": None, "code": None}
    return Answer(status=status, body=json.dumps({"error": {**told, **error}}).encode())


@pytest.fixture
async def server() -> AsyncIterator[Conversation]:
    """A strict server that checks itself when the test is over."""
    async with openai_server() as conversation:
        yield conversation


@asynccontextmanager
async def openai(server: Conversation, **options: Any) -> AsyncIterator[OpenAiModel]:
    """The adapter, pointed at the server."""
    given = {"api_key": "k", "model": "m", "base_url": server.url, "retries": 0, **options}
    model = OpenAiModel(ServiceOptions(**given))
    try:
        yield model
    finally:
        await model.close()


@pytest.mark.parametrize(
    ("model", "address", "dialect"),
    [
        ("qwen3:4b", "http://127.0.0.1:11434/v1", Dialect()),
        ("gpt-5", "https://openai.com.example/v1", Dialect()),
        ("gpt-4.1-mini", None, Dialect(limit="max_completion_tokens")),
        ("gpt-5-chat-latest", None, Dialect(limit="max_completion_tokens")),
        (
            "gpt-5-mini",
            "https://api.openai.com/v1",
            Dialect(limit="max_completion_tokens", effort="minimal", thought_tokens=1000),
        ),
        ("gpt-5.4", None, Dialect(limit="max_completion_tokens", effort="none")),
        (
            "o4-mini",
            "https://eko.openai.azure.com/openai/v1",
            Dialect(limit="max_completion_tokens", effort="low", thought_tokens=4000),
        ),
    ],
)
def test_a_model_is_asked_in_the_dialect_of_its_server(
    model: str, address: str | None, dialect: Dialect
) -> None:
    """OpenAI refuses what local servers need, and the other way round."""
    assert dialect_of(model, address) == dialect


@pytest.mark.parametrize(
    ("message", "param", "field", "wanted"),
    [
        (
            (
                "Unsupported parameter: 'max_tokens' is not supported with this model."
                " Use 'max_completion_tokens' instead."
            ),
            "max_tokens",
            "max_completion_tokens",
            300,
        ),
        ("This model does not support this tool_choice", None, "tool_choice", None),
        (
            (
                "Function tools with reasoning_effort are not supported. Use /v1/responses or set"
                " reasoning_effort to 'none'."
            ),
            "reasoning_effort",
            "reasoning_effort",
            "none",
        ),
    ],
)
async def test_a_refused_field_is_left_out_from_then_on(
    server: Conversation, message: str, param: str | None, field: str, wanted: object
) -> None:
    """No list of names knows every model: what the server says of a field decides."""
    server.will(refuses(message, param=param), says("Hello."), says("Again."))
    async with openai(server) as model:
        assert (await model.complete(request(force="respond"))).text == "Hello."
        await model.complete(request(force="respond"))
    assert [body.get(field) for body in server.bodies[1:]] == [wanted, wanted]
    if field == "tool_choice":
        assert server.bodies[1]["messages"][-1]["content"].endswith("nothing else is read.]")


async def test_what_did_not_help_is_not_learnt(server: Conversation) -> None:
    """A prompt that is too long names the limit too, and is nothing that a field could mend."""
    too_long = refuses("'max_tokens' or 'max_completion_tokens' is too large: 9000")
    server.will(too_long, too_long, too_long, too_long, says("Hello."))
    async with openai(server) as model:
        with pytest.raises(ModelRefused):
            await model.complete(request())
        await model.complete(request())
    assert "max_tokens" in server.bodies[-1]


def test_a_refusal_that_names_no_field_teaches_nothing() -> None:
    """The same request would be refused again."""
    assert adapted(Dialect(), "your input is not safe") == Dialect()


async def test_an_account_without_money_is_no_passing_failure(server: Conversation) -> None:
    """OpenAI answers it with the same status as a moment's haste."""
    server.will(refuses("You exceeded your quota", status=429, code="insufficient_quota"))
    async with openai(server) as model:
        with pytest.raises(ModelAccessDenied, match="no money"):
            await model.complete(request())


@pytest.mark.parametrize(
    ("content", "read"),
    [
        ("<think>They greet me.</think>\n\nHello!", "Hello!"),
        ("They greet me.</think>Hello!", "Hello!"),
        ("<think>They greet me, and", ""),
        ("Write <think> to think.", "Write <think> to think."),
        ([{"type": "thinking", "thinking": []}, {"type": "text", "text": "Hello!"}], "Hello!"),
        (None, ""),
    ],
)
async def test_thoughts_are_no_words_for_a_person(
    server: Conversation, content: object, read: str
) -> None:
    """Servers of local models leave them where they are."""
    server.will(says(message={"content": content}))
    async with openai(server) as model:
        assert (await model.complete(request())).text == read


async def test_thoughts_go_back_with_the_calls_they_led_to(server: Conversation) -> None:
    """Some services refuse the next round without; the next turn has none of them."""
    signed = {**call("respond", {}, "c_1"), "extra_content": {"google": {"signature": "s"}}}
    server.will(
        says(message={"tool_calls": [signed], "reasoning_content": "They greet me."}),
        says("Done."),
        says("Later."),
    )
    async with openai(server) as model:
        reply = await model.complete(request())
        found = (ToolResult(call_id="c_1", text="Sent."),)
        done = ToolRound(text=reply.text, calls=reply.calls, results=found)
        await model.complete(request(SAID, done))
        await model.complete(request(SAID, done, SAID))
    assert server.bodies[1]["messages"][2]["reasoning_content"] == "They greet me."
    assert server.bodies[1]["messages"][2]["tool_calls"] == [signed]
    assert "extra_content" not in json.dumps(server.bodies[2])


async def test_what_a_server_caches_stands_first(server: Conversation) -> None:
    """The stable rules, then what holds for one session, in one message."""
    server.will(says("Hello."))
    async with openai(server) as model:
        await model.complete(request())
    first = server.bodies[0]["messages"][0]
    assert first == {"role": "system", "content": "Be brief.\n\nOf today."}
