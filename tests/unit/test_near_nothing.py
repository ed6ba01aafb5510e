"""A pet that knows next to nothing says so, rather than the one line that it has."""

from datetime import timedelta

import pytest

from bot.llm.offline.acquaintances import Asker
from bot.llm.offline.corrections import Correction, correction_in
from bot.llm.offline.intent import read
from bot.llm.offline.questions.answering import Answerer
from bot.llm.offline.questions.claimed import claims_in
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


def told_alone(question: str, *said: str, name: str = "Nina") -> tuple[str, bool] | None:
    """What a pet that was told this answers her, and whether it is sure."""
    lines = [
        TalkLine(
            text=one,
            author=name,
            at=NOON - timedelta(minutes=len(said) - place),
            room="dm",
            private=True,
            claims=claims_in(one),
        )
        for place, one in enumerate(said)
    ]
    found = Answerer(lines, Asker(name=name), ("eko",)).answer(question)
    return None if found is None else (found.line.text, found.is_sure)


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("My sister Anna is allergic to cats.", "What is Anna allergic to?"),
        ("Anna, my sister, moved to Bruges.", "Where does Anna live?"),
        ("My boss Karim hates mornings.", "What does Karim hate?"),
        ("Ma sœur Léa habite à Lyon.", "Où habite Léa ?"),
        ("Mon frère Julien est allergique aux noix.", "À quoi Julien est-il allergique ?"),
    ],
)
def test_a_relative_is_found_by_their_name(said: str, question: str) -> None:
    """Who asks for Anna asks for "my sister Anna"."""
    assert told_alone(question, said) == (said, True)


JOB, HOME, MOVED = "I'm a bus driver.", "I live in Lyon.", "Actually, I live in Nice."
EXAM = "Actually, the exam is on Tuesday at 11am"
UKULELE = "I've started learning the ukulele but I'm terrible at it."


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What's my blood type?", (JOB, HOME, MOVED)),
        ("How old am I?", (EXAM,)),
        ("Where did I go to school?", (EXAM,)),
        ("What did I eat?", (EXAM,)),
        ("What is my favourite film?", (JOB, UKULELE, "I have two cats.")),
        ("What is my dentist's name?", (JOB, UKULELE, "I have a parrot called Rio.")),
    ],
)
def test_what_was_never_told_is_answered_with_nothing_sure(
    question: str, said: tuple[str, ...]
) -> None:
    """A correction, or the last line of few, is not the answer to all that is asked."""
    found = told_alone(question, *said)
    assert found is None or not found[1]


def test_a_correction_still_answers_what_it_corrects() -> None:
    """And a job is asked for in more words than one."""
    assert told_alone("Where do I live?", JOB, HOME, MOVED) == (MOVED, True)
    assert told_alone("What do I do for a living?", JOB, HOME, MOVED) == (JOB, True)
    assert told_alone("Je fais quoi dans la vie ?", "Je suis chauffeur de bus.") is not None


@pytest.mark.parametrize(
    "question", ["What's Paul's phone number?", "Where does Paul work?", "What does Paul do?"]
)
def test_the_name_alone_makes_no_answer_sure(question: str) -> None:
    """All that is told of Paul is as near to any question about him."""
    found = told_alone(question, "My brother Paul is allergic to peanuts.")
    assert found is None or not found[1]


def test_of_several_numbers_none_is_said_to_be_the_wrong_one() -> None:
    """Two children, one of them seven: it is not known which number was meant."""
    said = "j'ai deux gamins, Jules 7 ans et Margot qui rentre en CP"
    line = TalkLine(text=said, author="Zoé", at=NOON)
    assert correction_in("non, Margot a 6 ans et demi", [line]) == Correction(new="6")
