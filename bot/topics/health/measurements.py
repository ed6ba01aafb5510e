"""The metrics of the pet, with names and labels, measured when a monitor asks."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from time import perf_counter

from bot.agent.daily_budget import Standing, day_begun
from bot.wiring.app import App
from memory.model.ledger import DOLLAR, PurposeUsage

QUANTILES = (0.5, 0.95)
"""Of how long turns took: the usual one, and the slow ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """One figure; `help` is what it is, the same for all of a name."""

    name: str
    help: str
    value: float
    labels: Mapping[str, str] = field(default_factory=dict)


async def measurements(app: App) -> list[Measurement]:
    """Everything that is measured, figures of one name together.

    Figures over whole tables may be a minute old; those of model calls are of today (UTC).
    """
    lag = await _loop_lag()
    statistics = app.storage.statistics
    figures = await statistics.figures()
    found = [
        Measurement(
            name="eko_info", help="The version.", value=1, labels={"version": version("eko")}
        ),
        Measurement(
            name="eko_loop_lag_seconds",
            help="Seconds the event loop took to come round.",
            value=lag,
        ),
    ]
    found += [
        Measurement(
            name="eko_rows", help="Rows kept, by table.", value=count, labels={"table": table}
        )
        for table, count in figures.sizes.items()
    ]
    found += [
        Measurement(
            name="eko_memories",
            help="Statements that hold, by store and kind.",
            value=one.holds,
            labels={"store": one.store, "kind": one.kind},
        )
        for one in figures.kinds
    ]
    found += [
        Measurement(
            name="eko_waiting", help="What waits, by queue.", value=count, labels={"queue": queue}
        )
        for queue, count in (await statistics.queues()).items()
    ]
    found += _latencies(await statistics.turn_latencies_ms())
    found += await _digests(app)
    found += _usage(await app.storage.ledger.usage(day_begun(app.clock.now())))
    found += _left(await app.services.budget.standings())
    return found


async def _loop_lag() -> float:
    started = perf_counter()
    await asyncio.sleep(0)
    return perf_counter() - started


def _latencies(took_ms: Sequence[int]) -> Iterator[Measurement]:
    ordered = sorted(took_ms)
    for quantile in QUANTILES if ordered else ():
        yield Measurement(
            name="eko_turn_seconds",
            help="Seconds from a request to its reply, of the latest 200 turns.",
            value=ordered[min(len(ordered) - 1, int(quantile * len(ordered)))] / 1000,
            labels={"quantile": str(quantile)},
        )


async def _digests(app: App) -> list[Measurement]:
    last = await app.storage.digest_ledger.last_took()
    if last is None:
        return []
    finished_at, took_s = last
    return [
        Measurement(
            name="eko_digest_finished_timestamp_seconds",
            help="When the last digest was finished.",
            value=finished_at.timestamp(),
        ),
        Measurement(name="eko_digest_seconds", help="Seconds the last digest took.", value=took_s),
    ]


def _usage(usage: Sequence[PurposeUsage]) -> Iterator[Measurement]:
    for one in usage:
        yield Measurement(
            name="eko_model_calls_today",
            help="Model calls of today (UTC), by purpose.",
            value=one.calls,
            labels={"purpose": one.purpose},
        )
    for one in usage:
        kinds = {
            "input": one.input,
            "output": one.output,
            "cache_read": one.cache_read,
            "cache_write": one.cache_write,
            "injected": one.injected,
        }
        for kind, tokens in kinds.items():
            yield Measurement(
                name="eko_model_tokens_today",
                help="Tokens of today's model calls, by purpose and kind.",
                value=tokens,
                labels={"purpose": one.purpose, "kind": kind},
            )
    for one in usage:
        yield Measurement(
            name="eko_model_cost_dollars_today",
            help="What today's model calls cost, by purpose, where prices are known.",
            value=one.dollars,
            labels={"purpose": one.purpose},
        )


def _left(standings: Sequence[Standing]) -> Iterator[Measurement]:
    """What is left of each cap; of people's own there is none here, whose ids they would name."""
    for one in standings:
        if one.line.allowance == "person":
            continue
        for limit, left in one.limits_left.items():
            yield Measurement(
                name="eko_budget_left",
                help="What is left of a cap of today, by allowance and limit.",
                value=left / DOLLAR if limit == "cost" else left,
                labels={
                    "allowance": one.line.allowance.value,
                    "of": one.line.name,
                    "limit": "dollars" if limit == "cost" else limit,
                },
            )
