"""So many messages at once and so many a minute, from one account, room and address."""

from dataclasses import replace
from datetime import datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from bot.conversation import arrival_rates
from bot.conversation.arrival_rates import (
    TOLD_AGAIN,
    ArrivalOrigin,
    ArrivalRates,
    Rate,
    RateRules,
)
from bot.model.events import AuthorRef, RoomRef
from tests.cast import CORNER, DAVID, LEA, LOBBY, MICKAEL, NOON, author, direct, group, room_of

RULES = RateRules(
    account=Rate(burst=3, per_minute=6),
    room=Rate(burst=5, per_minute=60),
    address=Rate(burst=4, per_minute=60),
    overheard_account=Rate(burst=6, per_minute=60),
    overheard_room=Rate(burst=8, per_minute=60),
)


def said(who: AuthorRef = DAVID, where: RoomRef = CORNER, address: str = "") -> ArrivalOrigin:
    """Where something comes from."""
    return ArrivalOrigin(account=who.account, room=room_of(where).id, address=address)


def taken(
    rates: ArrivalRates, origin: ArrivalOrigin, now: datetime = NOON, *, for_pet: bool = True
) -> bool:
    """Whether what comes from there is taken at a moment."""
    return rates.admit(origin, now, for_pet=for_pet).taken


def test_an_account_gets_its_burst_and_then_its_pace() -> None:
    """Ten seconds bring one more of six a minute."""
    rates = ArrivalRates(RULES)
    assert [taken(rates, said()) for _ in range(5)] == [True] * 3 + [False] * 2
    later = NOON + timedelta(seconds=10)
    assert [taken(rates, said(), later) for _ in range(2)] == [True, False]


def test_who_is_refused_takes_nothing_from_those_beside_them() -> None:
    """A thousand refused messages leave the room and the address to others."""
    rates = ArrivalRates(RULES)
    assert sum(taken(rates, said(DAVID, address="a")) for _ in range(1000)) == 3
    assert taken(rates, said(LEA, address="a"))
    assert taken(rates, said(MICKAEL, address="b"))
    assert not taken(rates, said(author("Zoé"), address="b")), "the room's five are taken"


def test_one_address_has_one_pace_whatever_its_names() -> None:
    """Twelve names in twelve rooms of their own."""
    rates = ArrivalRates(RULES)
    names = [author(f"name{n}") for n in range(12)]
    assert sum(taken(rates, said(one, direct(one), "a")) for one in names) == 4
    assert sum(taken(rates, said(one, direct(one))) for one in names) == 12, "unknown is no address"


def test_what_is_read_along_has_a_wider_limit_of_its_own() -> None:
    """Talk in a lobby uses up nothing of what may be said to the pet there."""
    rates = ArrivalRates(RULES)
    for who, most in ((DAVID, 6), (LEA, 2)):
        heard = [taken(rates, said(who, LOBBY), for_pet=False) for _ in range(9)]
        assert sum(heard) == most
    assert taken(rates, said(DAVID, LOBBY))
    assert taken(rates, said(LEA, group("other")), for_pet=False)


def test_a_refusal_is_news_once_in_a_while_for_each_limit() -> None:
    """Not for each message and not for each name: that would be a flood of its own."""
    rates = ArrivalRates(RULES)
    names = [author(f"name{n}") for n in range(12)]
    told = [rates.admit(said(one, direct(one), "a"), NOON, for_pet=True) for one in names]
    assert [one.news for one in told] == [False] * 4 + [True] + [False] * 7
    assert told[-1].by == "address"
    later = NOON + TOLD_AGAIN
    again = [rates.admit(said(one, direct(one), "a"), later, for_pet=True) for one in names]
    assert sum(one.news for one in again) == 1


def test_what_was_refused_without_a_word_leaves_the_word_to_others() -> None:
    """A command is refused to its caller alone, who is not the one who speaks next."""
    rates = ArrivalRates(RULES)
    quiet = [rates.admit(said(), NOON, for_pet=True, tells=False) for _ in range(5)]
    assert [one.news for one in quiet] == [False] * 3 + [True, False]
    assert [rates.admit(said(), NOON, for_pet=True).news for _ in range(2)] == [True, False]


def test_where_the_room_is_not_known_the_account_counts() -> None:
    """Such as of an edit in a thread that its platform says nothing of."""
    rates, unknown = ArrivalRates(RULES), ArrivalOrigin(account=DAVID.account)
    assert sum(taken(rates, unknown, for_pet=False) for _ in range(9)) == 6


@given(st.lists(st.floats(0, 30), max_size=120))
def test_no_stretch_of_time_has_more_than_the_burst_and_the_pace(waits: list[float]) -> None:
    """Whatever the rhythm, also when the clock stands still."""
    rates, now, at = ArrivalRates(replace(RULES, room=RULES.account)), NOON, list[datetime]()
    for wait in waits:
        now += timedelta(seconds=wait)
        if taken(rates, said(), now):
            at.append(now)
    for first in range(len(at)):
        for last in range(first, len(at)):
            passed = (at[last] - at[first]).total_seconds()
            assert last - first + 1 <= 3 + passed * 6 / 60 + 1e-6


def test_a_clock_that_goes_back_gives_nothing_and_takes_nothing() -> None:
    """It goes on from there."""
    rates = ArrivalRates(RULES)
    assert taken(rates, said())
    earlier = NOON - timedelta(hours=1)
    assert [taken(rates, said(), earlier) for _ in range(3)] == [True, True, False]
    assert taken(rates, said(), earlier + timedelta(seconds=10))


def test_what_is_kept_in_mind_is_bounded() -> None:
    """The one not heard for longest is let go."""
    rates = ArrivalRates(RULES)
    for n in range(arrival_rates.MOST_WATCHED + 500):
        taken(rates, said(author(str(n)), direct(author(str(n)))))
    assert len(rates._buckets._buckets) <= arrival_rates.MOST_WATCHED + 2
