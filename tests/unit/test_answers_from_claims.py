"""Questions about people are answered with what lines claim, in whatever words."""

from datetime import timedelta

import pytest

from bot.llm.offline.acquaintances import Asker
from bot.llm.offline.questions.answering import Answerer, FoundAnswer
from bot.llm.offline.questions.claimed import claims_in
from bot.llm.offline.questions.talk import TalkLine
from tests.cast import NOON


def answer(question: str, *lines: str, by: str = "Maya") -> FoundAnswer | None:
    """What Tom is answered after these lines of one person, a day after each other."""
    talk = [
        TalkLine(
            text=text,
            author=by,
            at=NOON - timedelta(days=len(lines) - place),
            room="lobby",
            claims=claims_in(text),
        )
        for place, text in enumerate(lines)
    ]
    return Answerer(talk, Asker(name="Tom"), ["Eko"]).answer(question)


def told(question: str, *lines: str) -> str:
    """The line that answers."""
    found = answer(question, *lines)
    assert found is not None
    return found.line.text


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("where does Maya live?", "got the keys to my flat in Leeds today, no sofa yet"),
        ("what does Maya do for a living?", "ok so i drive the school bus now, route 9"),
        ("Maya a quoi comme animal ?", "ma chienne Tchoupa a encore mangé une chaussette"),
    ],
)
def test_a_claim_answers_in_other_words_without_a_doubt(question: str, line: str) -> None:
    """It shares no word with the question but for the name."""
    found = answer(question, "hello everyone", line)
    assert found is not None
    assert (found.line.text, found.is_sure) == (line, True)


def test_what_only_looks_like_a_claim_is_at_most_a_guess() -> None:
    """A wish is told with a doubt, if at all."""
    found = answer("where does Maya live?", "if i win the lotto i'll live in Tahiti")
    assert found is None or not found.is_sure


def test_a_later_line_takes_the_place_of_what_it_ends() -> None:
    """The new value is told, and not the old one."""
    assert told(
        "where does Maya work?",
        "first month at Airbus, the canteen is great",
        "left Airbus for good, I work at the bakery on Mill Road now",
    ).endswith("Mill Road now")


def test_a_line_of_another_matter_changes_nothing() -> None:
    """However soon it is said, and however much it says that something ended."""
    lines = ("I'm a nurse at the county hospital", "I moved to York, I no longer live in Leeds")
    assert told("what is Maya's job?", *lines) == lines[0]


def test_one_liking_is_not_changed_by_another() -> None:
    """People like several things at a time."""
    lines = ("je préfère le thé au café", "j'adore la randonnée en montagne")
    assert told("est-ce que Maya préfère le thé ou le café ?", *lines) == lines[0]


def test_where_a_son_lives_is_not_where_his_father_does() -> None:
    """A claim about a relative answers no question about its author."""
    lines = ("I live in Paris", "my son lives in Lyon")
    assert told("where does Maya live?", *lines) == lines[0]
    assert told("where does Maya's son live?", *lines) == lines[1]


def test_the_words_of_a_question_count_more_than_its_slot() -> None:
    """A novel is no horse, though both are called something."""
    lines = ("my novel is called Taboukan", "my horse is called Sfowolvraxi")
    assert told("what is Maya's novel called?", *lines) == lines[0]


def test_of_two_names_the_one_of_the_very_word_is_told() -> None:
    """A kitten is near a cat; who has told of both asks for one of them."""
    lines = ("my cat is called Wolpo", "my kitten is called Druzu")
    assert told("what is Maya's cat called?", *lines) == lines[0]
    assert told("what is Maya's kitten called?", *lines) == lines[1]
    assert told("what is Maya's cat called?", lines[1]) == lines[1]


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        ("what is Maya's cat called?", ("My cat is called Nori.", "My kitten is called Pim.")),
        ("what is Maya's uncle called?", ("My uncle is called Jos.", "Mon oncle s'appelle Rik.")),
        ("what is Maya's novel called?", ("My novel is called Ferns.", "My shed is called Moss.")),
    ],
)
def test_the_very_thing_that_was_named_is_told(question: str, lines: tuple[str, str]) -> None:
    """Neither what is near it nor a translation, in whatever order they were said."""
    assert told(question, *lines) == lines[0]
    assert told(question, *reversed(lines)) == lines[0]
