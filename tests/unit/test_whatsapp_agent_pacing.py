"""Requests keep to so many in any minute, by a clock that the test turns."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.channels.whatsapp.agent_platform.pacing import WINDOW_S, RollingLimit


def times_of(limit: RollingLimit, wishes: list[float]) -> list[float]:
    """When requests go out, each wished for so long after the one before."""
    now, gone = 0.0, []
    for wish in wishes:
        now += wish
        now += limit.wait_s(now)
        limit.take(now)
        gone.append(now)
    return gone


@given(
    most=st.integers(1, 15),
    free=st.integers(0, 15),
    wishes=st.lists(st.floats(0, 90), min_size=1, max_size=60),
)
def test_no_minute_has_more_than_are_taken(most: int, free: int, wishes: list[float]) -> None:
    """Whatever minute is looked at."""
    gone = times_of(RollingLimit(most, free=min(free, most)), wishes)
    assert gone == sorted(gone)
    assert all(
        later - earlier >= WINDOW_S - 1e-6
        for earlier, later in zip(gone, gone[most:], strict=False)
    )


def test_those_who_wait_lose_no_time() -> None:
    """Twelve at once, and the thirteenth as soon as the first is a minute ago."""
    gone = times_of(RollingLimit(12), [0.0] * 25)
    assert gone == [0.0] * 12 + [WINDOW_S] * 12 + [2 * WINDOW_S]


def test_a_lively_talk_is_not_left_alone_for_a_minute() -> None:
    """After five polls at once the others keep their distance, and none stands still for long."""
    gone = times_of(RollingLimit(15, free=5), [0.0] * 60)
    assert max(later - earlier for earlier, later in pairwise(gone)) <= WINDOW_S / 9


@pytest.mark.parametrize("asked_s", [0.0, 30.0])
async def test_a_service_that_has_had_enough_is_left_alone(asked_s: float) -> None:
    """For as long as it asks, whatever is left of the minute."""
    limit = RollingLimit(12)
    limit.hold(asked_s)
    assert limit.passes_now() is (asked_s == 0)
