"""The lobby is cut into chunks that fit the model, each of one room and audience, in order."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from memory.model.audience import Audience
from memory.model.digests import LiveRow
from memory.model.messages import MessageId
from memory.model.rooms import RoomId
from observers.digest import split

ROWS = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from("xy"), st.integers(0, 300)), max_size=60
).map(
    lambda rows: [
        LiveRow(MessageId(number), RoomId(room), Audience(audience), size)
        for number, (room, audience, size) in enumerate(sorted(rows, key=lambda row: row[0]))
    ]
)


@given(ROWS, st.integers(1, 10), st.integers(1, 600))
def test_every_row_is_in_one_chunk_in_order_within_the_limits(
    rows: list[LiveRow], messages: int, chars: int
) -> None:
    """One row over the limit of characters is a chunk of its own; no other chunk exceeds it."""
    chunks = split(rows, messages, chars)
    assert [row for chunk in chunks for row in chunk] == rows
    for chunk in chunks:
        assert 0 < len(chunk) <= messages
        assert len({(row.room, row.audience) for row in chunk}) == 1
        assert len(chunk) == 1 or sum(row.size for row in chunk) <= chars


@given(ROWS, st.integers(1, 10), st.integers(1, 600))
def test_no_chunk_is_begun_without_need(rows: list[LiveRow], messages: int, chars: int) -> None:
    """Two neighbours of one audience would be too much together: calls cost money."""
    for one, other in pairwise(split(rows, messages, chars)):
        if (one[0].room, one[0].audience) == (other[0].room, other[0].audience):
            size = sum(row.size for row in one) + other[0].size
            assert len(one) == messages or size > chars
