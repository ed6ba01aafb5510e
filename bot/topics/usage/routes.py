"""`/api/usage`: what model calls took, against the caps of the day."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel

from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.api.documented import refusals
from bot.surfaces.parts import Parts
from bot.surfaces.requests import NoArguments
from bot.topics.usage.model_usage import usage_by
from bot.topics.usage.usage import UsageOperations

router = APIRouter(prefix="/api/usage", tags=["usage"])

Days = Annotated[int, Query(ge=1, le=366, description="How many days, today (UTC) included.")]


class UsageShare(BaseModel):
    """What the calls of one share came to; tokens as the provider counted them.

    `input` and `cache_write` are fresh, `cache_read` is what a cache had. `injected` is what
    automatic recall added, estimated.
    """

    share: str | None
    name: str | None
    calls: int
    answers: int
    input: int
    output: int
    cache_read: int
    cache_write: int
    dollars: float
    injected: int
    injected_share: float


class UsageView(BaseModel):
    """Usage of some days by purpose, model, room, person and day; `now` is `eko usage`."""

    since: str
    days: int
    total: UsageShare
    by: dict[str, list[UsageShare]]
    now: dict[str, Any]


@router.get("", responses=refusals())
async def read_usage(principal: Allowed, parts: Parts, days: Days = 30) -> UsageView:
    """Calls and tokens by every division, and what is left of today's caps."""
    now = await parts.of(UsageOperations, principal).usage(NoArguments())
    return UsageView(**await usage_by(parts.app, days), now=now)
