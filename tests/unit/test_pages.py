from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.platforms.pages import (
    KEPT_FOR,
    MOST_KEPT,
    MOST_LINES,
    PagedText,
    PageStore,
    pages_of,
)
from memory.clock import FrozenClock
from tests.cast import NOON

LONGEST = 1800
TEXT = PagedText(reader="1", pages=("a", "b"), actions=(), locale="en")


def units(text: str) -> int:
    """Characters as Discord's clients count them."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def test_a_short_answer_is_one_page() -> None:
    """As it is."""
    assert pages_of("one\n\ntwo", LONGEST) == ("one\n\ntwo",)


def test_pages_are_cut_between_lines() -> None:
    """After so many lines, or before they are too long."""
    many = [f"line {n}" for n in range(MOST_LINES * 2 + 1)]
    assert [len(page.splitlines()) for page in pages_of("\n".join(many), LONGEST)] == [15, 15, 1]
    assert pages_of(f"{'a' * 1000}\n{'b' * 1000}", LONGEST) == ("a" * 1000, "b" * 1000)


@pytest.mark.parametrize("text", ["", "  \n ", "\n\n\n"])
def test_an_empty_answer_is_a_page_too(text: str) -> None:
    """Discord takes no empty message."""
    assert pages_of(text, LONGEST) == ("…",)


@given(
    st.text(st.characters(codec="utf-8", exclude_characters="`>"), max_size=6000)
    | st.text("a\n😀", max_size=6000)
)
def test_nothing_is_lost_and_no_page_too_long(text: str) -> None:
    """Whatever an answer says."""
    pages = pages_of(text, LONGEST)
    assert all(0 < units(page) <= LONGEST and page.strip() for page in pages)
    assert all(len(page.splitlines()) <= MOST_LINES for page in pages)
    words = "".join("".join(pages).split())
    assert words.replace("\u200b", "") == "".join(text.split()).replace("\u200b", "") or (
        not text.strip()
    )


def test_a_text_is_for_its_reader_for_a_while() -> None:
    """Others, and other marks, find nothing."""
    clock = FrozenClock(NOON)
    store = PageStore(clock)
    mark = store.put(TEXT)
    assert store.text(mark, "1") == TEXT
    assert store.text(mark, "2") is None
    assert store.text("other", "1") is None
    clock.advance(KEPT_FOR - timedelta(seconds=1))
    assert store.text(mark, "1") == TEXT
    clock.advance(timedelta(seconds=1))
    assert store.text(mark, "1") is None


def test_a_store_holds_so_many_texts() -> None:
    """The oldest go; those that are too old go whenever one is put."""
    clock = FrozenClock(NOON)
    store = PageStore(clock)
    marks = [store.put(TEXT) for _ in range(MOST_KEPT + 1)]
    assert store.text(marks[0], "1") is None
    assert store.text(marks[1], "1") == TEXT
    clock.advance(KEPT_FOR)
    store.put(TEXT)
    assert len(store._texts) == 1
