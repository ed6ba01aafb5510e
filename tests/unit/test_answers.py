"""An answer stands in a text when its words do, in a row."""

import pytest

from benchmarks.evaluation.answers import holds


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("She practised THE accordion, again.", "the accordion"),
        ("Il y avait la vision, l’image et le son.", "la vision, l'image"),
        ("On a joué 1-1 en demi-finale", "1-1"),
        ("né à Görlitz en 1575", "Gorlitz"),
        ("in 2022.", "2022"),
    ],
)
def test_words_are_found_in_any_case_and_punctuation(text: str, answer: str) -> None:
    """Accents and apostrophes make no difference either."""
    assert holds(text, answer)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("a birthday party", "art"),
        ("the red accordion", "the accordion"),
        ("anything", ""),
        ("anything", " ?"),
        ("", "x"),
    ],
)
def test_other_words_are_no_answer(text: str, answer: str) -> None:
    """Part of a word, words apart, or nothing at all."""
    assert not holds(text, answer)
