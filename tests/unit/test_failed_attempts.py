"""Failed attempts: counted for each peer, for a while, in bounded memory."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.surfaces.access.attempts import (
    MOST_ADDRESSES,
    MOST_FAILURES,
    WINDOW,
    FailedAttempts,
    TooManyAttempts,
)
from bot.surfaces.access.browsers import browser_of
from memory.clock import FrozenClock
from memory.model.access import AGENT_LENGTH, Visit
from tests.cast import NOON


def failing(attempts: FailedAttempts, address: str, times: int, of: str = "") -> None:
    """So many different wrong tokens of one address."""
    for number in range(times):
        attempts.failed(address, f"{of}{number}")


def is_refused(attempts: FailedAttempts, address: str) -> bool:
    """Whether an address has to wait after one more wrong token, always the same one."""
    try:
        attempts.failed(address, "asked")
    except TooManyAttempts:
        return True
    return False


def test_the_wait_is_told_to_the_second() -> None:
    """Until the first failure counts no more."""
    clock = FrozenClock(NOON)
    attempts = FailedAttempts(clock)
    failing(attempts, "192.0.2.1", MOST_FAILURES - 1)
    clock.advance(timedelta(seconds=30))
    assert not is_refused(attempts, "192.0.2.1")
    with pytest.raises(TooManyAttempts) as refused:
        attempts.failed("192.0.2.1", "last")
    assert refused.value.retry_after_s == WINDOW.total_seconds() - 30
    clock.advance(timedelta(seconds=refused.value.retry_after_s))
    assert not is_refused(attempts, "192.0.2.1")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8::1", "2001:db8::ffff", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("", "", True),
        ("no address", "no address", True),
    ],
)
def test_a_peer_is_known_by_its_network(one: str, other: str, *, same: bool) -> None:
    """A household has more addresses in IPv6 than there are tries."""
    attempts = FailedAttempts(FrozenClock(NOON))
    failing(attempts, one, MOST_FAILURES)
    assert is_refused(attempts, other) is same


def test_only_so_many_addresses_are_remembered() -> None:
    """The one that failed longest ago goes first; who still guesses stays."""
    attempts = FailedAttempts(FrozenClock(NOON))
    failing(attempts, "192.0.2.1", MOST_FAILURES)
    failing(attempts, "192.0.2.2", MOST_FAILURES)
    for number in range(MOST_ADDRESSES - 2):
        attempts.failed(f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}", "x")
    assert is_refused(attempts, "192.0.2.1")
    attempts.failed("198.51.100.1", "x")
    assert is_refused(attempts, "192.0.2.1")
    assert not is_refused(attempts, "192.0.2.2")


@given(st.text(max_size=400), st.text(max_size=400))
def test_what_is_kept_of_a_visit_is_short_and_visible(address: str, agent: str) -> None:
    """Whatever a browser calls itself."""
    kept = Visit(address=address, agent=agent).shortened
    assert len(kept.agent) <= AGENT_LENGTH
    assert all(map(str.isprintable, (kept.address, kept.agent)))
    assert kept.shortened == kept


@pytest.mark.parametrize(
    ("agent", "called"),
    [
        (
            "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
            "Firefox, Linux",
        ),
        ("Mozilla/5.0 (Linux; Android 15) AppleWebKit Chrome/140 Safari/537", "Chrome, Android"),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/140 Safari/537 Edg/140", "Edge, Windows"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604", "Safari, iPhone"),
        ("curl/8.5.0", "curl/8.5.0"),
        ("", ""),
    ],
)
def test_browsers_go_by_short_names(agent: str, called: str) -> None:
    """By which one tells one's phone from one's computer."""
    assert browser_of(agent) == called
