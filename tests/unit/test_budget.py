"""No order in which calls begin and end takes more than a cap allows."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.agent.budget import (
    Allowance,
    Amount,
    Budget,
    BudgetLine,
    Cap,
    CapReached,
    Caps,
    Reservation,
)
from bot.agent.prices import NO_PRICES, Price, PriceList, Rates
from bot.model.requests import Purpose, Usage
from bot.wiring.adapters import prices

DAY = BudgetLine(Allowance.DAY)
TURN = BudgetLine(Allowance.PURPOSE, Purpose.TURN)
DIGEST = BudgetLine(Allowance.PURPOSE, Purpose.DIGEST)
CAPS = Caps(
    day=Cap(tokens=1000, cost=5000),
    per_purpose={Purpose.TURN: Cap(input=700, output=200), Purpose.DIGEST: Cap(input=100)},
)

amounts = st.builds(
    Amount, input=st.integers(0, 400), output=st.integers(0, 150), cost=st.integers(0, 2000)
)
moves = st.lists(
    st.tuples(st.sampled_from([TURN, DIGEST]), amounts, st.floats(0, 1), st.integers(0, 5)),
    max_size=80,
)


def part(amount: Amount, share: float) -> Amount:
    """What a call really took of what was reserved."""
    return Amount(
        input=int(amount.input * share),
        output=int(amount.output * share),
        cost=int(amount.cost * share),
    )


@given(moves)
def test_caps_hold_to_the_token_however_calls_overlap(
    moves: list[tuple[BudgetLine, Amount, float, int]],
) -> None:
    """Calls begin, wait for one another and end in any order; each takes at most what was kept."""
    book = Budget(CAPS)
    open_calls: list[tuple[Reservation, Amount]] = []
    for line, amount, share, ends in moves:
        try:
            reserved = book.reserve([DAY, line], amount, share=1.0)
        except CapReached:
            pass
        else:
            open_calls.append((reserved, part(amount, share)))
        for _ in range(min(ends, len(open_calls))):
            book.settle(*open_calls.pop(ends % len(open_calls)))
        for one in (DAY, TURN, DIGEST):
            assert CAPS.of(one).passed_by(book.used(one) + book.under_way(one)) is None
    for call in open_calls:
        book.settle(*call)
    assert {book.under_way(one) for one in (DAY, TURN, DIGEST)} == {Amount()}
    assert book.used(DAY) == book.used(TURN) + book.used(DIGEST)


def test_a_call_that_one_cap_refuses_is_counted_in_none() -> None:
    """Nor does it stand in the way of another that fits."""
    book = Budget(CAPS)
    with pytest.raises(CapReached, match="for the purpose digest") as refused:
        book.reserve([DAY, DIGEST], Amount(input=101), share=1.0)
    assert refused.value.line == DIGEST
    assert (book.under_way(DAY), book.under_way(DIGEST)) == (Amount(), Amount())
    book.reserve([DAY, TURN], Amount(input=700), share=1.0)


def test_calls_under_way_count() -> None:
    """Twelve that begin at once do not all find the same room: 1,000 stays 1,000."""
    book, begun = Budget(Caps(day=Cap(tokens=1000))), 0
    for _ in range(12):
        try:
            book.reserve([DAY], Amount(input=100), share=1.0)
            begun += 1
        except CapReached:
            break
    assert begun == 10


def test_learning_leaves_the_last_tenth_of_a_day_to_answers() -> None:
    """It waits first; people are answered longer."""
    book = Budget(Caps(day=Cap(tokens=1000)))
    book.reserve([DAY], Amount(input=850), share=1.0)
    with pytest.raises(CapReached):
        book.reserve([DAY], Amount(input=100), share=0.9)
    book.reserve([DAY], Amount(input=100), share=1.0)


def test_a_line_is_warned_of_once_when_four_fifths_are_used() -> None:
    """By the call that brings it there, whichever of its limits it is."""
    book = Budget(Caps(day=Cap(tokens=1000, cost=100)))
    warned = []
    for cost in (79, 2, 5):
        reserved = book.reserve([DAY], Amount(cost=cost), share=1.0)
        warned.append(book.settle(reserved, Amount(cost=cost)))
    assert warned == [[], [DAY], []]


def test_a_new_day_forgets_what_was_used_and_not_what_is_under_way() -> None:
    """A call over midnight is counted in the day that it ends in."""
    book = Budget(Caps(day=Cap(tokens=1000)))
    reserved = book.reserve([DAY], Amount(input=900), share=1.0)
    book.begin({})
    with pytest.raises(CapReached):
        book.reserve([DAY], Amount(input=200), share=1.0)
    book.settle(reserved, Amount(input=300))
    assert book.used(DAY) == Amount(input=300)


RATES = Rates(input=1.0, output=5.0, cache_read=0.1, cache_write=1.25)


def test_each_kind_of_token_has_its_own_price() -> None:
    """A million of each, in billionths of a dollar."""
    million = 1_000_000
    usage = Usage(input=million, output=million, cache_read=million, cache_write=million)
    assert RATES.cost(usage) == round((1 + 5 + 0.1 + 1.25) * 1_000_000_000)


def test_a_long_prompt_is_dearer_for_all_its_tokens() -> None:
    """What is cached counts as prompt."""
    dear = Rates(input=2.0, output=10.0, cache_read=0.2, cache_write=2.5)
    price = Price(rates=RATES, long_from=100, long=dear)
    assert price.cost(Usage(input=50, cache_read=50, output=1)) == 50_000 + 5_000 + 5_000
    assert price.cost(Usage(input=50, cache_read=51, output=1)) == 100_000 + 10_200 + 10_000


@given(st.integers(0, 300_000), st.integers(0, 100_000), st.floats(0, 1), st.floats(0, 1))
def test_a_call_costs_no_more_than_was_reserved(
    sent: int, received: int, read: float, written: float
) -> None:
    """However much of it came from a cache or went to one."""
    cached = int(sent * read)
    kept = int((sent - cached) * written)
    usage = Usage(input=sent - cached - kept, cache_read=cached, cache_write=kept, output=received)
    for price in prices().models.values():
        assert price.cost(usage) <= price.most(sent, received)


def test_prices_are_found_by_a_models_name_with_or_without_its_date() -> None:
    """A model that is not on the list has none: not that of its neighbour."""
    listed = PriceList(models={"claude-x-5": Price(rates=RATES)})
    assert listed.of("claude-x-5-20261001") == listed.of("claude-x-5") == Price(rates=RATES)
    assert listed.of("claude-x-5-mini") is None
    assert NO_PRICES.of("claude-x-5") is None


def test_the_list_that_ships_has_a_source_a_day_and_the_default_model() -> None:
    """Cached tokens are the cheapest, answers the dearest, whatever the model."""
    shipped = prices()
    assert shipped.source.startswith("https://")
    assert shipped.as_of is not None
    assert shipped.as_of >= date(2026, 10, 1)
    assert shipped.of("claude-haiku-5-5") is not None
    for price in shipped.models.values():
        for rates in filter(None, (price.rates, price.long)):
            assert 0 < rates.cache_read < rates.input < rates.cache_write < rates.output
