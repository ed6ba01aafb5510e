"""The adapter with its real SDK against a strict Messages API on loopback."""

import asyncio
import copy
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.errors import (
    BotError,
    ModelAccessDenied,
    ModelRefused,
    ModelTooSlow,
    ModelUnavailable,
)
from bot.llm.messages_api.claude import ClaudeModel
from bot.llm.service.options import ServiceOptions
from bot.llm.service.rounds import VerbatimRounds
from bot.model.requests import (
    AssistantMessage,
    ModelMessage,
    ModelRequest,
    Purpose,
    ToolCall,
    ToolResult,
    ToolRound,
    ToolSpec,
    Usage,
    UserMessage,
)
from tests.edge.anthropic_server import anthropic_server, call, says, without
from tests.edge.loopback import Answer, LoopbackServer
from tests.edge.messages_rules import violations
from tests.edge.strict_server import Conversation, fails
from tests.patience import PATIENCE_S

KEY = "sk-ant-a-secret"
TOOLS = tuple(
    ToolSpec(name=name, description="A tool.", schema={"type": "object"})
    for name in ("search_memories", "respond")
)
NOW = {"retry_after_ms": "1"}
"""What a server says that wants to be asked again at once."""


def request(*messages: ModelMessage, force: str | None = None) -> ModelRequest:
    """A turn with these messages."""
    return ModelRequest(
        system="Be brief.",
        messages=messages or (UserMessage(text="david: hello", speaker=""),),
        tools=TOOLS,
        purpose=Purpose.TURN,
        max_tokens=300,
        force=force,
    )


@pytest.fixture
async def server() -> AsyncIterator[Conversation]:
    """A strict server that checks itself when the test is over."""
    async with anthropic_server() as conversation:
        yield conversation


@asynccontextmanager
async def claude(server: Conversation, **options: Any) -> AsyncIterator[ClaudeModel]:
    """The adapter, pointed at the server."""
    given = {
        "model": "claude-haiku-5-5",
        "api_key": KEY,
        "base_url": server.url,
        "timeout_s": 5.0,
        "retries": 0,
        **options,
    }
    model = ClaudeModel(ServiceOptions(**given))
    try:
        yield model
    finally:
        await model.close()


async def test_a_text_is_a_reply_with_its_usage(server: Conversation) -> None:
    """The plainest answer there is."""
    server.will(says("Hello."))
    async with claude(server) as model:
        reply = await model.complete(request())
    assert (reply.text, reply.calls, reply.stop_reason) == ("Hello.", (), "end")
    assert reply.usage == Usage(input=12, output=3)
    assert reply.model == "claude-test-1"


async def test_any_model_name_and_no_key_are_fine_for_a_local_server(server: Conversation) -> None:
    """The request names the model as it was configured."""
    server.will(says("Hello."))
    async with claude(server, model="qwen3:4b", api_key="", prompt_caching=False) as model:
        assert model.name == "qwen3:4b"
        await model.complete(request())
    assert server.bodies[0]["model"] == "qwen3:4b"


async def test_two_rounds_of_tools_end_in_an_answer(server: Conversation) -> None:
    """Each round is sent back as it came, with its results."""
    server.will(
        says("Let me look.", call("search_memories", {"query": "dev"}, "toolu_1")),
        says(call("search_memories", {"query": "Mickael"}, "toolu_2")),
        says(call("respond", {"expression": "happy", "message": "It is Mickael."}, "toolu_3")),
    )
    messages: list[ModelMessage] = [
        UserMessage(text="who is dev?", speaker="", injection="[Memory]")
    ]
    async with claude(server) as model:
        for _ in range(2):
            reply = await model.complete(request(*messages))
            found = tuple(ToolResult(call_id=c.id, text="dev = Mickael") for c in reply.calls)
            messages.append(ToolRound(text=reply.text, calls=reply.calls, results=found))
        last = await model.complete(request(*messages, force="respond"))
    assert last.calls[0].arguments == {"expression": "happy", "message": "It is Mickael."}
    assert last.stop_reason == "tools"
    assert [len(body["messages"]) for body in server.bodies] == [1, 3, 5]
    assert server.bodies[2]["tool_choice"] == {"type": "tool", "name": "respond"}


