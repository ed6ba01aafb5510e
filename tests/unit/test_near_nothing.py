"""A pet that knows next to nothing says so, rather than the one line that it has."""

from datetime import timedelta

import pytest

from bot.llm.offline.acquaintances import Asker
from bot.llm.offline.corrections import Correction, correction_in
from bot.llm.offline.intent import read
from bot.llm.offline.questions.answering import Answerer
from bot.llm.offline.questions.subjects import strangers_in
from bot.llm.offline.questions.talk import TalkLine
from bot.llm.offline.understanding import Intent, Spoken
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


@pytest.mark.parametrize(
    ("said", "wish", "about"),
    [
        ("Eko c'est qui Naïm ?", Intent.ABOUT_SOMEBODY, ("Naïm",)),
        ("Eko c'est qui ?", Intent.MANNER, ()),
        ("tu te souviens de ce que je t'ai dit ?", Intent.ABOUT_SOMEBODY, ("Zoé",)),
        ("Eko what did I tell you?", Intent.ABOUT_SOMEBODY, ("Zoé",)),
        ("what did I tell you about my job?", Intent.QUESTION, ()),
    ],
)
def test_who_is_meant_is_a_person_not_the_pet(
    said: str, wish: Intent, about: tuple[str, ...]
) -> None:
    """Where the pet is called by name as well, and where the asker means themself."""
    spoken = Spoken(text=said, speaker="Zoé", said_at=NOON)
    understood = read(spoken, called=("Eko",), locale="fr")
    assert (understood.wish, understood.about) == (wish, about)


def test_nothing_shared_is_not_sure() -> None:
    """The weather is none of what was told, though a correction stands out."""
    lines = [
        TalkLine(text=said, author="Zoé", at=NOON - timedelta(minutes=ago), room="dm", private=True)
        for said, ago in (
            ("j'ai deux gamins, Jules 7 ans et Margot qui rentre en CP", 17),
            ("non, Margot a 6 ans et demi", 5),
        )
    ]
    found = Answerer(lines, Asker(name="Zoé"), ("eko",)).answer("il fait quel temps ?")
    assert found is None or not found.is_sure


def test_of_several_numbers_none_is_said_to_be_the_wrong_one() -> None:
    """Two children, one of them seven: it is not known which number was meant."""
    said = "j'ai deux gamins, Jules 7 ans et Margot qui rentre en CP"
    line = TalkLine(text=said, author="Zoé", at=NOON)
    assert correction_in("non, Margot a 6 ans et demi", [line]) == Correction(new="6")
