"""Pictures on the Messages API: how they are sent, and a service that takes none."""

import base64
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.errors import ModelRefused, ModelUnavailable
from bot.llm.messages_api.claude import ClaudeModel
from bot.llm.messages_api.request import body_of
from bot.llm.service.options import ServiceOptions
from bot.model.requests import (
    AssistantMessage,
    ModelReply,
    ModelRequest,
    Picture,
    Purpose,
    ToolCall,
    ToolResult,
    ToolRound,
    UserMessage,
)
from tests.edge.anthropic_server import anthropic_server, says
from tests.edge.loopback import Answer
from tests.edge.messages_rules import violations
from tests.edge.strict_server import Conversation, fails

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)
CAT = Picture(media_type="image/png", content=PNG)
LOOK = UserMessage(text="regarde", speaker="David", injection="<recalled>…", pictures=(CAT,))
SEARCH = ToolRound(
    text="",
    calls=(ToolCall(id="toolu_1", name="search_memories", arguments={}),),
    results=(ToolResult(call_id="toolu_1", text="found"),),
)
HEADERS = {
    "anthropic-version": "2023-06-01",
    "content-type": "application/json",
    "x-api-key": "key",
}


def request(*messages: UserMessage | AssistantMessage | ToolRound) -> ModelRequest:
    """A turn without tools."""
    return ModelRequest(
        system="Be brief.",
        messages=messages or (LOOK,),
        tools=(),
        purpose=Purpose.TURN,
        max_tokens=300,
    )


def kinds(body: dict[str, Any]) -> list[list[str]]:
    """The types of the blocks of each message."""
    return [[block["type"] for block in message["content"]] for message in body["messages"]]


@pytest.fixture
async def server() -> AsyncIterator[Conversation]:
    """A strict server that checks itself when the test is over."""
    async with anthropic_server() as conversation:
        yield conversation


async def answered(server: Conversation, asked: ModelRequest, **options: Any) -> ModelReply:
    """What the adapter makes of a request."""
    given = {
        "model": "claude-haiku-5-5",
        "api_key": "sk",
        "base_url": server.url,
        "timeout_s": 5.0,
        "retries": 0,
        **options,
    }
    model = ClaudeModel(ServiceOptions(**given))
    try:
        return await model.complete(asked)
    finally:
        await model.close()


async def test_a_picture_stands_between_what_was_recalled_and_the_words(
    server: Conversation,
) -> None:
    """In base64, with the type that its bytes have."""
    server.will(says("Joli !"))
    await answered(server, request())
    (message,) = server.bodies[0]["messages"]
    recalled, picture, words = message["content"]
    assert (recalled["text"], words["text"]) == ("<recalled>…", "David: regarde")
    assert picture == {
        "type": "image",
        "source": {
            "type": "base64",
            "media_type": "image/png",
            "data": base64.b64encode(PNG).decode(),
        },
    }


def test_a_picture_is_sent_in_every_round_and_never_marked_for_the_cache() -> None:
    """What comes after the window is not repeated in the next turn."""
    window = (UserMessage(text="1", speaker=""), AssistantMessage(text="One."), LOOK, SEARCH)
    body = body_of(request(*window), model="any", caching=True)
    assert kinds(body)[2] == ["text", "image", "text"]
    assert "cache_control" not in str(body["messages"][2])
    assert violations(HEADERS, body) == []


def test_a_picture_without_words_needs_no_stand_in() -> None:
    """It is content of its own."""
    body = body_of(
        request(UserMessage(text="", speaker="", pictures=(CAT,))), model="any", caching=False
    )
    assert kinds(body) == [["image"]]
    assert violations(HEADERS, body) == []


@pytest.mark.parametrize(
    "refusal",
    [
        fails(400, "invalid_request_error", message="messages.0: image exceeds 5 MB maximum"),
        fails(400, "invalid_request_error", message="This model does not support images."),
        fails(400, "invalid_request_error", message="gemma is not a multimodal model"),
        fails(500, "api_error", message="image input is not supported: provide the mmproj"),
        fails(413, "request_too_large", message="Request exceeds the maximum size"),
    ],
)
async def test_a_service_that_refuses_pictures_is_asked_once_without(
    server: Conversation, refusal: Answer
) -> None:
    """The words are answered, and nothing else of the request is changed."""
    server.will(refusal, says("Un chat ?"))
    reply = await answered(server, request())
    assert reply.text == "Un chat ?"
    assert [kinds(body)[0] for body in server.bodies] == [["text", "image", "text"], ["text"] * 2]


async def test_a_refusal_of_the_words_is_not_tried_again(server: Conversation) -> None:
    """The second request is the last."""
    image = fails(400, "invalid_request_error", message="no image please")
    server.will(image, image)
    with pytest.raises(ModelRefused):
        await answered(server, request())


@pytest.mark.parametrize(
    "refusal",
    [
        fails(400, "invalid_request_error", message="max_tokens is too large"),
        fails(529, "overloaded_error", message="Overloaded"),
    ],
)
async def test_a_refusal_of_something_else_is_what_it_is(
    server: Conversation, refusal: Answer
) -> None:
    """Pictures are not dropped for it."""
    server.will(refusal)
    with pytest.raises((ModelRefused, ModelUnavailable)):
        await answered(server, request())


async def test_a_request_without_pictures_is_not_sent_twice(server: Conversation) -> None:
    """Whatever the service says of images."""
    server.will(fails(400, "invalid_request_error", message="image"))
    with pytest.raises(ModelRefused):
        await answered(server, request(UserMessage(text="salut", speaker="David")))


async def test_both_requests_share_one_limit(server: Conversation) -> None:
    """A turn does not wait twice."""
    server.will(fails(400, "invalid_request_error", message="image"), Answer(never=True))
    with pytest.raises(ModelUnavailable, match=r"within 0\.3 seconds"):
        await answered(server, request(), timeout_s=0.3)


@pytest.mark.parametrize(
    "source",
    [
        {"type": "url", "url": "https://x"},
        {"type": "base64", "media_type": "image/svg+xml", "data": "AAAA"},
        {"type": "base64", "media_type": "image/png", "data": ""},
        {"type": "base64", "media_type": "image/png", "data": "not base64!"},
        {"type": "base64", "media_type": "image/png", "data": "A" * (5 * 1024 * 1024 + 4)},
    ],
)
def test_the_strict_server_knows_a_bad_picture(source: dict[str, Any]) -> None:
    """Each of these is refused by the real one."""
    body = body_of(request(), model="any", caching=False)
    body["messages"][0]["content"][1]["source"] = source
    assert violations(HEADERS, body) != []
