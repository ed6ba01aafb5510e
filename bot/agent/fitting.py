"""Makes a request fit the window of a small model: what matters least goes first. Pure."""

from collections.abc import Iterator
from dataclasses import replace

from bot.agent.estimates import tokens_said, tokens_sent
from bot.model.requests import ModelMessage, ModelReply, ModelRequest, UserMessage
from bot.ports import Model

ANSWER_TOKENS = 700
"""Tokens left for an answer, or as many as one may have where that is less."""

_BULLET = "• "


def fitted(request: ModelRequest, window: int) -> ModelRequest:
    """The request, cut until it and its answer take at most `window` tokens.

    First the oldest exchanges go, then lines of the room, the oldest first, then recalled lines,
    the last first. The rules, the tools, the words said now and what tools found stay, even where
    they alone are too long: the provider says so then.
    """
    answer = min(request.max_tokens, ANSWER_TOKENS)
    beside_tools = window - (tokens_sent(request) - tokens_said(request))
    smaller = request
    for smaller in _smaller(request):
        if tokens_said(smaller) + answer <= beside_tools:
            break
    left = max(answer, beside_tools - tokens_said(smaller))
    return replace(smaller, max_tokens=min(request.max_tokens, left))


def _smaller(request: ModelRequest) -> Iterator[ModelRequest]:
    """The request, then with less and less in it."""
    yield request
    messages = request.messages
    while (now := _place_of_words(messages)) > 1:
        after = (at for at in range(2, now) if isinstance(messages[at], UserMessage))
        messages = (*messages[:1], *messages[next(after, now) :])
        yield replace(request, messages=messages)
    said = messages[now]
    if not isinstance(said, UserMessage):
        return
    for less in _shorter(said):
        yield replace(request, messages=(*messages[:now], less, *messages[now + 1 :]))


def _place_of_words(messages: tuple[ModelMessage, ...]) -> int:
    """Where the words said now stand: the last that a person said."""
    return max((at for at, one in enumerate(messages) if isinstance(one, UserMessage)), default=0)


def _shorter(said: UserMessage) -> Iterator[UserMessage]:
    """The words with fewer lines of the room, then with fewer recalled ones."""
    while (lines := _without_line(said.surroundings, 0)) != said.surroundings:
        said = replace(said, surroundings=lines)
        yield said
    while (lines := _without_line(said.injection, -1)) != said.injection:
        said = replace(said, injection=lines)
        yield said


def _without_line(block: str, which: int) -> str:
    """A block without one of its lines, and without a heading under which none is left."""
    rows = block.split("\n")
    bullets = [at for at, row in enumerate(rows) if row.startswith(_BULLET)]
    if not bullets:
        return block
    at = bullets[which]
    is_sole = not rows[at - 1].startswith(_BULLET) and not rows[at + 1].startswith(_BULLET)
    del rows[at - 1 if is_sole else at : at + 1]
    return "\n".join(rows)


class FittingModel:
    """A model that is never sent more than `window` tokens, its answer counted; see `fitted`."""

    def __init__(self, model: Model, window: int) -> None:
        self._model = model
        self._window = window

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    async def complete(self, request: ModelRequest) -> ModelReply:
        """One answer to a request that was made to fit; errors are those of the model."""
        return await self._model.complete(fitted(request, self._window))
