"""Measurements in the text format of Prometheus."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from bot.topics.health.measurements import Measurement

MEDIA_TYPE = CONTENT_TYPE_LATEST


class _Taken(Collector):
    """Measurements that were taken already, since a collector cannot wait for them."""

    def __init__(self, measured: Iterable[Measurement]) -> None:
        self._measured = tuple(measured)

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """A family of figures for each name."""
        for name, of_name in groupby(self._measured, key=lambda one: one.name):
            figures = list(of_name)
            labels = list(figures[0].labels)
            family = GaugeMetricFamily(name, figures[0].help, labels=labels)
            for one in figures:
                family.add_metric([one.labels[label] for label in labels], one.value)
            yield family


def written(measured: Iterable[Measurement]) -> bytes:
    """Measurements, those of one name together, as a monitor reads them."""
    registry = CollectorRegistry()
    registry.register(_Taken(measured))
    return generate_latest(registry)
