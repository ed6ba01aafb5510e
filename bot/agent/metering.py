"""The metered gateway: every model call is written down and obeys the day's caps."""

import asyncio
from time import perf_counter

import structlog

from bot.agent.daily_budget import DailyBudget, begins_answer
from bot.agent.estimates import tokens_said, tokens_sent
from bot.errors import BotError
from bot.model.requests import ModelReply, ModelRequest, Usage
from bot.ports import Model
from memory.model.errors import StorageFailed
from memory.model.ledger import ModelCall
from memory.storage.conversations.ledger import Ledger

log = structlog.get_logger()


class MeteredModel:
    """A model whose calls are counted; the only way the rest of the pet reaches one."""

    def __init__(self, model: Model, ledger: Ledger, budget: DailyBudget) -> None:
        self._model = model
        self._ledger = ledger
        self._budget = budget

    @property
    def name(self) -> str:
        """The model's name, as the ledger records it."""
        return self._model.name

    async def complete(self, request: ModelRequest) -> ModelReply:
        """One answer to one request, within the caps and written down whatever comes of it.

        What it may take is kept for it before it is sent. A call that is cancelled was sent and is
        paid for: its input is estimated.

        Raises:
            BudgetExhausted: it does not fit into a cap of today any more.
            ModelUnavailable: see Model.
            ModelRefused: see Model.

        """
        reserved = await self._budget.reserve(request, self.name)
        # Settled after it is written down: a day that begins in between counts it twice, not never.
        try:
            reply = await self._asked(request)
        except asyncio.CancelledError:
            self._budget.settle(reserved, request, self.name, _given_up(request))
            raise
        except BaseException:
            self._budget.release(reserved)
            raise
        self._budget.settle(reserved, request, self.name, reply.usage)
        return reply

    async def _asked(self, request: ModelRequest) -> ModelReply:
        """The model's answer, written down."""
        started = perf_counter()
        try:
            reply = await self._model.complete(request)
        except BotError as error:
            await self._record(request, None, type(error).__name__, started)
            raise
        except asyncio.CancelledError:
            await self._record_cancelled(request, started)
            raise
        await self._record(request, reply.usage, reply.stop_reason, started)
        return reply

    async def _record_cancelled(self, request: ModelRequest, started: float) -> None:
        try:
            await self._record(request, _given_up(request), "cancelled", started)
        except StorageFailed as error:  # it must not take the place of the cancellation
            log.warning("usage.missed", reason=str(error))

    async def _record(
        self, request: ModelRequest, taken: Usage | None, outcome: str, started: float
    ) -> None:
        usage = taken or Usage()
        await self._ledger.record(
            ModelCall(
                purpose=request.purpose,
                model=self._model.name,
                outcome=outcome,
                person=request.person,
                space=request.space,
                room=request.room,
                answers=0 if taken is None else begins_answer(request),
                input=usage.input,
                output=usage.output,
                cache_read=usage.cache_read,
                cache_write=usage.cache_write,
                cost=self._budget.cost(self.name, usage),
                injected=request.injected_tokens,
                estimated=tokens_sent(request),
                took_ms=(perf_counter() - started) * 1000,
            )
        )


def _given_up(request: ModelRequest) -> Usage:
    """What a call took that was cancelled: it was sent, and nothing is known of its answer."""
    return Usage(input=tokens_said(request))
