"""The model loop: rounds of tools that end in the one tool that closes it."""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

import structlog

from bot.agent.estimates import charged
from bot.agent.toolbox import RESPOND, ToolContext, reply_of
from bot.agent.written_json import calls_in
from bot.errors import ModelTooSlow
from bot.model.requests import (
    ANY_TOOL,
    ModelReply,
    ModelRequest,
    ToolCall,
    ToolResult,
    ToolRound,
    Usage,
)
from bot.model.turns import Reply
from bot.ports import Model
from memory.model.conversations import ToolUse

log = structlog.get_logger()

Outcome = TypeVar("Outcome")


class Tools(Protocol):
    """Runs a model's tool calls."""

    async def run(self, call: ToolCall, context: ToolContext) -> ToolResult:
        """The result of a call; a wrong call is an error for the model to read, never raised."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalTool(Generic[Outcome]):
    """The tool that closes a loop, and what the loop then comes to.

    `others` close it as well; `may_choose` says where a model that has to close may choose between
    them all. `of_call` gives None for a call with wrong arguments, or where it closes nothing;
    `of_text` takes plain words in place of a call.
    """

    tool: str
    of_call: Callable[[ToolCall, ToolContext], Outcome | None]
    of_text: Callable[[str], Outcome]
    others: frozenset[str] = frozenset()
    may_choose: Callable[[ToolContext], bool] = lambda _: False


RESPONDING = FinalTool(tool=RESPOND, of_call=reply_of, of_text=lambda text: Reply(text=text))
"""How a turn ends: the pet replies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopLimits:
    """What one loop may take; None is no limit of its own.

    `calls` are tools run, and `tokens` what the model was sent fresh and said: both count for a
    whole turn, its branches included. Once they are used up the loop must close.
    """

    rounds: int
    calls: int
    tokens: int | None = None
    timeout_s: float | None = None


class TookTooLong(ModelTooSlow):
    """A loop did not close within its time."""


class ModelLoop(Generic[Outcome]):
    """Asks the model until it closes or has taken what it may; the last time it must close."""

    def __init__(
        self, model: Model, tools: Tools, closing: FinalTool[Outcome], limits: LoopLimits
    ) -> None:
        self._model = model
        self._tools = tools
        self._closing = closing
        self._limits = limits

    async def until_closed(self, request: ModelRequest, context: ToolContext) -> Outcome | None:
        """What the model closed with; None when it never did in a usable way.

        Raises:
            ModelUnavailable: asking later may work.
            ModelRefused: asking again will not help.
            BudgetExhausted: the day's cap is used up.
            TookTooLong: it has not closed in time.

        """
        limit_s = self._limits.timeout_s
        try:
            async with asyncio.timeout(limit_s) as limit:
                return await self._closed(request, context)
        except TimeoutError:
            if not limit.expired():
                raise
            raise TookTooLong(f"No answer was found within {limit_s:g} seconds.") from None

    async def _closed(self, request: ModelRequest, context: ToolContext) -> Outcome | None:
        closers = [self._closing.tool]
        if self._closing.may_choose(context) and self._limits.rounds > 1:
            closers.append(ANY_TOOL)
        free = self._limits.rounds - len(closers)
        while closers:
            if self._is_spent(context):
                closers, free = closers[:1], 0
            asked = request if free > 0 else replace(request, force=closers.pop())
            free -= 1
            answer = _read(await self._model.complete(asked), asked)
            context.taken.tokens += _fresh(charged(asked, answer.usage))
            if not answer.calls and answer.text.strip():
                return self._closing.of_text(answer.text.strip())
            if (outcome := self._outcome_in(answer, context)) is not None:
                await self._run_beside(answer, context)
                return outcome
            results = [await self._result(call, answer, context) for call in answer.calls]
            if closers:
                done = self._round(answer, results, len(request.messages))
                request = replace(request, messages=(*request.messages, done))
        log.warning("reply.missed", purpose=request.purpose, tokens=context.taken.tokens)
        return None

    def _is_spent(self, context: ToolContext) -> bool:
        most = self._limits.tokens
        is_out_of_tokens = most is not None and context.taken.tokens >= most
        return is_out_of_tokens or context.taken.calls >= self._limits.calls

    def _outcome_in(self, answer: ModelReply, context: ToolContext) -> Outcome | None:
        found = ((one, self._closing.of_call(one, context)) for one in self._closings(answer))
        closed = next(((one, outcome) for one, outcome in found if outcome is not None), None)
        if closed is None:
            return None
        call, outcome = closed
        if call.name != self._closing.tool:  # why nothing was said is asked for later
            context.used.append(_use(call, ToolResult(call_id=call.id, text="Done.")))
        return outcome

    def _closings(self, answer: ModelReply) -> list[ToolCall]:
        names = {self._closing.tool, *self._closing.others}
        return [call for call in answer.calls if call.name in names]

    async def _run_beside(self, answer: ModelReply, context: ToolContext) -> None:
        """What the model asked for together with its closing is done too."""
        closings = self._closings(answer)
        for call in answer.calls:
            if call not in closings:
                await self._result(call, answer, context)

    async def _result(self, call: ToolCall, answer: ModelReply, context: ToolContext) -> ToolResult:
        if context.taken.calls >= self._limits.calls:
            # Every call is answered, or the service refuses the request; but nothing is written.
            text = f"Not done: {self._limits.calls} calls are the most for one answer. Close now."
            return ToolResult(call_id=call.id, text=text, failed=True)
        context.taken.calls += 1
        if answer.stop_reason == "length":
            # The arguments may end in the middle; half a statement must not be stored.
            result = ToolResult(call_id=call.id, text="Cut off: be shorter.", failed=True)
        else:
            result = await self._tools.run(call, context)
        context.used.append(_use(call, result))
        return result

    def _round(self, answer: ModelReply, results: Sequence[ToolResult], place: int) -> ToolRound:
        if answer.calls:
            return ToolRound(text=answer.text, calls=answer.calls, results=tuple(results))
        # An answer with neither words nor calls: ask once more, in a form every service accepts.
        # Ids must differ within a request, or the service refuses all of it.
        tool = self._closing.tool
        nudge = ToolCall(id=f"nudge_{place}", name=tool, arguments={})
        text = f"Nothing was said. Call {tool}."
        result = ToolResult(call_id=nudge.id, text=text, failed=True)
        return ToolRound(text="", calls=(nudge,), results=(result,))


def _read(answer: ModelReply, asked: ModelRequest) -> ModelReply:
    """The answer, with the calls that the model wrote as words instead of making them."""
    if answer.calls:
        return answer
    offered = [tool.name for tool in asked.tools]
    calls = calls_in(answer.text, offered, place=len(asked.messages))
    return replace(answer, text="", calls=tuple(calls)) if calls else answer


def _fresh(usage: Usage) -> int:
    return usage.input + usage.cache_write + usage.output


def _use(call: ToolCall, result: ToolResult) -> ToolUse:
    arguments = json.dumps(call.arguments, ensure_ascii=False)
    return ToolUse(
        name=_writable(call.name),
        arguments=_writable(arguments),
        result=_writable(result.text),
        failed=result.failed,
    )


def _writable(text: str) -> str:
    """The text without the halves of characters that a model may send and no file takes."""
    return text.encode("utf-8", "replace").decode("utf-8")
