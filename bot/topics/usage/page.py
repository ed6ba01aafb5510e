"""`/dashboard/costs`: what models took, by purpose, model, room, person and day, and the caps."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, Response

from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.pages.charts import POLICY, Canvas, Series, Theme, lying_bars, stacked_bars
from bot.surfaces.pages.rendering import Renderer
from bot.surfaces.parts import Parts, ReaderTexts
from bot.surfaces.requests import NoArguments
from bot.texts.catalogue import Texts, texts_in
from bot.topics.usage.model_usage import UsageShare, usage_by
from bot.topics.usage.usage import UsageOperations

router = APIRouter(prefix="/dashboard")

Days = Annotated[int, Query(ge=1, le=366)]

SPANS = (7, 30, 90, 365)
"""Days that one can choose from."""

TOLD_APART = ("purpose", "model", "room", "person")
"""Divisions with a table each; the days stand beside their chart."""


@router.get("/costs")
async def costs_page(
    request: Request, principal: Allowed, parts: Parts, days: Days = 30
) -> HTMLResponse:
    """Figures of some days and of today, with a table for each chart."""
    usage = await usage_by(parts.app, days)
    now = await parts.of(UsageOperations, principal).usage(NoArguments())
    return Renderer(request, principal).page(
        "usage/costs.html",
        usage=usage,
        spans=SPANS,
        divisions=TOLD_APART,
        caps=[one for one in now.allowances if one.caps],
        per_person=now.per_person,
        model=now.model,
        by_rules=now.by_rules,
        is_priced=now.priced,
        prices_as_of=now.prices_as_of,
    )


@router.get("/charts/{name}.svg")
async def cost_chart(
    name: Literal["days", "purposes"],
    _principal: Allowed,
    parts: Parts,
    texts: ReaderTexts,
    days: Days = 30,
    *,
    theme: Theme = "light",
    narrow: Literal["yes"] | None = None,
) -> Response:
    """Tokens by day or by purpose, as a picture with a policy of its own."""
    usage = await usage_by(parts.app, days)
    draw = stacked_bars if name == "days" else lying_bars
    shares = usage.by["day" if name == "days" else "purpose"]
    canvas = Canvas(theme=theme, language=texts.language, is_narrow=narrow is not None)
    labels, series = _labels(shares, name, texts), _series(shares, texts)
    drawn = draw(labels, series, canvas, texts.say("costs.none"))
    headers = {"content-security-policy": POLICY}
    return Response(drawn, media_type="image/svg+xml", headers=headers)


def _labels(shares: Sequence[UsageShare], name: str, texts: Texts) -> list[str]:
    if name == "days":
        return [str(one.share)[5:] for one in shares]
    words = texts_in(texts.language)
    return [words.say(f"purpose.{one.share}") for one in shares]


def _series(shares: Sequence[UsageShare], texts: Texts) -> list[Series]:
    def values(*names: str) -> list[Any]:
        return [sum(getattr(one, name) for name in names) for one in shares]

    return [
        Series(name=texts.say("costs.fresh"), values=values("input", "cache_write")),
        Series(name=texts.say("costs.cached"), values=values("cache_read")),
        Series(name=texts.say("costs.output"), values=values("output")),
    ]
