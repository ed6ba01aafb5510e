"""The metered gateway: every model call is written down and obeys the day's caps."""

import asyncio
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from time import perf_counter

import structlog

from bot.errors import BotError, BudgetExhausted
from bot.model.requests import (
    AssistantMessage,
    ModelMessage,
    ModelReply,
    ModelRequest,
    Purpose,
    ToolRound,
    Usage,
    UserMessage,
)
from bot.ports import Model
from memory.errors import StorageFailed
from memory.model.ledger import ModelCall
from memory.ports import Clock
from memory.storage.conversations.ledger import Ledger
from memory.tokens import tokens_in

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cap:
    """Tokens one purpose may use in a day (UTC); None is no cap."""

    input: int | None = None
    output: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Caps:
    """What a day may cost: tokens per purpose, and answers per person."""

    per_purpose: dict[Purpose, Cap]
    per_person_turns: int | None = None


class MeteredModel:
    """A model whose calls are counted; the only way the rest of the pet reaches one."""

    def __init__(self, model: Model, ledger: Ledger, clock: Clock, caps: Caps) -> None:
        self._model = model
        self._ledger = ledger
        self._clock = clock
        self._caps = caps

    @property
    def name(self) -> str:
        """The model's name, as the ledger records it."""
        return self._model.name

    async def complete(self, request: ModelRequest) -> ModelReply:
        """One answer to one request, within the caps and written down whatever comes of it.

        A call that is cancelled was sent and is paid for: its input is estimated.

        Raises:
            BudgetExhausted: the day's cap for the purpose or the person is used up.
            ModelUnavailable: see Model.
            ModelRefused: see Model.

        """
        await self._check(request)
        started = perf_counter()
        try:
            reply = await self._model.complete(request)
        except BotError as error:
            await self._record(request, Usage(), type(error).__name__, started)
            raise
        except asyncio.CancelledError:
            await self._record_cancelled(request, started)
            raise
        await self._record(request, reply.usage, reply.stop_reason, started)
        return reply

    async def _check(self, request: ModelRequest) -> None:
        today = day_begun(self._clock.now())
        cap = self._caps.per_purpose.get(request.purpose, Cap())
        if cap != Cap():
            used = await self._ledger.used(request.purpose, today)
            if _reached(used.input, cap.input) or _reached(used.output, cap.output):
                raise BudgetExhausted(
                    f"Today's tokens for the purpose {request.purpose} are used up."
                )
        most = self._caps.per_person_turns
        if most is None or request.person is None or request.purpose is not Purpose.TURN:
            return
        if _reached(await self._ledger.turns_of(request.person, today), most):
            raise BudgetExhausted(f"This person had {most} answers today.")

    async def _record_cancelled(self, request: ModelRequest, started: float) -> None:
        try:
            await self._record(request, Usage(input=_estimated(request)), "cancelled", started)
        except StorageFailed as error:  # it must not take the place of the cancellation
            log.warning("usage.missed", reason=str(error))

    async def _record(
        self, request: ModelRequest, usage: Usage, outcome: str, started: float
    ) -> None:
        await self._ledger.record(
            ModelCall(
                purpose=request.purpose,
                model=self._model.name,
                outcome=outcome,
                person=request.person,
                input=usage.input,
                output=usage.output,
                cache_read=usage.cache_read,
                cache_write=usage.cache_write,
                injected=request.injected_tokens,
                estimated=_estimated(request) + _tools(request),
                took_ms=(perf_counter() - started) * 1000,
            )
        )


PICTURE_TOKENS = 1500
"""What one picture counts for: providers make it smaller until it is about that."""


def day_begun(now: datetime) -> datetime:
    """When the day of the caps began: at midnight, UTC."""
    return now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def _estimated(request: ModelRequest) -> int:
    """About how many tokens a request sends, without its tools."""
    said = (message for message in request.messages if isinstance(message, UserMessage))
    seen = PICTURE_TOKENS * sum(len(one.pictures) for one in said)
    return tokens_in(request.system + "".join(map(_sent, request.messages))) + seen


def _tools(request: ModelRequest) -> int:
    """About how many tokens the tools of a request are."""
    return tokens_in(
        "".join(tool.name + tool.description + json.dumps(tool.schema) for tool in request.tools)
    )


def _sent(message: ModelMessage) -> str:
    match message:
        case UserMessage():
            return message.injection + message.text
        case AssistantMessage():
            return message.text
        case ToolRound():
            asked = "".join(json.dumps(call.arguments) for call in message.calls)
            return message.text + asked + "".join(result.text for result in message.results)


def _reached(used: int, cap: int | None) -> bool:
    return cap is not None and used >= cap
