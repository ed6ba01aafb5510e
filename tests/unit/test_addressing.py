"""Who is spoken to, and what is said besides the name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.conversation.placement import addressed, without_name

NAMES = ("Eko", "le chat")


@pytest.mark.parametrize(
    "text",
    [
        "Eko, où est David ?",
        "eko où est David ?",
        "EKO",
        "  Eko: viens",
        "@Eko viens",
        "Salut Eko !",
        "Dis, Eko, tu dors ?",
        "on demande à @eko",
        "tu en penses quoi, Eko ?",
        "Le chat, tu dors ?",
    ],
)
def test_it_is_called(text: str) -> None:
    """First, after a greeting, last after a comma, behind an @, by any of its names."""
    assert addressed(text, NAMES)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Ekologie",
        "l'avis d'Eko m'importe",
        "j'aime bien Eko",
        "Eko's house is nice",
        "Eko’s house is nice",
        "gekko, viens",
        "mail@ekologie.example",
        "le chateau est grand",
        "un, deux, Ekologie",
    ],
)
def test_it_is_only_talked_about(text: str) -> None:
    """A name inside a word or a sentence calls nobody."""
    assert not addressed(text, NAMES)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Eko, où est David ?", "où est David ?"),
        ("Salut Eko !", "Salut"),
        ("@Eko", ""),
        ("tu en penses quoi, Eko ?", "tu en penses quoi ?"),
        ("où est David ?", "où est David ?"),
        ("j'aime bien Eko", "j'aime bien Eko"),
    ],
)
def test_what_is_asked_is_left_when_the_call_is_taken_out(text: str, rest: str) -> None:
    """The pet's own name is no word to look up, a greeting stays a greeting."""
    assert without_name(text, NAMES).replace("  ", " ") == rest


@given(st.text(max_size=80))
def test_a_text_that_calls_nobody_stays_as_it_is(text: str) -> None:
    """Taking the call out never touches a text without one."""
    if not addressed(text, NAMES):
        assert without_name(text, NAMES) == text.strip()


@given(st.text(max_size=40))
def test_words_behind_the_name_survive(text: str) -> None:
    """Everything but the call, white space and punctuation of the call is still there."""
    kept = without_name(f"Eko {text}", ("Eko",))
    assert kept in text or addressed(text, ("Eko",))


def test_a_name_with_signs_of_its_own_is_taken_literally() -> None:
    """A dot in a name is a dot."""
    assert addressed("M.Eko viens", ("M.Eko",))
    assert not addressed("MxEko viens", ("M.Eko",))
