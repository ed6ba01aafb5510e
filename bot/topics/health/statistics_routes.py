"""`/api/memory/stats`: how much there is of everything, and how it grew."""

from fastapi import APIRouter

from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.api.documented import refusals
from bot.surfaces.api.routing import ValueRoute
from bot.surfaces.parts import Parts
from bot.topics.health.statistics import MemoryStatistics, statistics

router = APIRouter(prefix="/api/memory/stats", tags=["memory"], route_class=ValueRoute)


@router.get("", responses=refusals())
async def read_statistics(_principal: Allowed, parts: Parts) -> MemoryStatistics:
    """Counts by store and kind, rows by table, what waits, growth by month."""
    return await statistics(parts.app)