async def test_a_model_that_thinks_gets_its_thoughts_back(server: Conversation) -> None:
    """The adapter keeps them between two rounds, since nobody else may see them."""
    thought = {"type": "thinking", "thinking": "", "signature": "signed"}
    came = (thought, call("search_memories", {"query": "dev"}, "toolu_1"))
    server.will(says(*came), says("Done."))
    asked = UserMessage(text="who is dev?", speaker="")
    async with claude(server, model="claude-opus-5-5") as model:
        reply = await model.complete(request(asked))
        found = (ToolResult(call_id="toolu_1", text="Mickael"),)
        done = ToolRound(text=reply.text, calls=reply.calls, results=found)
        await model.complete(request(asked, done, force="respond"))
    assert server.bodies[1]["messages"][1]["content"] == list(came)


def test_thoughts_of_old_rounds_make_room() -> None:
    """A pet that runs for years does not collect them; the latest are there."""
    rounds = VerbatimRounds[list[str]]()
    for n in range(1000):
        rounds.keep({(f"toolu_{n}",): []})
    assert len(rounds.kept) < 500
    assert ("toolu_999",) in rounds.kept


async def test_a_failed_tool_says_so(server: Conversation) -> None:
    """The model learns that its call was wrong."""
    server.will(says("I see."))
    asked = ToolCall(id="toolu_1", name="search_memories", arguments={})
    failed = ToolResult(call_id="toolu_1", text="query is missing", failed=True)
    async with claude(server) as model:
        await model.complete(
            request(
                UserMessage(text="hi", speaker=""),
                ToolRound(text="", calls=(asked,), results=(failed,)),
            )
        )
    assert server.bodies[0]["messages"][-1]["content"][0]["is_error"] is True


async def test_caching_marks_the_window_and_reads_what_it_saved(server: Conversation) -> None:
    """Cached tokens are counted apart from fresh ones."""
    usage = {
        "input_tokens": 5,
        "output_tokens": 6,
        "cache_read_input_tokens": 70,
        "cache_creation_input_tokens": 8,
    }
    server.will(says("Two.", usage=usage))
    window = (
        UserMessage(text="1", speaker=""),
        AssistantMessage(text="One."),
        UserMessage(text="2", speaker=""),
    )
    async with claude(server) as model:
        reply = await model.complete(request(*window))
    assert reply.usage == Usage(input=5, output=6, cache_read=70, cache_write=8)
    assert server.bodies[0]["messages"][1]["content"][-1]["cache_control"] == {"type": "ephemeral"}
    assert server.bodies[0]["messages"][2]["content"][-1]["cache_control"] == {"type": "ephemeral"}


@pytest.mark.parametrize(
    "sparse",
    [
        without(says("Hi."), "usage"),
        says("Hi.", usage=None),
        without(says("Hi."), "usage", "model", "stop_reason", "id", "type", "role"),
    ],
)
async def test_an_answer_with_fields_missing_is_read(server: Conversation, sparse: Answer) -> None:
    """Local servers count nothing and leave fields out."""
    server.will(sparse)
    async with claude(server) as model:
        reply = await model.complete(request())
    assert (reply.text, reply.stop_reason) == ("Hi.", "end")


async def test_arguments_that_are_no_object_are_none(server: Conversation) -> None:
    """A malformed call is a call without arguments, never a crash."""
    server.will(says(call("respond", ["not", "an", "object"])))
    async with claude(server) as model:
        reply = await model.complete(request())
    assert reply.calls[0].arguments == {}


