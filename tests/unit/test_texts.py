"""Both languages are complete, and a browser gets the one it asks for."""

from dataclasses import asdict
from string import Formatter

import pytest

from bot.model.turns import Expression
from bot.texts.channels import ENGLISH, FRENCH, texts_for, texts_wanted


def _fields(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def test_both_languages_fill_in_the_same_things() -> None:
    """A sentence has the same places to fill in French as in English, and none is empty."""
    for key, english in asdict(ENGLISH).items():
        french = asdict(FRENCH)[key]
        if isinstance(english, str):
            assert english
            assert _fields(english) == _fields(french), key


@pytest.mark.parametrize("texts", [ENGLISH, FRENCH])
def test_every_expression_has_a_word(texts: object) -> None:
    """A face can be read aloud in both languages."""
    looks = ENGLISH.looks if texts is ENGLISH else FRENCH.looks
    assert set(looks) == set(Expression)


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("fr-FR,fr;q=0.9,en;q=0.8", "fr"),
        ("en-GB,en;q=0.9,fr;q=0.1", "en"),
        ("de,fr;q=0.5,en;q=0.4", "fr"),
        ("en;q=0.2, fr;q=0.7", "fr"),
        ("en;q=0, de", "fr"),
        ("", "fr"),
        ("*;q=x,;;,=", "fr"),
    ],
)
def test_a_browser_gets_the_language_it_prefers(header: str, language: str) -> None:
    """The highest weight among the languages there are wins; without any, the locale does."""
    assert texts_wanted(header, "fr_FR").language == language


def test_an_unknown_locale_reads_english() -> None:
    """A locale without sentences of its own falls back."""
    assert texts_for("de_DE") is ENGLISH
