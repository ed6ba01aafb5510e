"""What follows turns step by step: nothing, unless traces are collected."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeVar

import structlog

from bot.agent.loop import Tools
from bot.agent.toolbox import Toolbox
from bot.conversation.composer import Recalling
from bot.conversation.scheduler import TurnRunner
from bot.ports import Model

log = structlog.get_logger()

T = TypeVar("T")


def _same(part: T) -> T:
    return part


@dataclass(frozen=True, slots=True, kw_only=True)
class Tracing:
    """Wraps the parts that a turn passes through; by default each stays as it is."""

    path: Callable[[TurnRunner], TurnRunner] = _same
    recall: Callable[[Recalling], Recalling] = _same
    model: Callable[[Model], Model] = _same
    tools: Callable[[Toolbox], Tools] = _same


@asynccontextmanager
async def open_tracing(endpoint: str | None) -> AsyncIterator[Tracing]:
    """What makes traces for a collector, until the body ends; nothing where there is none."""
    if endpoint is None:
        yield Tracing()
        return
    try:
        from bot.diagnostics.telemetry import collected
    except ImportError:
        log.warning("traces.missed", install="eko-pet[telemetry]")
        yield Tracing()
        return
    async with collected(endpoint) as traces:
        yield Tracing(
            path=traces.path, recall=traces.recall, model=traces.model, tools=traces.tools
        )