@pytest.mark.parametrize(
    "passing",
    [
        fails(429, "rate_limit_error", retry_after="0"),
        fails(429, "rate_limit_error", **NOW),
        fails(529, "overloaded_error", **NOW),
        fails(500, "api_error", **NOW),
        replace(says("Hello."), cut=True),
    ],
)
async def test_a_passing_failure_is_tried_again(server: Conversation, passing: Answer) -> None:
    """The SDK asks again, and the reply is as if nothing had happened."""
    server.will(passing, says("Hello."))
    async with claude(server, retries=1) as model:
        reply = await model.complete(request())
    assert reply.text == "Hello."
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    "answer",
    [
        fails(429, "rate_limit_error"),
        fails(500, "api_error"),
        fails(503, "api_error"),
        fails(529, "overloaded_error"),
        replace(says("Hello."), cut=True),
        Answer(body=b'{"content": [{"type": "te'),
        Answer(body=b"<html>Bad gateway</html>", headers={"content-type": "text/html"}),
        Answer(body=b"null"),
        Answer(body=b"\xff\xfe"),
        Answer(body=b""),
        Answer(body=b'{"type": "error", "error": {"type": "overloaded_error"}}'),
    ],
)
async def test_no_usable_answer_is_unavailable(server: Conversation, answer: Answer) -> None:
    """Whatever the service sends instead of an answer, asking later may work."""
    server.will(answer)
    async with claude(server) as model:
        with pytest.raises(ModelUnavailable):
            await model.complete(request())


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (fails(400, "invalid_request_error"), ModelRefused),
        (fails(413, "request_too_large"), ModelRefused),
        (fails(401, "authentication_error"), ModelAccessDenied),
        (fails(403, "permission_error"), ModelAccessDenied),
        (fails(404, "not_found_error"), ModelAccessDenied),
        (Answer(status=404, body=b"nothing here"), ModelAccessDenied),
    ],
)
async def test_a_refusal_is_not_tried_again(
    server: Conversation, answer: Answer, error: type[BotError]
) -> None:
    """The same request would be refused again."""
    server.will(answer)
    async with claude(server, retries=2) as model:
        with pytest.raises(error):
            await model.complete(request())
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "answer", [Answer(never=True), fails(429, "rate_limit_error", retry_after="120")]
)
async def test_a_call_ends_at_our_time_limit(server: Conversation, answer: Answer) -> None:
    """Neither silence nor a long Retry-After holds a turn."""
    server.will(answer)
    async with claude(server, timeout_s=1.0, retries=2) as model, asyncio.timeout(PATIENCE_S):
        with pytest.raises(ModelUnavailable):
            await model.complete(request())
    assert len(server.requests) == 1


@pytest.mark.parametrize("purpose", Purpose)
async def test_who_waits_for_an_answer_waits_less_than_the_pet_for_its_own_work(
    server: Conversation, purpose: Purpose
) -> None:
    """Each kind of call has a limit of its own; here the other kind would wait for ten minutes."""
    answers = purpose in (Purpose.TURN, Purpose.BRANCH)
    limits = (0.2, 600.0) if answers else (600.0, 0.2)
    server.will(Answer(never=True))
    options = dict(zip(("timeout_s", "background_timeout_s"), limits, strict=True))
    async with claude(server, **options) as model, asyncio.timeout(PATIENCE_S):
        with pytest.raises(ModelTooSlow, match=r"within 0\.2 seconds"):
            await model.complete(replace(request(), purpose=purpose))


async def test_a_service_that_is_not_there_is_unavailable() -> None:
    """A refused connection is translated like any other failure."""
    async with anthropic_server() as gone:
        pass
    async with claude(gone) as model:
        with pytest.raises(ModelUnavailable):
            await model.complete(request())


async def test_a_cancelled_call_is_cancelled(server: Conversation) -> None:
    """A turn that restarts drops its call at once; the limit does not turn it into an error."""
    server.will(Answer(never=True))
    async with claude(server) as model:
        task = asyncio.ensure_future(model.complete(request()))
        await server.asked.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


async def test_half_a_character_is_refused_and_not_sent(server: Conversation) -> None:
    """Text that is no Unicode cannot be encoded, which is nobody's crash."""
    async with claude(server) as model:
        with pytest.raises(ModelRefused):
            await model.complete(request(UserMessage(text="\ud83d", speaker="")))
    assert server.requests == []


async def test_no_error_and_no_log_above_debug_tells_the_key_or_the_words(
    server: Conversation,
) -> None:
    """A service that quotes both in its refusal does not spread them."""
    server.will(fails(401, "authentication_error", message=f"{KEY} asked: david: hello"))
    with capture_logs() as logs:
        async with claude(server) as model:
            with pytest.raises(ModelAccessDenied) as caught:
                await model.complete(request())
    assert "hello" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert [entry["event"] for entry in logs] == ["model.refused"]
    assert {entry["log_level"] for entry in logs} == {"debug"}
    assert KEY not in f"{caught.value} {logs}"


