"""Who is spoken to is not who is spoken about."""

import pytest

from memory.language.names import without_addressed


@pytest.mark.parametrize(
    "text",
    [
        "Thanks, Sam! See you",
        "Hey Sam! Long time no see",
        "Sam, are you there?",
        "That is great, Sam! I love it",
        "It works. Well done, Sam.",
        "Salut Sam, ça va ?",
        "Merci Sam ! Tu me sauves",
        "Sam, tu viens ce soir ?",
    ],
)
def test_who_is_spoken_to_is_left_out(text: str) -> None:
    """In either language, before or behind what is said."""
    assert "Sam" not in without_addressed(text)


@pytest.mark.parametrize(
    "text",
    [
        "where does Sam live?",
        "Sam lives in Lyon",
        "Sam, il habite où ?",
        "Sam, where is he?",
        "Sam, elle est partie quand ?",
        "I went with Ana, Sam and Bob.",
        "il habite où, Sam ?",
        "c'est quand l'anniv de Sam",
    ],
)
def test_who_is_spoken_about_stays(text: str) -> None:
    """Also where a comma follows the name."""
    assert "Sam" in without_addressed(text)
