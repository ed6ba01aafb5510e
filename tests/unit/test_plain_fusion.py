"""The bar that recall is measured against does what an engineer would have it do."""

from collections.abc import Iterator
from contextlib import closing

import numpy as np
import pytest

from benchmarks.plain_fusion import Passage, PlainFusion

TALK = (
    Passage("1", "Ann", "What did you bring home?", "a"),
    Passage("2", "Bob", "A parrot called Kiwi.", "a"),
    Passage("3", "Bob", "It rains in Lille.", "b"),
    Passage("4", "Ann", "Parrots are loud.", "b"),
)

VECTORS = np.eye(4, dtype=np.float32)


@pytest.fixture
def plain() -> Iterator[PlainFusion]:
    """A fusion over the talk; each passage means something of its own."""
    with closing(PlainFusion(TALK, VECTORS)) as fusion:
        yield fusion


def test_words_come_first(plain: PlainFusion) -> None:
    """By their stems, without accents; function words find nothing."""
    assert plain.ranked("who has a párrot", None)[0] in {"2", "4"}
    assert plain.ranked("who is it", None) == []


def test_a_neighbour_of_the_same_session_is_found_with_it(plain: PlainFusion) -> None:
    """What was asked stands before the answer; another session is no neighbour."""
    assert plain.ranked("Kiwi", None) == ["2", "1"]


def test_who_is_named_comes_before_who_is_not(plain: PlainFusion) -> None:
    """Both speak of parrots."""
    assert plain.ranked("what does Ann say of parrots?", None)[0] == "4"
    assert plain.ranked("what does Bob say of parrots?", None)[0] == "2"


def test_meaning_finds_what_no_word_does(plain: PlainFusion) -> None:
    """The passage whose vector is that of the question."""
    assert plain.ranked("weather", VECTORS[2]) == ["3"]


def test_what_is_said_later_is_not_found(plain: PlainFusion) -> None:
    """Of the first passages only."""
    assert "4" not in plain.ranked("parrots", None, upto=3)


@pytest.mark.parametrize("question", ['"', "* OR (", "NEAR/3", "", "é" * 3000])
def test_no_question_is_a_fault_of_syntax(plain: PlainFusion, question: str) -> None:
    """Whatever is typed is looked for as words."""
    assert plain.ranked(question, None) == []
