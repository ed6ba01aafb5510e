"""A ranking is scored by the answers near its top."""

from dataclasses import replace

import pytest

from benchmarks.french_scores import Answered, scores
from benchmarks.french_set import Asked
from tests.cast import NOON

ASKED = Asked(
    id="q",
    text="il bosse où Théo ?",
    asked_by="Léa",
    at=NOON,
    answers=("a", "b"),
    language="fr",
    cross_lingual=False,
    kind="plain",
    split="tune",
)


def test_recall_is_the_share_of_the_answers_above_a_depth() -> None:
    """One of two answers among the first five is a half, both among the first ten the whole."""
    answered = Answered(ASKED, ("x", "a", "y", "z", "w", "b"))
    assert answered.recall(5) == 0.5
    assert answered.recall(10) == 1


@pytest.mark.parametrize(
    ("found", "expected"), [(("a",), 1), (("x", "y", "b", "a"), 1 / 3), (("x",), 0), ((), 0)]
)
def test_the_reciprocal_rank_is_that_of_the_first_answer(
    found: tuple[str, ...], expected: float
) -> None:
    """Nothing found is worth nothing."""
    assert Answered(ASKED, found).reciprocal_rank == expected


def test_questions_count_in_their_kind_and_language() -> None:
    """And nowhere else; what was never asked is zero of zero."""
    foreign = replace(ASKED, kind="alias", cross_lingual=True)
    found = scores([Answered(ASKED, ("a", "b")), Answered(foreign, ())])
    whole = {"questions": 1, "recall@5": 1.0, "recall@10": 1.0, "mrr": 1.0}
    nothing = {"questions": 1, "recall@5": 0.0, "recall@10": 0.0, "mrr": 0.0}
    assert found["questions"] == 2
    assert found["recall@10"] == 0.5
    by_kind, by_language = found["by_kind"], found["by_language"]
    assert isinstance(by_kind, dict)
    assert (by_kind["plain"], by_kind["alias"]) == (whole, nothing)
    assert by_kind["time"] == {"questions": 0, "recall@5": 0.0, "recall@10": 0.0, "mrr": 0.0}
    assert by_language == {"same language": whole, "cross-lingual": nothing}
