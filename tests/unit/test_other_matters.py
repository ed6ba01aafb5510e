"""Lines that are alike to an embedder and of other matters; and lines that say the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.rules.duplicates import are_of_other_matters


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I live in Lyon", "I do not live in Lyon"),
        ("j'habite à Lyon", "je n'habite plus à Lyon"),
        ("she has 2 kids", "she has 5 kids"),
        ("she has two kids", "she has five kids"),
        ("rendez-vous le 3 mars", "rendez-vous le 9 juin"),
        ("on se voit lundi", "on se voit jeudi"),
        ("Léa aime le thé", "Tom aime le thé"),
        ("il habite à Nantes", "il habite à Rennes"),
        ("I moved to Rome", "I would move to Rome"),
        ("je vais à Tahiti", "si je gagne je vais à Tahiti"),
        ("you like tea", "you like tea?"),
    ],
)
def test_a_number_a_denial_a_mood_or_a_name_makes_another_matter(one: str, other: str) -> None:
    """Either way round."""
    assert are_of_other_matters(one, other)
    assert are_of_other_matters(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Léa aime le thé", "Léa adore le thé"),
        ("my flat is in Lyon", "My apartment is in Lyon"),
        ("on se voit lundi", "lundi on se retrouve"),
        ("she has two kids", "she is the mother of two"),
    ],
)
def test_other_words_alone_do_not(one: str, other: str) -> None:
    """What they say is left to their likeness."""
    assert not are_of_other_matters(one, other)


@given(st.text(max_size=60))
def test_a_line_is_of_no_other_matter_than_itself(text: str) -> None:
    """Whatever stands in it."""
    assert not are_of_other_matters(text, text)
