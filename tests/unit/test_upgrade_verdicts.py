"""How an answer of a new version compares with the one that was kept."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from bot.topics.upgrades.verdicts import RehearsalVerdict, RehearsedQuestion, counted
from memory.model.conversations import Turn
from memory.model.messages import TurnId
from memory.model.people import PersonId
from memory.model.retrieval import RecalledLine, Section
from memory.model.rooms import RoomId

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)

UNKNOWN = "I don't know: nobody has told me."

CAT = "Ann has a cat called Biscuit"
DOG = "Ann has a dog called Rex"


def line(content: str, age: str = "2 weeks ago") -> RecalledLine:
    """One recalled line."""
    return RecalledLine(section=Section.MEMORY, content=content, age=age, said_by="Ann")


def rehearsed(
    then: tuple[str, ...], replied: str, now: tuple[str, ...], replies: str | None
) -> RehearsedQuestion:
    """A question with what was recalled and replied then, and now."""
    turn = Turn(
        id=TurnId(UUID(int=1)),
        session="s",
        room=RoomId("web:ann"),
        person=PersonId("ann"),
        speaker="Ann",
        text="What is my cat called?",
        recalled=tuple(map(line, then)),
        reply=replied,
        expression="happy",
        parts_sent=1,
        asked_at=NOON,
        at=NOON,
    )
    lines = tuple(line(one, age="3 weeks ago") for one in now)
    return RehearsedQuestion(then=turn, lines=lines, reply=replies, admissions=frozenset({UNKNOWN}))


@pytest.mark.parametrize(
    ("then", "replied", "now", "replies", "verdict"),
    [
        ((CAT, DOG), "Biscuit.", (DOG, CAT), "Biscuit.", RehearsalVerdict.SAME),
        ((CAT,), "Biscuit.", (CAT,), "It is Biscuit.", RehearsalVerdict.CHANGED),
        ((CAT, DOG), "Biscuit.", (CAT,), "Biscuit.", RehearsalVerdict.CHANGED),
        ((), UNKNOWN, (CAT,), "Biscuit.", RehearsalVerdict.CHANGED),
        ((CAT,), "Biscuit.", (), UNKNOWN, RehearsalVerdict.WORSE),
        ((CAT,), "Biscuit.", (CAT,), f"{UNKNOWN}\n\nI answer by rules.", RehearsalVerdict.WORSE),
        ((CAT,), "Biscuit.", (CAT,), "", RehearsalVerdict.WORSE),
        ((CAT,), "Biscuit.", (CAT,), None, RehearsalVerdict.SAME),
        ((CAT,), "Biscuit.", (DOG,), None, RehearsalVerdict.CHANGED),
        ((CAT, DOG), "Biscuit.", (DOG,), None, RehearsalVerdict.WORSE),
        ((CAT,), "Biscuit.", (CAT, DOG), None, RehearsalVerdict.CHANGED),
    ],
)
def test_less_in_place_of_something_is_worse(
    then: tuple[str, ...],
    replied: str,
    now: tuple[str, ...],
    replies: str | None,
    verdict: RehearsalVerdict,
) -> None:
    """The order and the age of lines are nothing; without a reply the lines decide."""
    assert rehearsed(then, replied, now, replies).verdict is verdict


def test_what_is_shown_has_both_answers_and_the_lines_by_when_they_were_recalled() -> None:
    """As they stood before the model, with who said them."""
    shown = rehearsed((CAT,), "Biscuit.", (DOG,), "Rex.").shown
    assert shown["lost"] == [f"{CAT} (2 weeks ago, said by Ann)"]
    assert shown["gained"] == [f"{DOG} (3 weeks ago, said by Ann)"]
    assert (shown["kept"], shown["replied"], shown["replies"]) == ([], "Biscuit.", "Rex.")


def test_every_verdict_is_counted() -> None:
    """Also the ones that no question has."""
    same = rehearsed((CAT,), "Biscuit.", (CAT,), "Biscuit.")
    assert counted([same, same]) == {"same": 2, "changed": 0, "worse": 0}
