"""A pet that knows next to nothing says so, rather than the one line that it has."""

from datetime import timedelta

import pytest

from bot.llm.offline.acquaintances import Asker
from bot.llm.offline.questions.answering import Answerer
from bot.llm.offline.questions.subjects import strangers_in
from bot.llm.offline.questions.talk import TalkLine
from tests.cast import NOON


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("comment s'appelle le chat d'Ana ?", {"ana"}),
        ("where does Ben live?", {"ben"}),
        ("what's Zoé's job?", {"zoe"}),
        ("Qui va à Lyon lundi ?", set()),
        ("Who is coming on Monday?", set()),
        ("Est-ce que tu as faim ?", set()),
    ],
)
def test_a_name_in_a_question_is_seen_though_it_is_not_known(text: str, names: set[str]) -> None:
    """Not a place or a day, which a preposition leads to, and not the first word."""
    assert strangers_in(text) == names


def answered(said: str, question: str) -> str | None:
    """What a pet that heard one line of Zoé answers her."""
    zoe = TalkLine(text=said, author="Zoé", at=NOON - timedelta(minutes=1), room="lobby")
    found = Answerer([zoe], Asker(name="Zoé"), ("eko",)).answer(question)
    return None if found is None else found.line.text


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("@Eko bonjour", "qui est allergique aux chats ?"),
        ("hello Eko!", "who has a cat?"),
        ("je m'appelle Zoé", "comment s'appelle le chat d'Ana ?"),
        ("I live in Lyon", "where does Ben live?"),
    ],
)
def test_neither_a_greeting_nor_what_another_says_of_themself_answers(
    said: str, question: str
) -> None:
    """It was all that the pet had, so it seemed to answer best."""
    assert answered(said, question) is None


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("j'ai vu Ana, elle habite à Brest", "où habite Ana ?"),
        ("I gave Ben my cat", "what did Ben get?"),
    ],
)
def test_a_line_that_names_the_stranger_may(said: str, question: str) -> None:
    """Whoever says it."""
    assert answered(said, question) == said
