"""Short runs of the harnesses from one seed; `make crash`, `make faults`, `make soak` run long."""

from tests.harness.crash import crash
from tests.harness.faults import faults
from tests.harness.report import Report
from tests.harness.soak import soak

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
