"""A person is meant by a part of their name, and by a name that is a letter off."""

import pytest

from memory.language.near_names import people_meant
from memory.language.text import words

PEOPLE = ("Fahim Khan", "Caroline", "Alice", "Jean-Luc Picard", "Sam", "Will Smith")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("when does Fahim leave?", {"fahim", "fahim khan"}),
        ("il part quand picard ?", {"picard", "jean-luc picard"}),
        ("where does Carolyne live?", {"carolyne", "caroline"}),
        ("where does carolnie live?", {"carolnie", "caroline"}),
        ("did you see Alcie today?", {"alcie", "alice"}),
    ],
)
def test_a_part_of_a_name_and_a_misspelt_one_mean_a_person(text: str, meant: set[str]) -> None:
    """In any case of letters; the word itself is one of the names."""
    assert people_meant(text, PEOPLE, frozenset(words(text))) == (frozenset(meant),)


@pytest.mark.parametrize(
    "text",
    ["is the plant alive?", "will you come?", "where is Caroline?", "the same again", "Karoline ?"],
)
def test_other_words_mean_no_one(text: str) -> None:
    """Nor do whole names, which are found by themselves, and what begins otherwise."""
    assert people_meant(text, PEOPLE, frozenset(words(text))) == ()


def test_a_word_that_rows_have_is_no_misspelt_name() -> None:
    """Whatever it is near."""
    assert people_meant("where does carolnie live?", PEOPLE, frozenset()) == ()


def test_who_shares_a_part_is_meant_together() -> None:
    """There is no telling which; somebody of just that name is meant alone."""
    both = frozenset({"fahim", "fahim khan", "fahim ali"})
    assert people_meant("is Fahim in?", ("Fahim Khan", "Fahim Ali"), frozenset()) == (both,)
    assert people_meant("is Fahim in?", ("Fahim Khan", "Fahim"), frozenset()) == ()
