"""Digest slots on ordinary days and on the two nights when the clock changes."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from observers.schedule import missed, slot_of
from tests.cast import NOON

PARIS = ZoneInfo("Europe/Paris")
HOURS = (2, 6, 10, 14, 18, 22)


def slot(*moment: int) -> str:
    """The slot at a moment of UTC."""
    return slot_of(datetime(*moment, tzinfo=UTC), HOURS, PARIS)  # type: ignore[arg-type, misc]


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        ((2026, 1, 17, 9, 0), "2026-01-17T10"),
        ((2026, 1, 17, 8, 59), "2026-01-17T06"),
        ((2026, 1, 17, 12, 30), "2026-01-17T10"),
        ((2026, 1, 17, 0, 59), "2026-01-16T22"),
        ((2026, 1, 17, 1, 0), "2026-01-17T02"),
        ((2026, 1, 1, 0, 30), "2025-12-31T22"),
        ((2026, 7, 17, 8, 0), "2026-07-17T10"),
    ],
)
def test_a_slot_is_the_last_hour_that_has_come_where_the_pet_lives(
    moment: tuple[int, ...], expected: str
) -> None:
    """Just after midnight it is yesterday's last."""
    assert slot(*moment) == expected


def test_an_hour_that_comes_twice_is_one_slot() -> None:
    """On 25 October 2026 it is 02:00 in Paris at 00:00 and at 01:00 UTC."""
    assert slot(2026, 10, 25, 0, 0) == slot(2026, 10, 25, 1, 0) == "2026-10-25T02"
    assert slot(2026, 10, 25, 0, 59) == slot(2026, 10, 25, 1, 59) == "2026-10-25T02"


def test_an_hour_that_never_comes_belongs_to_the_slot_that_took_its_place() -> None:
    """On 29 March 2026 the clock goes from 01:59 to 03:00 in Paris, at 01:00 UTC."""
    assert slot(2026, 3, 29, 0, 59) == "2026-03-28T22"
    assert slot(2026, 3, 29, 1, 0) == "2026-03-29T02"
    assert slot(2026, 3, 29, 4, 0) == "2026-03-29T06"


@given(st.integers(0, 366 * 24 * 60), st.sets(st.integers(0, 23), min_size=1))
def test_slots_only_go_forward(minutes: int, hours: set[int]) -> None:
    """Through both changes of the clock, whatever the hours and their order."""
    now = NOON + timedelta(minutes=minutes)
    some = tuple(hours)
    assert slot_of(now, some, PARIS) <= slot_of(now + timedelta(minutes=1), some[::-1], PARIS)


@pytest.mark.parametrize(
    ("last", "expected"),
    [
        (None, False),
        (NOON, False),
        (NOON - timedelta(hours=4), False),
        (NOON - timedelta(hours=4, seconds=1), True),
        (NOON + timedelta(hours=9), False),
    ],
)
def test_a_digest_is_missed_after_its_time(last: datetime | None, expected: bool) -> None:  # noqa: FBT001 - a table
    """More than four hours since the last one; nothing to digest is nothing missed."""
    assert missed(NOON, last, timedelta(hours=4)) is expected
