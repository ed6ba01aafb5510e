"""Replies are cut to what a platform takes, and call nobody by accident."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.cutting import cut, quiet_mentions

WORDS = st.text(alphabet="ab .\n\t\u200b\u00e9\U0001f600", max_size=200)


def bare(text: str) -> str:
    """The text without white space."""
    return re.sub(r"\s", "", text)


@given(WORDS, st.integers(1, 60))
def test_nothing_is_lost_and_the_limit_holds(text: str, limit: int) -> None:
    """Whatever the text, the parts are its words in order, each within the limit, none empty."""
    parts = cut(text, limit)
    assert bare("".join(parts)) == bare(text)
    assert all(0 < len(part) <= limit for part in parts)
    assert all(part == part.strip() for part in parts)


@given(WORDS)
def test_what_fits_is_one_part(text: str) -> None:
    """A short reply is not cut at all."""
    assert cut(text, 200) == ([text.strip()] if text.strip() else [])


@given(st.lists(st.text(alphabet="abc", min_size=1, max_size=9), min_size=1), st.integers(20, 60))
def test_words_stay_whole_where_there_is_a_place_to_cut(words: list[str], limit: int) -> None:
    """White space within the second half of a part is always found."""
    parts = cut(" ".join(words), limit)
    assert " ".join(parts).split() == words


def test_the_best_place_is_taken() -> None:
    """A paragraph before a line, a line before a sentence, a sentence before a word."""
    assert cut("one two. three\nfour\n\nfive six", 22) == ["one two. three\nfour", "five six"]
    assert cut("one two. three\nfour five", 18) == ["one two. three", "four five"]
    assert cut("one two. three four", 14) == ["one two.", "three four"]
    assert cut("a" * 25, 10) == ["a" * 10, "a" * 10, "a" * 5]


@pytest.mark.parametrize("call", ["@everyone", "@here", "@Everyone", "@channel", "@all", "@HERE"])
def test_nobody_is_called_in_mass(call: str) -> None:
    """The word is still read and the platform no longer sees a mention."""
    quiet = quiet_mentions(f"hello {call}, look")
    assert call not in quiet
    assert quiet.replace("\u200b", "") == f"hello {call}, look"


@pytest.mark.parametrize("text", ["@alligator", "@hereafter", "all of you", "a@b.example", "@Léa"])
def test_other_words_are_left_alone(text: str) -> None:
    """Only the mass mentions are touched."""
    assert quiet_mentions(text) == text


@given(st.integers(1, 40), st.text(alphabet="@everyonh \n", max_size=80))
def test_cutting_never_makes_a_mention_again(limit: int, text: str) -> None:
    """A part that begins after the zero-width space is a word and not a mention."""
    for part in cut(quiet_mentions(text), limit):
        assert not re.search(r"@(everyone|here)\b", part)
