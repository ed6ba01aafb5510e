"""Times to live are read as people write them, and nothing else is taken for one."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.model.errors import EkoMemoryError, InvalidTtl
from memory.model.ttl import parse_ttl
from tests.cast import NOON

UNITS = {
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
}


@given(st.integers(1, 99_999), st.sampled_from(sorted(UNITS)), st.sampled_from(["", " ", "\t"]))
def test_a_number_and_a_unit_are_a_duration(number: int, unit: str, space: str) -> None:
    """In either case, with white space around, and always a date that can be kept."""
    for text in (f"{number}{unit}", f" {number}{space}{unit.upper()} "):
        ttl = parse_ttl(text)
        assert ttl == number * UNITS[unit]
        assert NOON + number * UNITS[unit] > NOON


@pytest.mark.parametrize("text", [None, "", "  ", "null", "None", "NULL"])
def test_nothing_means_for_ever(text: str | None) -> None:
    """As a model leaves the field out, or writes null in words."""
    assert parse_ttl(text) is None


@pytest.mark.parametrize(
    "text",
    ["3 lunes", "0d", "000h", "-1d", "1.5h", "1", "d", "1d2h", "1y", "٣d", "100000d", "1 d!"],
)
def test_everything_else_is_refused_with_a_sentence(text: str) -> None:
    """The model is told what to write instead."""
    with pytest.raises(InvalidTtl, match="write it like") as refused:
        parse_ttl(text)
    assert isinstance(refused.value, EkoMemoryError)


@given(st.text(max_size=30))
def test_no_text_makes_it_fail_otherwise(text: str) -> None:
    """A duration over nothing, for ever, or the one error."""
    try:
        ttl = parse_ttl(text)
    except InvalidTtl:
        return
    assert ttl is None or ttl > timedelta()