async def test_an_unreadable_answer_is_not_quoted(server: Conversation) -> None:
    """What the service wrote may be what people wrote."""
    server.will(Answer(body=b'{"content": "a secret of david"}'))
    async with claude(server) as model:
        with pytest.raises(ModelUnavailable) as caught:
            await model.complete(request())
    assert "secret" not in f"{caught.value} {caught.value.__cause__}"


# The rules that the servers of these tests and of the peers enforce must themselves hold.

FINE: dict[str, Any] = {
    "model": "m",
    "max_tokens": 5,
    "tools": [{"name": "look", "description": "d", "input_schema": {"type": "object"}}],
    "messages": [
        {"role": "user", "content": [{"type": "text", "text": "hi"}]},
        {"role": "assistant", "content": [call("look", {}, "a"), call("look", {}, "b")]},
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "a", "content": "1"},
                {"type": "tool_result", "tool_use_id": "b", "content": "2"},
                {"type": "text", "text": "and?"},
            ],
        },
    ],
}
HEADERS = {
    "anthropic-version": "2023-06-01",
    "content-type": "application/json",
    "x-api-key": "k",
}


def test_a_proper_request_breaks_no_rule() -> None:
    """The rules let pass what the API lets pass."""
    assert violations(HEADERS, FINE) == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("max_tokens",), 0),
        (("model",), ""),
        (("temperature",), 1),
        (("messages",), []),
        (("messages",), FINE["messages"][1:]),
        (("messages",), FINE["messages"][:2]),
        (("messages",), [FINE["messages"][0], *FINE["messages"]]),
        (("messages",), [FINE["messages"][0], FINE["messages"][2]]),
        (("messages", 0, "content"), []),
        (("messages", 0, "content"), ""),
        (("messages", 0, "content", 0, "text"), " \n"),
        (("messages", 0, "content", 0), call("look", {}, "c")),
        (("messages", 1, "content", 0, "name"), "lo ok"),
        (("messages", 1, "content", 0, "input"), "{}"),
        (("messages", 1, "content", 1, "id"), "a"),
        (("messages", 2, "content", 0, "content"), ""),
        (("messages", 2, "content", 0, "tool_use_id"), "z"),
        (("messages", 2, "content"), list(reversed(FINE["messages"][2]["content"]))),
        (("messages", 2, "content"), FINE["messages"][2]["content"][:1]),
        (("tools",), []),
        (("tools", 0, "name"), "lo ok"),
        (("tools",), FINE["tools"] * 2),
        (("tools", 0, "input_schema"), {}),
        (("tools", 0, "cache_control"), {"type": "for ever"}),
        (("tool_choice",), {"type": "tool", "name": "fly"}),
        (("system",), [{"type": "text", "text": ""}]),
        (("messages", 1, "content", 0), {"type": "thinking", "thinking": "hm"}),
        (("system",), [{"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}}] * 5),
    ],
)
def test_a_broken_rule_is_seen(path: tuple[Any, ...], value: Any) -> None:
    """Each of these would be refused by the API."""
    body = copy.deepcopy(FINE)
    place: Any = body
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    assert violations(HEADERS, body) != []


@pytest.mark.parametrize("name", sorted(HEADERS))
def test_a_missing_header_is_seen(name: str) -> None:
    """The API refuses requests without them."""
    assert violations({k: v for k, v in HEADERS.items() if k != name}, FINE) != []


async def test_the_server_refuses_what_breaks_a_rule_and_fails_the_test() -> None:
    """A rule cannot be broken unseen, even by a test that expects a refusal."""
    server = Conversation(path="/v1/messages", rules=violations)
    async with LoopbackServer(server.answer) as loopback:
        server.url = loopback.url
        async with claude(server) as model:
            with pytest.raises(ModelRefused):
                await model.complete(request(force="fly"))
    with pytest.raises(AssertionError, match="tool_choice names no tool"):
        server.check()


def test_an_answer_that_nobody_asked_for_fails_the_test() -> None:
    """A scripted failure that never happened would prove nothing."""
    server = Conversation(path="/v1/messages", rules=violations)
    server.will(says("Hello."))
    with pytest.raises(AssertionError, match="never asked for"):
        server.check()
