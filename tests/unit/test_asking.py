"""What asks something, with or without a question mark, as people type it in chat."""

import pytest

from memory.language.questions.asking import share_that_asks


@pytest.mark.parametrize(
    "text",
    [
        "where does David live?",
        "where does david live",
        "who is making dinner on saturday",
        "how old is her cat",
        "which days does Chloé see patients",
        "did Sam find his keys",
        "whose bike is that",
        "remind me what we said about the garden",
        "list what I told you about Rome",
        "hey do you know a good plumber",
        "il habite où déjà",
        "elle part quand",
        "c'est quoi son métier",
        "tu bosses dans quoi maintenant",
        "nessie elle est quel rang sur valo",
        "qui a cassé la tasse",
        "et comment elle s'appelle ta sœur",
        "pk il est parti",
        "t'as une idée de qui vient demain",
        "rappelle-moi le nom du resto",
    ],
)
def test_what_asks(text: str) -> None:
    """The whole of it."""
    assert share_that_asks(text) == 1.0


@pytest.mark.parametrize(
    "text",
    [
        "",
        "...",
        "thanks, see you tomorrow",
        "have a nice day",
        "can't wait to see the pictures",
        "when I was young we had no phone",
        "what a day!",
        "who cares",
        "I know what she likes",
        "this is the house where I grew up",
        "on mange une pizza ou une salade",
        "n'importe quoi",
        "y a pas de quoi",
        "quel dommage",
        "je sais pas comment il a fait",
        "le jour où il est venu, il pleuvait",
        "je me suis levé tôt",
    ],
)
def test_what_only_tells(text: str) -> None:
    """None of it."""
    assert share_that_asks(text) == 0.0


def test_a_part_counts_by_its_length() -> None:
    """Somebody tells a long story, and asks at its end."""
    told = "I went to the market this morning and bought far too many plums."
    share = share_that_asks(f"{told} What do I do with them?")
    assert 0.2 < share < 0.4
    assert share_that_asks(told) == 0.0
