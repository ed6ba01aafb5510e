"""The model loop: rounds of tools that end in `respond`."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import structlog

from bot.model import ModelReply, ModelRequest, Reply, ToolCall, ToolResult, ToolRound
from bot.ports import Model
from bot.tools import RESPOND, ToolContext, reply_of

log = structlog.get_logger()


class Tools(Protocol):
    """Runs a model's tool calls."""

    async def run(self, call: ToolCall, context: ToolContext) -> ToolResult:
        """What the call came to; a wrong call is told to the model, never raised."""
        ...


class ModelLoop:
    """Asks the model until it responds, at most `max_turns` times; the last one must."""

    def __init__(self, model: Model, tools: Tools, *, max_turns: int) -> None:
        self._model = model
        self._tools = tools
        self._max_turns = max_turns

    async def until_respond(self, request: ModelRequest, context: ToolContext) -> Reply | None:
        """The pet's reply; None when the model never gave a usable one.

        Raises:
            ModelUnavailable: asking later may work.
            ModelRefused: asking again will not help.
            BudgetExhausted: the day's cap is used up.

        """
        for left in reversed(range(self._max_turns)):
            forced = request if left else replace(request, force=RESPOND)
            answer = await self._model.complete(forced)
            if not answer.calls and answer.text.strip():
                return Reply(text=answer.text.strip())
            if reply := _reply_in(answer):
                await self._run_beside(answer, context)
                return reply
            results = [await self._result(call, answer, context) for call in answer.calls]
            request = replace(request, messages=(*request.messages, _round(answer, results, left)))
        log.warning("reply.missed", rounds=self._max_turns)
        return None

    async def _run_beside(self, answer: ModelReply, context: ToolContext) -> None:
        """What the model asked for together with its reply is done too."""
        for call in answer.calls:
            if call.name != RESPOND:
                await self._result(call, answer, context)

    async def _result(self, call: ToolCall, answer: ModelReply, context: ToolContext) -> ToolResult:
        if answer.stop_reason == "length":
            # The arguments may end in the middle; half a statement must not be stored.
            return ToolResult(call_id=call.id, text="Cut off: be shorter.", failed=True)
        return await self._tools.run(call, context)


def _reply_in(answer: ModelReply) -> Reply | None:
    replies = (reply_of(call) for call in answer.calls if call.name == RESPOND)
    return next((reply for reply in replies if reply is not None), None)


def _round(answer: ModelReply, results: Sequence[ToolResult], left: int) -> ToolRound:
    if answer.calls:
        return ToolRound(text=answer.text, calls=answer.calls, results=tuple(results))
    # An answer with neither words nor calls: ask once more, in a form every service accepts.
    # Ids must differ within a request, or the service refuses all of it.
    nudge = ToolCall(id=f"nudge_{left}", name=RESPOND, arguments={})
    result = ToolResult(call_id=nudge.id, text="Nothing was said. Call respond.", failed=True)
    return ToolRound(text="", calls=(nudge,), results=(result,))
