"""Who asks for their own name hears what they are called, and not what others are."""

import pytest

from bot.llm.offline.acquaintances import Asker
from bot.llm.offline.questions.answering import Answerer
from bot.llm.offline.questions.talk import TalkLine
from tests.cast import NOON

ENGLISH = (
    "I work in a bakery in Leeds",
    "I've got a dog, he's called Biscuit",
    "everyone calls me Lizzie",
    "my boss is called Mark",
)
FRENCH = (
    "je bosse dans une boulangerie à Lille",
    "j'ai un chien, il s'appelle Pataud",
    "tout le monde m'appelle Lilou",
    "mon patron s'appelle Marc",
)


def answer(told: tuple[str, ...], question: str) -> tuple[str, bool]:
    """The line that answers the author of these lines, and whether it is told plainly."""
    lines = [TalkLine(text=one, author="Elizabeth", at=NOON) for one in told]
    found = Answerer(lines, Asker(name="Elizabeth"), ("Eko",)).answer(question)
    return (found.line.text, found.is_sure) if found is not None else ("", False)


@pytest.mark.parametrize(
    ("told", "question"),
    [
        (ENGLISH, "what's my name?"),
        (ENGLISH, "what do people call me?"),
        (ENGLISH, "what's my nickname?"),
        (FRENCH, "comment je m'appelle ?"),
        (FRENCH, "c'est quoi mon surnom ?"),
    ],
)
def test_ones_own_name_is_not_that_of_a_dog(told: tuple[str, ...], question: str) -> None:
    """Whichever name was told first."""
    assert answer(told, question) == (told[2], True)
    reordered = (told[0], told[2], told[1], told[3])
    assert answer(reordered, question) == (told[2], True)


@pytest.mark.parametrize(
    ("told", "question"),
    [
        (ENGLISH, "what's my dog's name?"),
        (ENGLISH, "what is my dog called?"),
        (FRENCH, "comment s'appelle mon chien ?"),
    ],
)
def test_the_name_of_a_dog_is_told_plainly(told: tuple[str, ...], question: str) -> None:
    """Where its owner said it in the sentence that tells of it."""
    assert answer(told, question) == (told[1], True)


@pytest.mark.parametrize("question", ["what's my name?", "what do people call me?"])
def test_without_ones_own_name_none_is_told_plainly(question: str) -> None:
    """What is known is a guess then."""
    assert not answer((*ENGLISH[:2], ENGLISH[3]), question)[1]
