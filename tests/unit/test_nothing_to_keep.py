"""Sentences that are no statements to keep: what they are about stands elsewhere, or is to go."""

from datetime import UTC, datetime

import pytest

from memory.claims.reader import read_claims
from memory.statements.extraction.finder import find_statements

NOW = datetime(2026, 1, 17, 12, tzinfo=UTC)


def kept(text: str) -> list[str]:
    """What is kept of a message of Nina's."""
    return [one.content for one in find_statements(text, "Nina", NOW)]


@pytest.mark.parametrize(
    "text",
    [
        "I'm terrible at it",
        "I'm allergic to it",
        "He is my cousin",
        "It's my sister.",
        "C'est mon cousin",
        "c'est ma sœur",
        "Je suis nul en ça",
        "Je suis allergique à ça",
    ],
)
def test_what_is_about_something_said_before_is_no_statement(text: str) -> None:
    """Kept by itself it tells of nothing."""
    assert kept(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "He's my brother Tom",
        "C'est mon cousin Paul",
        "C'est mon anniversaire",
        "My brother Tom is a chef",
        "Je suis allergique aux noix",
    ],
)
def test_what_says_what_it_is_about_is_kept(text: str) -> None:
    """A name, or something that needs none."""
    assert kept(text) == [f"Nina: {text}"]


@pytest.mark.parametrize(
    "text",
    [
        "Oublie que j'apprends le violon",
        "Eko, oublie que j'apprends le violon.",
        "Peux-tu oublier que j'habite à Lille ?",
        "Forget that I live in Bristol",
        "Please forget my brother Tom is a chef.",
        "Can you forget that I work as a nurse",
    ],
)
def test_a_request_to_forget_states_nothing(text: str) -> None:
    """Neither as a statement, nor among what people tell of themselves."""
    assert kept(text) == []
    assert read_claims([text]) == [[]]


@pytest.mark.parametrize(
    "text", ["N'oublie pas que j'habite à Lille", "Don't forget that I live in Bristol"]
)
def test_a_request_to_remember_states_something(text: str) -> None:
    """It says that it is not to be forgotten."""
    assert kept(text)
