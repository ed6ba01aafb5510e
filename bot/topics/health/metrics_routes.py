"""`/metrics` for a monitor, `/api/openapi.json` for programs that learn what there is."""

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.access.principal import Authenticator
from bot.surfaces.api.description import described
from bot.surfaces.api.documented import refusals
from bot.surfaces.parts import Parts
from bot.topics.health.measurements import measurements
from bot.topics.health.prometheus import MEDIA_TYPE, written

router = APIRouter(tags=["system"])


@router.get(
    "/metrics",
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}}, **refusals()},
)
async def read_metrics(_principal: Allowed, parts: Parts) -> Response:
    """Figures in the format of Prometheus, for a key with the right to read."""
    return Response(written(await measurements(parts.app)), media_type=MEDIA_TYPE)


@router.get("/api/openapi.json", responses=refusals())
async def read_description(_principal: Allowed, request: Request) -> dict[str, Any]:
    """The description of the API; `info.version` grows with what changes."""
    authenticator: Authenticator = request.app.state.authenticator
    return described(request.app.state.api, authenticator.session_cookie(request))
