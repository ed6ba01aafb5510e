"""The metrics of the pet, with names and labels, measured when a monitor asks.

No label names a person, a room or a community: their number has no end.
"""

import platform
from collections.abc import Iterable, Iterator, Sequence

from bot.agent.budget import Allowance
from bot.agent.daily_budget import Standing, day_begun
from bot.ports import Sharded
from bot.release import VERSION
from bot.topics.health.measurement import Measurement, labelled
from bot.topics.health.operating import operating
from bot.wiring.app import App
from memory.model.ledger import DOLLAR, PurposeUsage

QUANTILES = (0.5, 0.95)
"""Of how long turns took: the usual one, and the slow ones."""


async def measurements(app: App) -> list[Measurement]:
    """Everything that is measured, figures of one name together.

    Figures over whole tables may be a minute old; those of model calls are of today (UTC).
    """
    statistics = app.storage.statistics
    figures = await statistics.figures()
    schema, sqlite = await app.storage.health.version()
    software = {"version": VERSION, "python": platform.python_version(), "sqlite": sqlite}
    found = [
        Measurement(
            name="eko_info",
            help="The versions of the software and of the schema.",
            value=1,
            labels={**software, "schema": str(schema)},
        ),
        Measurement(
            name="eko_loop_lag_seconds",
            help="The longest the event loop was held up since this was asked last.",
            value=app.readiness.loop_watch.worst_s(),
        ),
    ]
    found += labelled("eko_rows", "Rows kept, by table.", "table", figures.sizes)
    found += [
        Measurement(
            name="eko_memories",
            help="Statements that hold, by store and kind.",
            value=one.holds,
            labels={"store": one.store, "kind": one.kind},
        )
        for one in figures.kinds
    ]
    found += labelled("eko_waiting", "What waits, by queue.", "queue", await statistics.queues())
    found += sessions_of(app.platforms)
    found += _latencies(await statistics.turn_latencies_ms())
    found += await _digests(app)
    today = day_begun(app.clock.now())
    found += _usage(await app.storage.ledger.usage(today))
    found += labelled(
        "eko_model_outcomes_today",
        "Model calls of today (UTC), by how they ended: a kind of error, where they failed.",
        "outcome",
        await app.storage.ledger.outcomes(today),
    )
    found += _budget(await app.services.budget.standings())
    return found + await operating(app)


def sessions_of(platforms: Iterable[object]) -> Iterator[Measurement]:
    """The shards of each platform that has several."""
    for one in platforms:
        if isinstance(one, Sharded):
            help_ = "Shards of a platform that hear now, and that there are to be."
            counts = zip(("open", "wanted"), one.sessions, strict=True)
            yield from labelled("eko_sessions", help_, "sessions", dict(counts))


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


def _budget(standings: Sequence[Standing]) -> Iterator[Measurement]:
    """The caps that are not a person's or a community's own, and what is left of each."""
    unnamed = (Allowance.PERSON, Allowance.COMMUNITY)
    shared = [one for one in standings if one.line.allowance not in unnamed]
    for name, help_ in (("left", "What is left of a cap of today"), ("cap", "A cap of today")):
        for one in shared:
            for limit, amount in (one.limits_left if name == "left" else one.cap.limits).items():
                yield Measurement(
                    name=f"eko_budget_{name}",
                    help=f"{help_}, by allowance and limit.",
                    value=amount / DOLLAR if limit == "cost" else amount,
                    labels={
                        "allowance": one.line.allowance.value,
                        "of": one.line.name,
                        "limit": "dollars" if limit == "cost" else limit,
                    },
                )
