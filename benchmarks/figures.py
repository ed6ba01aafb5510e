"""Turns measurements into figures: percentiles, medians, and the machine they were taken on."""

import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from math import ceil

Figures = dict[str, object]
"""The figures of one benchmark by name, ready for JSON; names end in their unit."""


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` of the values do not exceed; 0.0 for none."""
    if not values:
        return 0.0
    return sorted(values)[max(0, ceil(share * len(values)) - 1)]


def spread(took_ms: Sequence[float]) -> Figures:
    """The middle and the slow end of a series of durations."""
    return {
        "p50_ms": round(percentile(took_ms, 0.50), 2),
        "p95_ms": round(percentile(took_ms, 0.95), 2),
        "p99_ms": round(percentile(took_ms, 0.99), 2),
    }


def p95_of_each(durations_ms: Mapping[str, Sequence[float]]) -> Figures:
    """The slow end of each named series, slowest first."""
    found = {name: percentile(each, 0.95) for name, each in durations_ms.items()}
    return {name: round(found[name], 2) for name in sorted(found, key=lambda name: -found[name])}


def middle(values: Iterable[float]) -> float:
    """The median of a few runs, the lower of two."""
    return percentile(list(values), 0.5)


def machine() -> Figures:
    """What the figures were taken on, and how busy it was."""
    return {
        "cores": os.cpu_count() or 0,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "load_1min": round(os.getloadavg()[0], 1),
    }
