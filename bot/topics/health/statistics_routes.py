"""`/api/memory/stats`: how much there is of everything, and how it grew."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from fastapi import APIRouter

from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.api.documented import refusals
from bot.surfaces.api.routing import ValueRoute
from bot.surfaces.parts import Parts
from bot.wiring.app import App
from memory.model.shown import Shown
from memory.storage.reporting.statistics import KindCount


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """What came in within a month (UTC, `2026-11`), by store."""

    month: Shown[str]
    added: Shown[Mapping[str, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryStatistics:
    """Figures over everything; `at` is when they were taken, at most a minute ago."""

    at: Shown[datetime]
    stores: Shown[Mapping[str, int]]
    kinds: Shown[Sequence[KindCount]]
    tables: Shown[Mapping[str, int]]
    queues: Shown[Mapping[str, int]]
    growth: Shown[Sequence[Growth]]


async def statistics(app: App) -> MemoryStatistics:
    """Counts by store and kind, rows by table, what waits, and what came in month by month."""
    figures = await app.storage.statistics.figures()
    months: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for one in figures.months:
        months[one.month][one.store] = one.added
    stores: defaultdict[str, int] = defaultdict(int)
    for kind in figures.kinds:
        stores[kind.store] += kind.holds
    return MemoryStatistics(
        at=figures.at,
        stores=stores,
        kinds=figures.kinds,
        tables=figures.sizes,
        queues=await app.storage.statistics.queues(),
        growth=[Growth(month=month, added=months[month]) for month in sorted(months)],
    )


router = APIRouter(prefix="/api/memory/stats", tags=["memory"], route_class=ValueRoute)


@router.get("", responses=refusals())
async def read_statistics(_principal: Allowed, parts: Parts) -> MemoryStatistics:
    """Counts by store and kind, rows by table, what waits, growth by month."""
    return await statistics(parts.app)
