"""When the next digest is due."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from observers.schedule import next_slot

PARIS = ZoneInfo("Europe/Paris")
HOURS = (22, 2, 6, 10, 14, 18)


@pytest.mark.parametrize(
    ("now", "due"),
    [
        (datetime(2026, 1, 17, 12, 0, tzinfo=UTC), "2026-01-17T14:00+01:00"),
        (datetime(2026, 1, 17, 13, 0, tzinfo=UTC), "2026-01-17T18:00+01:00"),
        (datetime(2026, 1, 17, 21, 30, tzinfo=UTC), "2026-01-18T02:00+01:00"),
        (datetime(2026, 1, 17, 23, 30, tzinfo=UTC), "2026-01-18T02:00+01:00"),
        (datetime(2026, 7, 17, 23, 30, tzinfo=UTC), "2026-07-18T02:00+02:00"),
    ],
)
def test_the_next_slot_is_the_first_hour_to_come(now: datetime, due: str) -> None:
    """In the pet's own time; at an hour itself it is the one after."""
    slot = next_slot(now, HOURS, PARIS)
    assert slot is not None
    assert slot.isoformat(timespec="minutes") == due


def test_without_hours_none_is_due() -> None:
    """Digests are made by hand then."""
    assert next_slot(datetime(2026, 1, 17, tzinfo=UTC), (), PARIS) is None
