"""What was only asked, however often, stands behind the line that answers it."""

from datetime import timedelta
from itertools import cycle

import pytest

from memory.language.times.intervals import Grain
from memory.language.times.parser import Period
from memory.model.retrieval import Candidate
from memory.retrieval.askings import only_asks
from memory.retrieval.query import Query
from memory.retrieval.ranking import ranked
from tests.cast import NOON
from tests.rows import RECALL_LIMITS, asking, exchanged, said, score

ASKED = "comment s'appelle mon piano ?"
QUESTION = asking(ASKED, seen={"comment": 300, "appel": 100})
REPLIES = ("Aucune idée pour ton piano.", "Je ne sais pas.", "Comment il s'appelle, ton piano ?")


def in_order(rows: list[Candidate], asked: Query) -> list[Candidate]:
    """The rows as they are ranked at noon."""
    return ranked(score(rows, asked), NOON, RECALL_LIMITS, 60)


def standing(rows: list[Candidate], asked: Query) -> list[int]:
    """The numbers of those that no other stands for, best first."""
    return [one.id.int for one in in_order(rows, asked) if not one.duplicate]


def asked_often(times: int) -> list[Candidate]:
    """The same question day after day, the last time a moment ago, in three wordings."""
    wordings = cycle((ASKED, f"Eko, {ASKED}", "tu sais comment s'appelle mon piano ?"))
    return [
        exchanged(day + 10, next(wordings), REPLIES[day % 3], at=NOON - timedelta(days=day))
        for day in range(times)
    ]


@pytest.mark.parametrize("times", [1, 5, 25])
def test_what_answers_stands_before_every_asking_of_it(times: int) -> None:
    """However often it was asked, and whatever was replied."""
    rows = [said(1, "mon piano s'appelle Hector", at=NOON - timedelta(days=90))]
    rows += asked_often(times)
    assert standing(rows, QUESTION)[0] == 1


def test_a_question_that_was_asked_again_stands_once() -> None:
    """Where it was asked in few other words too."""
    assert len(standing(asked_often(25), QUESTION)) == 1


def test_a_question_of_the_lobby_stands_behind_its_answer() -> None:
    """It says as many of the words, and a moment ago."""
    rows = [
        said(1, "mon piano s'appelle Hector", at=NOON - timedelta(days=90)),
        said(2, "il s'appelle comment, ton piano ?", by="Mickael"),
    ]
    assert standing(rows, QUESTION) == [1, 2]


def test_other_questions_and_those_of_others_stand_themselves() -> None:
    """Each may have an answer of its own."""
    rows = [
        exchanged(1, ASKED, "Hector."),
        exchanged(2, ASKED, "Hortense.", by="Mickael"),
        exchanged(3, "qui accorde mon piano ?", "Zoé, le mardi."),
    ]
    assert sorted(standing(rows, QUESTION)) == [1, 2, 3]


def test_a_reply_that_says_what_was_looked_for_stands_itself() -> None:
    """Each time it is asked what is new, there is another answer."""
    rows = [
        exchanged(day, "quoi de neuf ?", f"{who} part en Grèce.", at=NOON - timedelta(days=day))
        for day, who in enumerate(("David", "Zoé", "Mickael"), start=1)
    ]
    assert standing(rows, asking("Grèce")) == [1, 2, 3]


def test_when_a_time_is_asked_for_every_asking_counts() -> None:
    """It may be asked what was asked then."""
    then = Period(start=NOON - timedelta(days=3), end=NOON, grain=Grain.DAY)
    assert len(standing(asked_often(9), asking(ASKED, periods=[then]))) == 9


def test_a_question_beside_which_something_is_told_is_no_mere_question() -> None:
    """What is told beside it may be the answer."""
    assert only_asks("comment s'appelle mon piano ?")
    assert not only_asks("Mon piano s'appelle Hector. Et le tien ?")
    assert not only_asks("mon piano s'appelle Hector")
    assert not only_asks("")


def test_a_long_question_tells_what_it_is_about() -> None:
    """So it stands where it stood."""
    told = "I have had five interviews since April, so how do I make more of that in my resume?"
    assert only_asks("how do I make more of that in my resume?")
    assert not only_asks(told)
