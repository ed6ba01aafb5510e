"""Short runs of the harnesses from one seed; `make crash`, `make faults`, `make soak` run long."""

from datetime import timedelta

import pytest

from tests.harness.crash import crash
from tests.harness.faults import faults
from tests.harness.report import Report
from tests.harness.shards import shards
from tests.harness.siblings import siblings
from tests.harness.soak import soak
from tests.harness.soak_clock import Watched, judge, slope, soak_by_clock

SEED = 20

HELD_S = 3.0
"""A fault is over soon, for the sake of whoever waits for the tests."""


async def test_what_was_acknowledged_survives_kills() -> None:
    """Two kills under load: nothing lost, nothing twice."""
    report = Report(harness="crash", seed=SEED)
    await crash(2, report)
    assert report.faults == []
    assert report.figures["promised"]["in_private"] > 0


async def test_everybody_is_answered_while_services_fail() -> None:
    """Two faults of services, and the time after each."""
    report = Report(harness="faults", seed=SEED)
    await faults(2, HELD_S, report)
    assert report.faults == []


async def test_a_short_day_leaves_nothing_behind() -> None:
    """No task, no uncounted token; memory is for a longer day to show."""
    report = Report(harness="soak", seed=SEED)
    await soak(120, report)
    assert report.faults == []
    assert report.figures["did"]["digests"] > 1


async def test_a_moment_by_the_clock_is_shown() -> None:
    """Someone is answered, the daemon ends as it is told to, and each figure is there."""
    report = Report(harness="soak", seed=SEED)
    await soak_by_clock(timedelta(seconds=12), 60, report)
    assert report.faults == []
    assert report.figures["verdict"] == "too short to say"
    assert {"memory_mb", "descriptors", "threads", "tasks", "disk_mb"} <= report.figures.keys()


def test_one_peak_is_no_slope() -> None:
    """What grows by one a step has a slope of one, also where one look fell into a burst."""
    assert slope(range(9), [2.0] * 9) == 0
    assert slope(range(9), [0, 1, 2, 3, 400, 5, 6, 7, 8]) == 1


@pytest.mark.parametrize(
    ("growth", "verdict"), [({}, "still"), ({"tasks": 60.0}, "grows"), ({"disk_mb": 99.0}, "grows")]
)
def test_what_grows_is_a_fault(growth: dict[str, float], verdict: str) -> None:
    """An hour in which nothing grew, a task stayed each minute, or the disk filled."""
    report, watched = Report(harness="soak", seed=SEED), Watched()
    names = ("memory_mb", "descriptors", "threads", "tasks", "disk_mb")
    for look in range(361):
        figures = {name: 20 + growth.get(name, 0) * look / 360 for name in names}
        watched.add(look * 10.0, look * 5, figures)
    judge(watched, report)
    assert (report.figures["verdict"], len(report.faults)) == (verdict, len(growth))


async def test_processes_of_one_pet_answer_each_server_once() -> None:
    """Two of them, of which one is killed and starts again meanwhile."""
    report = Report(harness="shards", seed=SEED)
    await shards(8, 2, report)
    assert report.faults == []
    assert report.figures["messages"] == [8, 8]


async def test_nothing_leaks_between_the_processes_of_a_pet() -> None:
    """Pets of two and of four of them, and a few probes of each."""
    report = Report(harness="siblings", seed=SEED)
    await siblings(30, report)
    assert report.faults == []
    assert report.figures["processes_4"]["known elsewhere"] > 0
