"""`/api/memory/stats`: how much there is of everything, and how it grew."""

from fastapi import APIRouter
from pydantic import BaseModel

from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.api.documented import refusals
from bot.surfaces.parts import Parts
from bot.topics.health.statistics import statistics

router = APIRouter(prefix="/api/memory/stats", tags=["memory"])


class KindView(BaseModel):
    """Statements of one kind: those that hold, and all that are kept."""

    store: str
    kind: str
    holds: int
    kept: int


class GrowthView(BaseModel):
    """What came in within a month (UTC), by store."""

    month: str
    added: dict[str, int]


class StatisticsView(BaseModel):
    """Figures over everything; `at` is when they were taken, at most a minute ago."""

    at: str
    stores: dict[str, int]
    kinds: list[KindView]
    tables: dict[str, int]
    queues: dict[str, int]
    growth: list[GrowthView]


@router.get("", responses=refusals())
async def read_statistics(_principal: Allowed, parts: Parts) -> StatisticsView:
    """Counts by store and kind, rows by table, what waits, growth by month."""
    return StatisticsView.model_validate(await statistics(parts.app))
