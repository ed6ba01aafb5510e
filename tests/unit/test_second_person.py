"""The words of a person as they are said back to them."""

import pytest

from bot.llm.offline.second_person import said_back


@pytest.mark.parametrize(
    ("said", "back"),
    [
        ("Mon pressoir s'appelle Jkazu.", "ton pressoir s'appelle Jkazu."),
        ("jhabite à Lyon. Jvais à mon école", "tu habites à Lyon. tu vas à ton école"),
        ("Jsuis fan de mon vélo", "tu es fan de ton vélo"),
        ("j'aime mon chat", "tu aimes ton chat"),
    ],
)
def test_a_capital_within_a_sentence_is_a_name_and_no_je(said: str, back: str) -> None:
    """At its beginning it may be a "je" that lost its vowel."""
    assert said_back(said) == back
