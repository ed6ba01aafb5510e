"""Answering when the model does not: from memory, by rules, and said so first."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

import structlog

from bot.agent.circuit_breaker import CircuitBreaker
from bot.agent.loop import ModelLoop
from bot.agent.toolbox import RESPOND, ToolContext
from bot.errors import (
    BotError,
    BudgetExhausted,
    ModelAccessDenied,
    ModelRefused,
    ModelTooSlow,
    ModelUnavailable,
)
from bot.model.requests import (
    ModelRequest,
    ToolCall,
    ToolResult,
    ToolRound,
    ToolSpec,
)
from bot.model.turns import Reply
from bot.texts.catalogue import say
from bot.texts.choice import language_of
from memory.language.detection import (
    clear_language,
    in_other_letters,
    names_a_language,
    told_language,
)

log = structlog.get_logger()

_NOTICES: Mapping[type[BotError], str] = {
    BudgetExhausted: "turn.from_memory",
    ModelTooSlow: "turn.model_slow",
    ModelUnavailable: "turn.model_away",
    ModelAccessDenied: "turn.model_denied",
    ModelRefused: "turn.model_refused",
}
"""What is said before an answer from memory, the more particular failure first."""

_NONSENSE = "The model gave no usable answer."

_OTHER_LANGUAGE = "They wrote in {language}: say the same in {language}."
"""Told to a model that answered in another language than it was asked in."""

_QUOTES = re.compile(r'[«»“”"]')
"""Every second piece between these is a quotation, which keeps its own language."""

_LANGUAGES = {"en": "English", "fr": "French"}


class TurnLoop(Protocol):
    """Comes to the reply of a turn."""

    async def until_closed(self, request: ModelRequest, context: ToolContext) -> Reply | None:
        """The reply to a request; see `ModelLoop`."""
        ...


class FallbackLoop:
    """Asks the model; where it is away, refused, spent, silent or lost, rules answer from memory.

    The sentence that says so is the reply's `notice`, in the language of the one who speaks.
    """

    def __init__(
        self,
        by_model: TurnLoop,
        by_rules: ModelLoop[Reply],
        tools_of_rules: tuple[ToolSpec, ...],
    ) -> None:
        self._by_model = by_model
        self._by_rules = by_rules
        self._tools_of_rules = tools_of_rules

    async def until_closed(self, request: ModelRequest, context: ToolContext) -> Reply | None:
        """The reply to a request; None when rules found none either.

        Raises:
            BotError: the rules failed.

        """
        try:
            reply = await self._by_model.until_closed(request, context)
        except BotError as error:
            log.warning("model.failed", error=type(error).__name__, reason=str(error))
            return await self._remembered(request, context, error)
        if reply is None:
            return await self._remembered(request, context, BotError(_NONSENSE))
        return reply

    async def _remembered(
        self, request: ModelRequest, context: ToolContext, failure: BotError
    ) -> Reply | None:
        """What rules answer, after one sentence about why they do."""
        language = language_of(request)
        # What the model has stored already must not be stored again in other words.
        force = RESPOND if context.effects.changed else None
        asked = replace(request, locale=language, force=force, tools=self._tools_of_rules)
        reply = await self._by_rules.until_closed(asked, context)
        if reply is None or context.batch.is_system:
            return reply
        is_spent = isinstance(failure, BudgetExhausted)
        return replace(
            reply,
            notice=say(notice_of(failure), language),
            failure=None if is_spent else str(failure),
        )


class BreakingLoop:
    """Asks the model unless it has just failed several times in a row: people wait no more then."""

    def __init__(self, by_model: TurnLoop, breaker: CircuitBreaker) -> None:
        self._by_model = by_model
        self._breaker = breaker

    async def until_closed(self, request: ModelRequest, context: ToolContext) -> Reply | None:
        """The reply to a request; see `ModelLoop`."""
        with self._breaker.attempt():
            return await self._by_model.until_closed(request, context)


class SameLanguageLoop:
    """Asks the model once more where its answer is clearly in another language than the question.

    What it says then is taken as it is: it may have been asked for that.
    """

    def __init__(self, by_model: ModelLoop[Reply]) -> None:
        self._by_model = by_model

    async def until_closed(self, request: ModelRequest, context: ToolContext) -> Reply | None:
        """The reply to a request; see `ModelLoop`."""
        reply = await self._by_model.until_closed(request, context)
        if reply is None or (wanted := _missed_language(reply, context.batch.own_text)) is None:
            return reply
        log.info("language.missed", wanted=wanted, room=context.batch.room.id)
        said = ToolCall(id="language_1", name=RESPOND, arguments={"message": reply.text})
        told = _OTHER_LANGUAGE.format(language=_LANGUAGES[wanted])
        result = ToolResult(call_id=said.id, text=told, failed=True)
        done = ToolRound(text="", calls=(said,), results=(result,))
        again = replace(request, messages=(*request.messages, done), force=RESPOND)
        try:
            return await self._by_model.until_closed(again, context) or reply
        except BotError as error:  # what there is already is better than nothing
            log.info("language.kept", reason=type(error).__name__)
            return reply


def notice_of(failure: BotError) -> str:
    """The name of the sentence that stands before an answer from memory after this failure."""
    found = (text for kind, text in _NOTICES.items() if isinstance(failure, kind))
    return next(found, "turn.model_nonsense")


def _missed_language(reply: Reply, asked: str) -> str | None:
    """The language of the question, where the reply is clearly in another one, or alphabet."""
    own_words = " ".join(_QUOTES.split(reply.text)[::2])
    wanted = told_language(asked)
    if wanted is None or names_a_language(asked):
        return None
    came = clear_language(own_words)
    is_other = in_other_letters(own_words) if came is None else came != wanted
    return wanted if is_other else None
