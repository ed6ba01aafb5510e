"""What friends propose and agree on is answered from, without a model."""

from collections.abc import Sequence
from datetime import timedelta
from io import BytesIO

import numpy as np
import pytest

from bot.llm.offline.acquaintances import Asker
from bot.llm.offline.intent import read
from bot.llm.offline.questions.answering import Answerer
from bot.llm.offline.questions.claimed import claims_in
from bot.llm.offline.questions.meaning import meaning_features
from bot.llm.offline.questions.talk import TalkLine
from bot.llm.offline.understanding import Intent, Spoken
from memory.claims.network import Network, network_in
from memory.statements.changes import Saying, changed_and_changing
from tests.cast import NOON

BOWLING = (
    ("Tom", "bowling on friday at 7, at Starlite lanes?"),
    ("Ana", "i'm in!"),
    ("Ravi", "same, i'll bring the snacks"),
    ("Ana", "my cat threw up on the rug again"),
    ("Tom", "great, see you there"),
)


def lines_of(said: Sequence[tuple[str, str]]) -> list[TalkLine]:
    """Lines of one room, an hour apart."""
    return [
        TalkLine(
            text=text,
            author=author,
            at=NOON - timedelta(hours=len(said) - place),
            room="lobby",
            by_pet=author == "Eko",
            claims=claims_in(text),
        )
        for place, (author, text) in enumerate(said)
    ]


def answer(question: str, said: Sequence[tuple[str, str]], by: str = "Ana") -> str | None:
    """The line that answers."""
    found = Answerer(lines_of(said), Asker(name=by), ["Eko"]).answer(question)
    return None if found is None else found.line.text


@pytest.mark.parametrize("question", ["when are we bowling?", "where is the bowling?"])
def test_a_proposal_answers_when_and_where(question: str) -> None:
    """Though it is asked itself."""
    assert answer(question, BOWLING) == BOWLING[0][1]


def test_who_brings_something_is_who_said_so() -> None:
    """In the line in which it was promised."""
    assert answer("who brings the snacks?", BOWLING) == BOWLING[2][1]


def test_a_question_to_the_pet_answers_nothing() -> None:
    """However near it is to what is asked again."""
    asked = [*BOWLING, ("Ravi", "where is the bowling then?"), ("Eko", "I don't know.")]
    assert answer("where's the bowling?", asked, by="Tom") == BOWLING[0][1]


def test_questions_to_the_pet_are_of_no_plan() -> None:
    """However often it was asked since, in words that sound like proposals."""
    asked = [
        *BOWLING,
        ("Ana", "so bowling on saturday at Ana's?"),
        ("Eko", "I don't know."),
        ("Tom", "are we meeting for dinner at 9 then?"),
        ("Eko", "I don't know."),
    ]
    said = lines_of(asked)
    found = Answerer(said, Asker(name="Ana"), ["Eko"]).planned("when is it again?")
    assert found is not None
    assert [one.text for one in found.lines] == [BOWLING[0][1]]


def test_what_was_changed_is_not_told_for_sure() -> None:
    """Though the earlier line says every word of the question."""
    moved = [
        ("Tom", "the bowling party is on friday at 7"),
        ("Ana", "nice"),
        ("Tom", "change of plan, saturday at 8 instead"),
    ]
    found = Answerer(lines_of(moved), Asker(name="Ana"), ["Eko"]).answer(
        "when is the bowling party?"
    )
    assert found is not None
    assert found.line.text == moved[2][1] or not found.is_sure


@pytest.mark.parametrize(
    ("asked", "question"),
    [
        ("anyone know when the party is on friday?", "when is the party?"),
        ("on se retrouve où vendredi ?", "où est-ce qu'on se retrouve ?"),
        ("ou on se voit vendredi ?", "on se voit où ?"),
    ],
)
def test_a_question_to_friends_is_no_answer(asked: str, question: str) -> None:
    """Whatever words it has in common with what is asked."""
    assert answer(question, [("Tom", asked), ("Ravi", "no idea")]) is None


@pytest.mark.parametrize(
    ("text", "names", "wish"),
    [
        ("how's Maya's grandpa doing?", ["Maya", "Tom"], Intent.QUESTION),
        ("how are you, Tom?", ["Tom", "Ana"], Intent.MANNER),
        ("will you tell me a joke?", ["Will", "Ana"], Intent.MANNER),
        ("how are you?", ["\u0301", "¨", " "], Intent.MANNER),
    ],
)
def test_only_what_names_somebody_is_asked_of_them(
    text: str, names: list[str], wish: Intent
) -> None:
    """Who is spoken to is not asked about, and a word like another's name is a word."""
    spoken = Spoken(text=text, speaker="Ana", said_at=NOON, names=names)
    assert read(spoken, called=["Eko"], locale="en").wish is wish


def test_of_lines_the_nearest_in_meaning_is_first() -> None:
    """With the line before it where it says little itself, and nothing of another room."""
    lines = lines_of([("Tom", "the dentist moved my appointment"), ("Ana", "i love pasta")])
    near, far = meaning_features("when does Tom have his teeth looked at?", lines)
    assert near["first"] == 1
    assert far["first"] == 0.5
    assert far["near with before"] > far["near"]
    assert near["near with before"] == pytest.approx(near["near"], abs=1e-6)
    assert not meaning_features("when?", [])


def test_a_line_that_ends_something_changes_it() -> None:
    """And one of something else hardly does."""
    ended, other = (
        changed_and_changing([Saying("first month at Airbus, hard work"), Saying(later)])
        for later in ("left Airbus for good, I work at a bakery now", "the cat threw up on the rug")
    )
    assert ended[0][0] > 0.5 > other[0][0]
    assert ended[0][0] == ended[1][1]


def test_a_network_is_read_as_it_was_written() -> None:
    """But for the last digits of its weights."""
    rng = np.random.default_rng(3)
    network = Network(
        names=("near", "asks"),
        mean=np.zeros(2, np.float32),
        spread=np.ones(2, np.float32),
        alone=rng.normal(size=2).astype(np.float32),
        hidden=rng.normal(size=(3, 4)).astype(np.float32),
        heard=rng.normal(size=4).astype(np.float32),
        bias=0.5,
    )
    kept = BytesIO()
    np.savez_compressed(kept, **network.written())
    kept.seek(0)
    rows = rng.normal(size=(5, 2)).astype(np.float32)
    assert network_in(kept).scores(rows) == pytest.approx(network.scores(rows), abs=0.02)
    assert network_in(BytesIO(kept.getvalue())).names == network.names
