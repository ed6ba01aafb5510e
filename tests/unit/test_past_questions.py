"""Questions about what was, apart from questions about what is."""

import pytest

from memory.language.questions.open import asks_the_past


@pytest.mark.parametrize(
    "text",
    [
        "où habitait Léa ?",
        "elle travaille où Léa, avant c'était Airbus non ?",
        "quelle était son ancienne adresse ?",
        "where did Léa live?",
        "what was her job before?",
        "did she use to play the cello?",
    ],
)
def test_a_question_about_what_was(text: str) -> None:
    """By a word or by the tense."""
    assert asks_the_past(text)


@pytest.mark.parametrize(
    "text",
    ["où habite Léa ?", "tu fais quoi ?", "where does Léa live?", "what is her favourite movie?"],
)
def test_a_question_about_what_is(text: str) -> None:
    """It wants what holds now."""
    assert not asks_the_past(text)
