"""A model that fails again and again is left alone, and tried once when the pause is over."""

from contextlib import suppress
from datetime import timedelta

import pytest

from bot.agent.circuit_breaker import BreakerRules, CircuitBreaker
from bot.errors import BotError, BudgetExhausted, ModelRefused, ModelTooSlow, ModelUnavailable
from memory.clock import FrozenClock
from tests.cast import NOON

PAUSE = BreakerRules().pause
INSTANT = timedelta(seconds=1)


@pytest.fixture
def clock() -> FrozenClock:
    """A clock in the test's hand."""
    return FrozenClock(NOON)


@pytest.fixture
def breaker(clock: FrozenClock) -> CircuitBreaker:
    """A breaker with the pet's own rules."""
    return CircuitBreaker(clock)


def fails(breaker: CircuitBreaker, times: int = 1, error: BotError | None = None) -> None:
    """Let attempts fail."""
    for _ in range(times):
        with suppress(BotError), breaker.attempt():
            raise error or ModelUnavailable("away")


def is_closed(breaker: CircuitBreaker) -> bool:
    """Whether an attempt is made; it tells nothing about the model."""
    is_made = False
    with suppress(BotError), breaker.attempt():
        is_made = True
        raise BudgetExhausted("spent")
    return is_made


def pause_of(breaker: CircuitBreaker, clock: FrozenClock) -> timedelta:
    """How long it is before an attempt is made."""
    begun = clock.now()
    while not is_closed(breaker):
        clock.advance(INSTANT)
    return clock.now() - begun


def test_three_failures_in_a_row_begin_a_pause(breaker: CircuitBreaker) -> None:
    """Two do not."""
    fails(breaker, 2)
    assert is_closed(breaker)
    fails(breaker)
    assert not is_closed(breaker)


@pytest.mark.parametrize("error", [ModelUnavailable("away"), ModelTooSlow("15 seconds")])
def test_a_pause_says_why_with_the_same_kind_of_failure(
    breaker: CircuitBreaker, error: ModelUnavailable
) -> None:
    """People read of the same trouble; the log has the whole reason."""
    fails(breaker, 3, error)
    with pytest.raises(ModelUnavailable, match=f"3 failures in a row: {error}") as refused:
        breaker.attempt().__enter__()
    assert type(refused.value) is type(error)


@pytest.mark.parametrize("error", [None, ModelRefused("400")])
def test_whatever_is_answered_ends_the_row(
    breaker: CircuitBreaker, error: ModelRefused | None
) -> None:
    """A refusal too: it came at once."""
    fails(breaker, 2)
    with suppress(ModelRefused), breaker.attempt():
        if error is not None:
            raise error
    fails(breaker, 2)
    assert is_closed(breaker)


@pytest.mark.parametrize("error", [BudgetExhausted("spent"), ValueError("ours"), KeyboardInterrupt])
def test_what_says_nothing_about_the_model_is_not_counted(
    breaker: CircuitBreaker, error: BaseException
) -> None:
    """Neither as a failure nor as an answer."""
    fails(breaker, 2)
    for _ in range(3):
        with suppress(BotError, ValueError, KeyboardInterrupt), breaker.attempt():
            raise error
    assert is_closed(breaker)
    fails(breaker)
    assert not is_closed(breaker)


def test_pauses_double_up_to_the_longest(breaker: CircuitBreaker, clock: FrozenClock) -> None:
    """As long as each attempt after a pause fails."""
    fails(breaker, 3)
    paused = []
    for _ in range(6):
        paused.append(pause_of(breaker, clock).total_seconds())
        fails(breaker)
    assert paused == [30, 60, 120, 240, 300, 300]


def test_an_answer_after_a_pause_begins_anew(breaker: CircuitBreaker, clock: FrozenClock) -> None:
    """The next pause needs three failures and is as short as the first."""
    fails(breaker, 3)
    clock.advance(PAUSE)
    fails(breaker)
    clock.advance(2 * PAUSE)
    with breaker.attempt():
        pass
    fails(breaker, 2)
    assert is_closed(breaker)
    fails(breaker)
    assert pause_of(breaker, clock) == PAUSE


def test_one_attempt_at_a_time_is_made_after_a_pause(
    breaker: CircuitBreaker, clock: FrozenClock
) -> None:
    """The others do not wait for it; where it is given up the next one is made."""
    fails(breaker, 3)
    clock.advance(PAUSE)
    with suppress(KeyboardInterrupt), breaker.attempt():
        assert not is_closed(breaker)
        raise KeyboardInterrupt
    assert is_closed(breaker)


def test_failures_that_began_before_a_pause_do_not_lengthen_it(
    breaker: CircuitBreaker, clock: FrozenClock
) -> None:
    """Ten people asked at once."""
    under_way = [breaker.attempt() for _ in range(10)]
    for one in under_way:
        one.__enter__()
    for one in under_way:
        error = ModelTooSlow("15 seconds")
        one.__exit__(type(error), error, None)
    assert pause_of(breaker, clock) == PAUSE


def test_an_answer_that_comes_late_ends_a_pause(breaker: CircuitBreaker) -> None:
    """It was asked for before."""
    late = breaker.attempt()
    late.__enter__()
    fails(breaker, 3)
    late.__exit__(None, None, None)
    assert is_closed(breaker)
