"""A request is cut until it and its answer fit the window of a small model."""

import pytest

from bot.agent.estimates import tokens_sent
from bot.agent.fitting import ANSWER_TOKENS, FittingModel, fitted
from bot.model.requests import (
    AssistantMessage,
    ModelReply,
    ModelRequest,
    Purpose,
    ToolCall,
    ToolResult,
    ToolRound,
    Usage,
    UserMessage,
)

WORDS = "what did Ana say about the boat?"
ROOM = "<recalled x>\n[Now - noon]\n[Room - what was said]\n• Ana: one\n• Bo: two\n</r>"
FOUND = "<recalled x>\n[Memory - facts you know]\n• a boat\n• a dog\n</r>"
ROUND = ToolRound(
    text="",
    calls=(ToolCall(id="1", name="search", arguments={}),),
    results=(ToolResult(call_id="1", text="found: the boat is red"),),
)


def request(*, talk: int = 0, room: str = ROOM, found: str = FOUND) -> ModelRequest:
    """A turn with so many exchanges before it, and one round of tools after its words."""
    before = [
        one
        for number in range(talk)
        for one in (
            UserMessage(text=f"question {number} " + "word " * 40, speaker="Ana"),
            AssistantMessage(text=f"reply {number} " + "word " * 40),
        )
    ]
    now = UserMessage(text=WORDS, speaker="Ana", surroundings=room, injection=found)
    preface = UserMessage(text="", speaker="", injection="[Here - a room]")
    return ModelRequest(
        system="Be brief. " * 50,
        messages=(preface, *before, now, ROUND),
        tools=(),
        purpose=Purpose.TURN,
        max_tokens=1024,
    )


def window_of(smaller: ModelRequest) -> int:
    """The window that a request just fits with its answer."""
    return tokens_sent(smaller) + ANSWER_TOKENS


def said_now(one: ModelRequest) -> UserMessage:
    """The words of now in a request."""
    (now,) = (part for part in one.messages if isinstance(part, UserMessage) and part.text == WORDS)
    return now


def test_what_fits_stays_as_it_is() -> None:
    """Only the answer's length is bounded by what the window has left."""
    whole = request(talk=3)
    assert fitted(whole, 100_000) == whole
    assert fitted(whole, window_of(whole)).messages == whole.messages
    assert fitted(whole, window_of(whole)).max_tokens == ANSWER_TOKENS


def test_earlier_exchanges_go_first_and_the_oldest_of_them() -> None:
    """The room, what was recalled and what tools found are untouched while talk can go."""
    cut = fitted(request(talk=4), window_of(request(talk=2)))
    texts = [one.text for one in cut.messages if isinstance(one, UserMessage)]
    assert [text[:10] for text in texts] == ["", "question 2", "question 3", WORDS[:10]]
    assert (said_now(cut).surroundings, said_now(cut).injection) == (ROOM, FOUND)
    assert cut.messages[-1] == ROUND


def test_then_lines_of_the_room_then_recalled_lines() -> None:
    """The oldest line of the room goes first, the last of the recalled ones; headings with them."""
    less_room = ROOM.replace("• Ana: one\n", "")
    no_room = "<recalled x>\n[Now - noon]\n</r>"
    less_found = FOUND.replace("• a dog\n", "")
    ladder = [
        (less_room, FOUND),
        (no_room, FOUND),
        (no_room, less_found),
        (no_room, "<recalled x>\n</r>"),
    ]
    for room, found in ladder:
        window = window_of(request(room=room, found=found))
        now = said_now(fitted(request(talk=2), window))
        assert (now.surroundings, now.injection) == (room, found)


@pytest.mark.parametrize("window", [0, 64, 500])
def test_rules_and_words_stay_where_they_alone_are_too_long(window: int) -> None:
    """Nothing else is left, and an answer may still be as long as it needs to be."""
    cut = fitted(request(talk=2), window)
    assert cut.system == request().system
    assert len(cut.messages) == 3
    assert said_now(cut).text == WORDS
    assert cut.max_tokens == ANSWER_TOKENS


async def test_a_model_is_sent_what_fits() -> None:
    """Every request goes through, whatever it is for."""
    sent: list[ModelRequest] = []

    class Small:
        name = "small"

        async def complete(self, request: ModelRequest) -> ModelReply:
            sent.append(request)
            return ModelReply(text="hi", calls=(), usage=Usage(), model=self.name)

    model = FittingModel(Small(), 1_000)
    assert (await model.complete(request(talk=30))).text == "hi"
    assert model.name == "small"
    assert tokens_sent(sent[0]) + sent[0].max_tokens <= 1_000
