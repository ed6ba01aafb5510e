"""Figures that people read have their nouns in the right number."""

import pytest

from bot.surfaces.terminal.terminal import several
from bot.texts.catalogue import say


@pytest.mark.parametrize(
    ("count", "words"), [(0, "0 memories"), (1, "1 memory"), (2, "2 memories")]
)
def test_the_command_line_has_a_singular(count: int, words: str) -> None:
    """Also of a noun whose plural is another word."""
    assert several(count, "memory", "memories") == words
    assert several(count, "row") == words.replace("memory", "row").replace("memories", "rows")


@pytest.mark.parametrize(
    ("language", "count", "words"),
    [
        ("en", 0, "0 messages"),
        ("en", 1, "1 message"),
        ("en", 12345, "12,345 messages"),
        ("fr", 0, "0 message"),
        ("fr", 1, "1 message"),
        ("fr", 12345, "12 345 messages"),
    ],
)
def test_a_count_is_written_as_its_language_does(language: str, count: int, words: str) -> None:
    """With its noun, as many as there are."""
    assert say("counted.messages", language, count=count) == words
