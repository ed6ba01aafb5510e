"""A message that has its matter from before is looked up with it; any other by itself."""

import pytest

from memory.language.questions.asking import are_keywords
from memory.language.questions.going_on import looked_up_with

BEFORE = ("où habite Maya ?", "et son frère ?", "il a quel âge ?")


@pytest.mark.parametrize(
    "text",
    [
        "and her sister?", "et sa sœur ?", "and the other one?", "which one is it?",
        "c'est quoi la suite ?", "what about Tom?", "this plan looks good, what next?",
        "where does she live?", "pareil pour Léa ?", "is it still open?",
    ],
)  # fmt: skip
def test_what_goes_on_is_looked_up_with_the_last_two_turns(text: str) -> None:
    """In their order."""
    assert looked_up_with(text, BEFORE) == "et son frère ?\nil a quel âge ?"


@pytest.mark.parametrize(
    "text",
    [
        "où habite Maya ?", "do you like pizza?", "ok", "et toi ?", "merci", "", "?!",
        "my sister told me that her new flat in Lyon is too small for the three of them",
    ],
)  # fmt: skip
def test_what_says_itself_what_it_is_about_is_not(text: str) -> None:
    """Nor is small talk."""
    assert looked_up_with(text, BEFORE) == ""


@pytest.mark.parametrize(
    "text", ["mongod", "GHA secrets config", "AI code", "eror handling patterns"]
)
def test_keywords_name_a_thing(text: str) -> None:
    """As they are typed into a search box."""
    assert are_keywords(text)


@pytest.mark.parametrize(
    "text", ["I like trains", "pizza !", "bonne nuit", "lol", "", "j'ai faim", "cats are cute"]
)
def test_what_says_something_is_no_keywords(text: str) -> None:
    """A sentence has words without content."""
    assert not are_keywords(text)
