import asyncio

import pytest

from bot.platforms.backoff import Backoff


@pytest.fixture
async def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds of the loop, in the test's hand."""
    seconds = [0.0]
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: seconds[0])
    return seconds


def fresh() -> Backoff:
    """Waits of 1 to 60 seconds that begin anew after a minute."""
    return Backoff(first_s=1, longest_s=60, healthy_s=60)


async def test_waits_double_up_to_the_longest() -> None:
    """Chance takes up to a half of each, so that many do not come back at once."""
    waits = fresh()
    for most in (1, 2, 4, 8, 16, 32, 60, 60):
        assert most / 2 <= waits.failed() <= most


async def test_a_while_of_health_begins_anew(clock: list[float]) -> None:
    """It was another trouble."""
    waits = fresh()
    for _ in range(8):
        waits.failed()
    waits.succeeded()
    clock[0] += 60
    assert waits.failed() <= 1


async def test_a_moment_of_health_does_not(clock: list[float]) -> None:
    """What comes and goes all the time is left in peace."""
    waits = fresh()
    for _ in range(8):
        waits.failed()
        waits.succeeded()
        clock[0] += 59
        waits.succeeded()
    assert waits.failed() >= 30
