"""`/api/usage`: what model calls took, against the caps of the day."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query

from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.api.documented import refusals
from bot.surfaces.api.routing import ValueRoute
from bot.surfaces.parts import Parts
from bot.surfaces.requests import NoArguments
from bot.surfaces.values import extended
from bot.topics.usage.model_usage import UsageDays, usage_by
from bot.topics.usage.usage import UsageNow, UsageOperations
from memory.model.shown import Shown

router = APIRouter(prefix="/api/usage", tags=["usage"], route_class=ValueRoute)

Days = Annotated[int, Query(ge=1, le=366, description="Days, today (UTC) included.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageReport(UsageDays):
    """Usage of some days by every division; `now` is `eko usage`."""

    now: Shown[UsageNow]


@router.get("", responses=refusals())
async def read_usage(principal: Allowed, parts: Parts, days: Days = 30) -> UsageReport:
    """Calls and tokens by every division, and what is left of today's caps."""
    now = await parts.of(UsageOperations, principal).usage(NoArguments())
    return extended(UsageReport, await usage_by(parts.app, days), now=now)
