"""What a group arranges is read from lines that only mean something in their place."""

from collections.abc import Sequence

import pytest

from bot.llm.offline.acquaintances import Asker
from bot.llm.offline.plans.answering import PlanAnswer
from bot.llm.offline.plans.roles import PlanRole, roles_of
from bot.llm.offline.plans.standing import Plan, PlanPart, plans_in
from bot.llm.offline.questions.answering import Answerer
from tests.unit.test_plan_answers import lines_of

PICNIC = (
    ("Tom", "picnic at the lake on sunday?"),
    ("Ana", "yes! i'm in"),
    ("Ravi", "count me in"),
    ("Zoe", "what time?"),
    ("Tom", "let's say 2pm"),
    ("Zoe", "sorry, i can't make it on sunday"),
    ("Ana", "i'll bring the salad"),
    ("Ravi", "did you see the match last night"),
    ("Tom", "they closed the lake, let's meet at the park instead"),
    ("Ravi", "fine by me"),
)

FRENCH = (
    ("Tom", "pique-nique au lac dimanche ?"),
    ("Ana", "oui, j'en suis"),
    ("Zoé", "à quelle heure ?"),
    ("Tom", "disons 14h"),
    ("Zoé", "désolée, je peux pas venir dimanche"),
    ("Ana", "j'apporte la salade"),
    ("Tom", "le lac est fermé, on se retrouve au parc finalement"),
)


def plan_of(said: Sequence[tuple[str, str]]) -> Plan:
    """The one plan of a talk."""
    (plan,) = plans_in(lines_of(said))
    return plan


def planned(question: str, said: Sequence[tuple[str, str]], by: str = "Ana") -> PlanAnswer | None:
    """What the plan of a talk tells."""
    return Answerer(lines_of(said), Asker(name=by), ["Eko"]).planned(question)


def texts_told(question: str, said: Sequence[tuple[str, str]], by: str = "Ana") -> list[str]:
    """The lines that tell it."""
    found = planned(question, said, by)
    return [] if found is None else [one.text for one in found.lines]


@pytest.mark.parametrize(
    ("said", "day", "clock", "place"), [(PICNIC, 0, 4, 8), (FRENCH, 0, 3, 6)], ids=["en", "fr"]
)
def test_a_plan_stands_as_its_latest_lines_tell(
    said: Sequence[tuple[str, str]], day: int, clock: int, place: int
) -> None:
    """Each part by itself: a new place leaves the day and the time."""
    parts = {part: line.text for part, line in plan_of(said).parts.items()}
    assert parts == {
        PlanPart.DAY: said[day][1],
        PlanPart.CLOCK: said[clock][1],
        PlanPart.PLACE: said[place][1],
    }


def test_who_agrees_comes_and_who_declines_does_not() -> None:
    """The last word of each counts."""
    plan = plan_of(PICNIC)
    assert set(plan.coming) == {"tom", "ana", "ravi"}
    assert set(plan.away) == {"zoe"}
    back = plan_of([*PICNIC, ("Zoe", "ok i can come now, count me in!")])
    assert "zoe" in back.coming
    assert "zoe" not in back.away


def test_what_is_brought_is_told_by_who_brings_it() -> None:
    """Asked by themself, or by others with their name."""
    assert texts_told("what am i meant to bring?", PICNIC) == [PICNIC[6][1]]
    assert texts_told("what does Ana bring?", PICNIC, by="Tom") == [PICNIC[6][1]]
    assert texts_told("what does Ravi bring?", PICNIC, by="Tom") == []


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("when is it again?", [0, 4]),
        ("what time does it start?", [0, 4]),
        ("where are we meeting?", [8]),
        ("where do i go?", [8]),
    ],
)
def test_a_question_of_no_words_of_its_own_is_about_the_plan(
    question: str, told: Sequence[int]
) -> None:
    """Of the lines that tell it, those of other matters are none."""
    assert texts_told(question, PICNIC) == [PICNIC[at][1] for at in told]


@pytest.mark.parametrize("question", ["on se retrouve où ?", "on mange où dimanche ?"])
def test_a_french_question_is_about_the_plan_too(question: str) -> None:
    """By "on", or by the words of the plan."""
    assert texts_told(question, FRENCH) == [FRENCH[6][1]]


def test_who_comes_is_told_by_their_lines() -> None:
    """With who does not."""
    found = planned("who's coming?", PICNIC)
    assert found is not None
    assert {one.author for one in found.coming} == {"Tom", "Ana", "Ravi"}
    assert [one.author for one in found.away] == ["Zoe"]
    missing = planned("who can't come?", PICNIC)
    assert missing is not None
    assert [one.author for one in missing.away] == ["Zoe"]
    assert not missing.coming


@pytest.mark.parametrize(
    "question",
    [
        "when is my dentist appointment?",
        "where does Ines live?",
        "what is your name?",
        "when is my sister's wedding?",
        "why is the sky blue?",
    ],
)
def test_no_plan_answers_what_it_is_not_about(question: str) -> None:
    """Another's matter, the pet's, or the asker's own."""
    assert planned(question, PICNIC) is None


def test_a_plan_that_was_called_off_says_so() -> None:
    """Beside what was arranged."""
    off = [*PICNIC, ("Tom", "guys we have to cancel sunday, it's pouring")]
    found = planned("where are we meeting?", off)
    assert found is not None
    assert found.called_off is not None
    assert found.called_off.text == off[-1][1]


def test_talk_without_a_plan_has_none() -> None:
    """Nothing is proposed in it."""
    said = [("Tom", "the build is broken again"), ("Ana", "ok"), ("Tom", "works now, thanks")]
    assert plans_in(lines_of(said)) == []
    assert planned("when is it again?", said) is None


def test_roles_of_nothing_are_none() -> None:
    """And each line has a chance for every role."""
    assert roles_of([]) == []
    (alone,) = roles_of(lines_of([("Tom", "cinema on friday?")]))
    assert set(alone) == set(PlanRole)
    assert alone[PlanRole.PROPOSES] > alone[PlanRole.DECLINES]
