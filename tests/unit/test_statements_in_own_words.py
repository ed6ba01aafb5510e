"""What a clause surely states is kept word for word, however it is put."""

import pytest

from memory.model.statements import MemoryType
from memory.statements.extraction.finder import find_statements
from memory.statements.extraction.model import Statement
from tests.cast import NOON


def found(text: str, *names: str) -> list[Statement]:
    """The statements of a message of Maya's, in a room where these people are known too."""
    return find_statements(text, "Maya", NOON, ("Maya", *names))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("finally got the keys to my place in Leeds!!! no sofa", "the keys to my place in Leeds"),
        ("wisdom teeth are coming out on the 23rd. all four", "wisdom teeth are coming out"),
        ("ça y est jai les clés de l'appart à Villeurbanne, 4e étage", "les clés de l'appart"),
        ("Ma chienne Tchoupa a encore mangé une chaussette", "Ma chienne Tchoupa"),
    ],
)
def test_natural_words_are_kept_as_they_were_said(text: str, words: str) -> None:
    """After the name of who says them, and about that person."""
    [statement] = found(text)
    assert statement.content.startswith("Maya: ")
    assert words in statement.content
    assert statement.subjects[0] == "Maya"


def test_the_kind_follows_from_what_is_claimed() -> None:
    """A relative is who somebody is, a plan is an event with its day and its end."""
    [flight] = found("flights are booked, we're off to lisbon tomorrow with the girls")
    assert flight.memory_type is MemoryType.EVENT
    assert "(18 January 2026)" in flight.content
    assert flight.ttl is not None


@pytest.mark.parametrize(
    "text",
    [
        "if i win the lotto i'm moving to Tahiti, bye",
        "when i was nine i had a rabbit called Inspector",
        "finally got the keys to my place in Leeds jk",
        "si je gagne au loto j'habite à Tahiti",
        "who has the keys to the hall in Leeds?",
        "le serveur est encore tombé, moyenne 8, minimum 3",
    ],
)
def test_what_is_not_so_now_is_not_kept(text: str) -> None:
    """A supposition, a past, a joke that says so, a question, and what is of nobody."""
    assert found(text) == []


def test_what_is_said_of_somebody_known_is_of_them() -> None:
    """Without the name of who says it before it."""
    [statement] = found("so Tom has been taken on at the bakery on Mill Road", "Tom")
    assert statement.content.startswith("so Tom")
    assert statement.subjects[:2] == ("Tom", "Maya")


def test_what_is_said_of_people_nobody_knows_is_not_kept() -> None:
    """It is neither about its author nor about theirs."""
    assert found("les Dupuis ont perdu leur papa, pensez à eux") == []


def test_who_speaks_of_themselves_by_name_is_named_once() -> None:
    """As some do in a lobby; a first word that may be a name is one, too."""
    [statement] = found("Maya moved to Lyon last week")
    assert statement.content.startswith("Maya moved to Lyon last week")
    assert statement.subjects[0] == "Maya"
    [other] = found("Sam lives in Oslo")
    assert (other.content, other.subjects[:2]) == ("Sam lives in Oslo", ("Sam", "Maya"))


def test_what_goes_with_laughter_and_is_surely_meant_may_be_kept() -> None:
    """Laughter is no mark of a joke; what says so is."""
    assert found("je suis infirmier mdr") == found("I live in Lyon, just kidding") == []
