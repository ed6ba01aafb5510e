"""The Claude adapter against a Messages API that others wrote."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from bot.errors import ModelRefused, ModelUnavailable
from bot.llm.messages_api.claude import ClaudeModel
from bot.llm.service.options import ServiceOptions
from bot.model.requests import (
    ModelMessage,
    ModelReply,
    ModelRequest,
    Purpose,
    ToolResult,
    ToolRound,
    ToolSpec,
    UserMessage,
)
from tests.peers.aimock import Aimock, Peer, calls, fails, running_aimock, says, strict_peer

TOOLS = tuple(
    ToolSpec(name=name, description="A tool.", schema={"type": "object", "properties": {}})
    for name in ("search_memories", "respond")
)
BLOCK = "[Memory - facts you know]\n• dev = Mickael (3 days ago)"
HELLO = {"expression": "happy", "message": "Bonjour !"}


@pytest.fixture(scope="module")
def aimock() -> Iterator[Aimock]:
    """One process for every test of this file."""
    with running_aimock() as running:
        yield running


@pytest.fixture
async def peer(aimock: Aimock) -> AsyncIterator[Peer]:
    """A clean slate that checks itself when the test is over."""
    async with strict_peer(aimock) as strict:
        yield strict


@asynccontextmanager
async def claude(peer: Peer, **options: Any) -> AsyncIterator[ClaudeModel]:
    """The adapter, pointed at the peer."""
    given = {
        "model": "claude-haiku-5-5",
        "api_key": "test",
        "base_url": peer.url,
        "timeout_s": 5.0,
        "retries": 0,
        **options,
    }
    model = ClaudeModel(ServiceOptions(**given))
    try:
        yield model
    finally:
        await model.close()


def request(*messages: ModelMessage, force: str | None = None) -> ModelRequest:
    """A turn with these messages."""
    return ModelRequest(
        system="Be brief.",
        messages=messages,
        tools=TOOLS,
        purpose=Purpose.TURN,
        max_tokens=300,
        force=force,
    )


SAID = UserMessage(text="david: bonjour", speaker="", injection=BLOCK)


async def rounds(model: ClaudeModel, results: list[ToolResult]) -> list[ModelReply]:
    """The replies of a loop that gives these results, one per round, to whatever is called."""
    replies = [await model.complete(request(SAID))]
    messages: list[ModelMessage] = [SAID]
    for result in results:
        last = replies[-1]
        answered = ToolResult(call_id=last.calls[0].id, text=result.text, failed=result.failed)
        messages.append(ToolRound(text=last.text, calls=last.calls, results=(answered,)))
        replies.append(await model.complete(request(*messages)))
    return replies


async def test_a_plain_respond(peer: Peer) -> None:
    """One call, and the words went out as they were."""
    peer.script(calls("respond", HELLO), userMessage="bonjour")
    async with claude(peer) as model:
        reply = await model.complete(request(SAID))
    assert reply.calls[0].arguments == HELLO
    assert reply.stop_reason == "tools"
    assert reply.model == "claude-haiku-5-5"
    texts = [block["text"] for block in peer.bodies[0]["messages"][0]["content"]]
    assert texts == [BLOCK, "david: bonjour"]


async def test_two_searches_in_a_row(peer: Peer) -> None:
    """Each result reaches the model, and the second search is not the first one again."""
    peer.script(
        calls("search_memories", {"query": "dev"}, text="Let me see."),
        calls("search_memories", {"query": "Mickael"}),
        calls("respond", HELLO),
    )
    found = [ToolResult(call_id="", text="dev = Mickael"), ToolResult(call_id="", text="brother")]
    async with claude(peer) as model:
        replies = await rounds(model, found)
    assert [reply.calls[0].name for reply in replies] == [
        "search_memories",
        "search_memories",
        "respond",
    ]
    assert replies[0].text == "Let me see."
    contents = [block["content"] for block in peer.bodies[2]["messages"][-1]["content"]]
    assert contents == ["brother"]


async def test_a_failed_tool_is_told_to_the_model(peer: Peer) -> None:
    """Its answer to the failure is the next reply."""
    peer.script(calls("respond", HELLO), toolResultContains="query is missing")
    peer.script(calls("search_memories", {}), userMessage="bonjour")
    async with claude(peer) as model:
        replies = await rounds(
            model, [ToolResult(call_id="", text="query is missing", failed=True)]
        )
    assert replies[-1].calls[0].name == "respond"
    assert peer.bodies[1]["messages"][-1]["content"][0]["is_error"] is True


async def test_a_forced_tool_reaches_the_service(peer: Peer) -> None:
    """The last round of a turn must answer."""
    peer.script(calls("respond", HELLO))
    async with claude(peer) as model:
        await model.complete(request(SAID, force="respond"))
    assert peer.bodies[0]["tool_choice"] == {"type": "tool", "name": "respond"}


async def test_plain_text_is_a_reply_too(peer: Peer) -> None:
    """A model may forget the tool; the loop decides what then."""
    peer.script(says("Bonjour."))
    async with claude(peer) as model:
        reply = await model.complete(request(SAID))
    assert (reply.text, reply.calls, reply.stop_reason) == ("Bonjour.", (), "end")


@pytest.mark.parametrize(
    "passing",
    [
        fails(429, "rate_limit_error", retry_after_s=0),
        fails(529, "overloaded_error"),
        fails(500, "api_error"),
    ],
)
async def test_a_passing_failure_is_tried_again(peer: Peer, passing: dict[str, Any]) -> None:
    """The reply is as if nothing had happened."""
    peer.script(passing, calls("respond", HELLO))
    async with claude(peer, retries=1) as model:
        reply = await model.complete(request(SAID))
    assert reply.calls[0].arguments == HELLO
    assert [entry["response"]["status"] for entry in peer.aimock.journal()] == [
        passing["status"],
        200,
    ]


async def test_a_long_retry_after_ends_at_our_limit(peer: Peer) -> None:
    """A service that asks for two minutes does not get them."""
    peer.script(fails(429, "rate_limit_error", retry_after_s=120))
    async with claude(peer, retries=2, timeout_s=0.5) as model:
        with pytest.raises(ModelUnavailable):
            await model.complete(request(SAID))
    assert len(peer.requests) == 1


@pytest.mark.parametrize("rate", ["dropRate", "malformedRate", "disconnectRate", "rateLimitRate"])
async def test_chaos_is_unavailable_and_then_over(peer: Peer, rate: str) -> None:
    """Whatever breaks, it is translated once, and the next call is a fresh one."""
    peer.script(calls("respond", HELLO))
    peer.aimock.chaos(**{rate: 1})
    async with claude(peer) as model:
        with pytest.raises(ModelUnavailable):
            await model.complete(request(SAID))
        peer.aimock.chaos(**{rate: 0})
        assert (await model.complete(request(SAID))).calls[0].name == "respond"


async def test_a_refused_request_is_refused(peer: Peer) -> None:
    """A 400 is not tried again."""
    peer.script(fails(400, "invalid_request_error"))
    async with claude(peer, retries=2) as model:
        with pytest.raises(ModelRefused):
            await model.complete(request(SAID))
    assert len(peer.requests) == 1


async def test_a_request_without_a_script_fails_the_test(aimock: Aimock) -> None:
    """A daemon that asks more than it should is noticed, even when it swallows the error."""
    peer = Peer(aimock)
    async with strict_peer(aimock) as strict:
        async with claude(strict) as model:
            with pytest.raises(ModelRefused):
                await model.complete(request(SAID))
        peer.broken, strict.broken = strict.broken, []
    with pytest.raises(AssertionError, match="no script"):
        peer.check()
