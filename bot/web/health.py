"""`/healthz` and `/readyz`: whether it runs, and whether it can answer. Open, and say no more."""

from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from bot.surfaces.parts import Parts, WebParts

router = APIRouter(tags=["system"])


class HealthView(BaseModel):
    """It runs."""

    status: str = "ok"


class ReadinessView(BaseModel):
    """Whether each part that an answer needs is ready."""

    ready: bool
    parts: dict[str, bool]


_OPEN: dict[str, Any] = {"security": []}
"""Neither session nor key is asked for."""


@router.get("/healthz", openapi_extra=_OPEN)
async def read_health(parts: Parts) -> HealthView:
    """The pet runs and its database answers."""
    await parts.app.storage.health.version()
    return HealthView()


@router.get(
    "/readyz",
    openapi_extra=_OPEN,
    response_model=ReadinessView,
    responses={503: {"model": ReadinessView, "description": "A part is not ready."}},
)
async def read_readiness(parts: Parts) -> JSONResponse:
    """Which parts are ready."""
    found = await parts.app.readiness.parts()
    view = ReadinessView(ready=all(found.values()), parts=dict(found))
    return JSONResponse(view.model_dump(), status_code=200 if view.ready else 503)


def add_health(site: FastAPI, parts: WebParts) -> None:
    """Add both; a site has them also where it has no dashboard."""
    site.state.parts = parts
    site.include_router(router)
