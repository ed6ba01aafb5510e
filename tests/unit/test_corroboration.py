"""Whether a message says what a statement says, on the word of who wrote it."""

import pytest

from memory.rules.corroboration import corroborates

SAID = [
    ("Lea lives in Oslo", "Lea lives in Oslo since May."),
    ("Lea lives in Oslo", "hi! she lives in Oslo, and works there"),
    ("Lea lives in Oslo", "I live in Oslo"),
    ("Lea lives in Oslo", "I told you that she lives in Oslo"),
    ("Lea lives in Oslo", "yes, in Oslo"),
    ("Lea is not a nurse", "she's not a nurse"),
    ("Léa et David jouent du piano", "oui, le piano du mardi"),
]

NOT_SAID = [
    ("Lea lives in Oslo", "does Lea live in Oslo?"),
    ("Lea lives in Oslo", "Lea doesn't live in Oslo"),
    ("Lea lives in Oslo", "Lea lives in Rome"),
    ("Lea lives in Oslo", "Bob says Lea lives in Oslo"),
    ("Lea lives in Oslo", "maybe Lea lives in Oslo"),
    ("Lea lives in Oslo", "Lea lives in Oslo, just kidding"),
    ("Lea lives in Oslo", 'he wrote "Lea lives in Oslo"'),
    ("Lea lives in Oslo", "yes"),
    ("Lea lives in Oslo", "Oslo is nice"),
    ("Lea is not a nurse", "Lea is a nurse"),
    ("Léa", "Léa"),
    ("Lea lives in Oslo", ""),
]


@pytest.mark.parametrize(("content", "text"), SAID)
def test_a_message_that_says_it_or_affirms_a_part_of_it_stands_behind_it(
    content: str, text: str
) -> None:
    """Whom it begins with, and who took part, need no name."""
    assert corroborates(text, content, subjects=("Lea", "Léa", "Oslo"), speakers=("David", "Léa"))


@pytest.mark.parametrize(("content", "text"), NOT_SAID)
def test_a_message_that_says_something_else_does_not(content: str, text: str) -> None:
    """Questions, denials, guesses, jokes, quotations, what another said, other words."""
    speakers = ("David", "Léa")
    assert not corroborates(text, content, subjects=("Lea", "Léa", "Oslo"), speakers=speakers)
