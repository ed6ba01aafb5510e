"""`/metrics` for a monitor, `/api/openapi.json` for programs that learn what there is."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.access.principal import Authenticator
from bot.surfaces.api.description import described
from bot.surfaces.api.documented import refusals
from bot.surfaces.parts import Parts
from bot.topics.health.measurement import Measurement
from bot.topics.health.measurements import measurements

MEDIA_TYPE = CONTENT_TYPE_LATEST


class _Taken(Collector):
    """Measurements that were taken already, since a collector cannot wait for them."""

    def __init__(self, measured: Iterable[Measurement]) -> None:
        self._measured = tuple(measured)

    def collect(self) -> Iterator[Metric]:
        """A family of figures for each name."""
        for name, of_name in groupby(self._measured, key=lambda one: one.name):
            figures = list(of_name)
            labels = list(figures[0].labels)
            kind = CounterMetricFamily if figures[0].counts else GaugeMetricFamily
            family = kind(name, figures[0].help, labels=labels)
            for one in figures:
                family.add_metric([one.labels[label] for label in labels], one.value)
            yield family


def written(measured: Iterable[Measurement]) -> bytes:
    """Measurements, those of one name together, and the process, as a monitor reads them."""
    registry = CollectorRegistry()
    registry.register(_Taken(measured))
    ProcessCollector(namespace="eko", registry=registry)
    return generate_latest(registry)


router = APIRouter(tags=["system"])


@router.get(
    "/metrics",
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}}, **refusals()},
)
async def read_metrics(_principal: Allowed, parts: Parts) -> Response:
    """Figures in the format of Prometheus."""
    return Response(written(await measurements(parts.app)), media_type=MEDIA_TYPE)


@router.get("/api/openapi.json", responses=refusals())
async def read_description(_principal: Allowed, request: Request) -> dict[str, Any]:
    """The description of the API as OpenAPI; `info.version` grows with each change."""
    authenticator: Authenticator = request.app.state.authenticator
    return described(request.app.state.api, authenticator.session_cookie(request))
