"""Which words of a question spoke for a row."""

from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.overlap import AskedWords


def shared_words(question: str, row: str) -> tuple[str, ...]:
    """The words that a question and one row share."""
    return AskedWords(question).shared_with(row)


@pytest.mark.parametrize(
    ("question", "row", "words"),
    [
        ("Will it rain at the picnic?", "Rain spoiled our picnics", ("rain", "picnic")),
        ("où habitait Mickael ?", "Mickael habite à Athènes", ("habitait", "mickael")),
        ("who plays the cello?", "Léa collectionne les boussoles", ()),
        ("Léa, Léa et encore Léa", "Léa part", ("lea",)),
        ("tu ne chantes pas ?", "Zoé ne travaille pas", ()),
    ],
)
def test_words_in_any_form_are_shared(question: str, row: str, words: tuple[str, ...]) -> None:
    """As the question writes them, each once, without negations and empty words."""
    assert shared_words(question, row) == words


def test_a_translation_is_told_with_the_word_it_stands_for() -> None:
    """Nobody would see otherwise why a French question found an English line."""
    assert shared_words("qui a peur de la pluie ?", "She hates the rain") == ("pluie ~ rain",)


@given(st.text(max_size=80), st.text(max_size=80))
def test_whatever_is_written_nothing_breaks(question: str, row: str) -> None:
    """No word is told twice, and no more are than the question has."""
    found = shared_words(question, row)
    assert len(found) == len(set(found)) or "~" in " ".join(found)
    assert len(found) <= len(normalize("NFKC", question))  # "¼" is 1 and 4


@given(st.sampled_from(["le violoncelle de Léa", "rain on Monday", "Zimmermann"]))
def test_a_text_shares_all_its_words_with_itself(text: str) -> None:
    """None is lost on the way."""
    assert len(shared_words(text, text)) == len(shared_words(text, f"{text} {text}")) > 0
