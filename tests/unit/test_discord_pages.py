from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.channels.discord.interactions.pages import (
    KEPT_FOR,
    LONGEST_PAGE,
    MOST_BOOKS,
    MOST_LINES,
    PageCache,
    Pages,
    pages_of,
)
from memory.clock import FrozenClock
from tests.cast import NOON

BOOK = Pages(reader="1", pages=("a", "b"), actions=(), locale="en")


def units(text: str) -> int:
    """Characters as Discord's clients count them."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def test_a_short_answer_is_one_page() -> None:
    """As it is."""
    assert pages_of("one\n\ntwo") == ("one\n\ntwo",)


def test_pages_are_cut_between_lines() -> None:
    """After so many lines, or before they are too long."""
    many = [f"line {n}" for n in range(MOST_LINES * 2 + 1)]
    assert [len(page.splitlines()) for page in pages_of("\n".join(many))] == [15, 15, 1]
    assert pages_of(f"{'a' * 1000}\n{'b' * 1000}") == ("a" * 1000, "b" * 1000)


@pytest.mark.parametrize("text", ["", "  \n ", "\n\n\n"])
def test_an_empty_answer_is_a_page_too(text: str) -> None:
    """Discord takes no empty message."""
    assert pages_of(text) == ("…",)


@given(
    st.text(st.characters(codec="utf-8", exclude_characters="`>"), max_size=6000)
    | st.text("a\n😀", max_size=6000)
)
def test_nothing_is_lost_and_no_page_too_long(text: str) -> None:
    """Whatever an answer says."""
    pages = pages_of(text)
    assert all(0 < units(page) <= LONGEST_PAGE and page.strip() for page in pages)
    assert all(len(page.splitlines()) <= MOST_LINES for page in pages)
    words = "".join("".join(pages).split())
    assert words.replace("\u200b", "") == "".join(text.split()).replace("\u200b", "") or (
        not text.strip()
    )


def test_a_book_is_for_its_reader_for_a_while() -> None:
    """Others, and other marks, find nothing."""
    clock = FrozenClock(NOON)
    shelf = PageCache(clock)
    mark = shelf.put(BOOK)
    assert shelf.book(mark, "1") == BOOK
    assert shelf.book(mark, "2") is None
    assert shelf.book("other", "1") is None
    clock.advance(KEPT_FOR - timedelta(seconds=1))
    assert shelf.book(mark, "1") == BOOK
    clock.advance(timedelta(seconds=1))
    assert shelf.book(mark, "1") is None


def test_a_shelf_holds_so_many_books() -> None:
    """The oldest go; those that are too old go whenever one is put."""
    clock = FrozenClock(NOON)
    shelf = PageCache(clock)
    marks = [shelf.put(BOOK) for _ in range(MOST_BOOKS + 1)]
    assert shelf.book(marks[0], "1") is None
    assert shelf.book(marks[1], "1") == BOOK
    clock.advance(KEPT_FOR)
    shelf.put(BOOK)
    assert len(shelf._books) == 1
