"""The figures of an evaluation are what their names say, worked out by hand."""

from math import log2

import pytest

from bot.evaluation.metrics import (
    FoundLine,
    Outcome,
    difference,
    ndcg_at,
    recall_at,
    recall_within,
    reciprocal_rank,
    summary,
)


def outcome(*covers: str, evidence: str = "ab", tokens: int = 100, ms: float = 1) -> Outcome:
    """What was found for a question: a line for each text, which covers its letters."""
    return Outcome(
        category="single-hop",
        evidence=frozenset(evidence),
        lines=tuple(FoundLine(frozenset(each), tokens) for each in covers),
        took_ms=ms,
    )


def test_recall_is_the_share_of_the_evidence_in_the_first_lines() -> None:
    """Evidence that is covered twice counts once; what lies behind does not."""
    found = outcome("a", "xa", "", "b")
    assert recall_at(found, 3) == 0.5
    assert recall_at(found, 4) == 1.0
    assert recall_at(outcome(), 10) == 0.0


def test_one_line_may_cover_all_the_evidence() -> None:
    """As a statement learned from several messages does."""
    assert recall_at(outcome("ab"), 1) == 1.0


def test_recall_within_tokens_stops_before_the_line_that_does_not_fit() -> None:
    """A later, shorter one does not slip in."""
    assert recall_within(outcome("a", "x", "b"), 300) == 1.0
    assert recall_within(outcome("a", "x", "b"), 299) == 0.5
    assert recall_within(outcome("a", "x", "b"), 99) == 0.0


def test_the_reciprocal_rank_is_that_of_the_first_evidence() -> None:
    """And 0 where there is none."""
    assert reciprocal_rank(outcome("x", "y", "b", "a")) == pytest.approx(1 / 3)
    assert reciprocal_rank(outcome("x")) == 0.0


def test_ndcg_gains_once_for_each_piece_of_evidence() -> None:
    """The same turn again, as a fact and as a message, gains nothing."""
    best = 1 + 1 / log2(3)
    assert ndcg_at(outcome("a", "b"), 10) == pytest.approx(1.0)
    assert ndcg_at(outcome("a", "a", "b"), 10) == pytest.approx((1 + 1 / log2(4)) / best)
    assert ndcg_at(outcome("x", "a", "b"), 2) == pytest.approx((1 / log2(3)) / best)


def test_questions_count_the_same_whatever_their_evidence() -> None:
    """The overall figure is a mean over questions; latencies are percentiles."""
    found = summary([outcome("a", evidence="a", ms=1), outcome("x", evidence="abc", ms=3)])
    assert found["n"] == 2
    assert found["recall@5"] == 0.5
    assert found["by_category"]["single-hop"]["mrr"] == 0.5
    assert found["latency_ms"] == {"p50": 2.0, "p95": 2.9}


def test_no_question_is_no_division_by_nothing() -> None:
    """A file may have none."""
    assert summary([])["recall@10"] == 0.0


def test_a_difference_has_an_interval_around_it() -> None:
    """A steady gain is above 0 with both bounds; the same seed says the same."""
    before = [0.0, 1.0, 0.0, 0.5] * 25
    after = [value + 0.1 for value in before]
    found = difference(after, before, seed=1, resamples=500)
    assert found.mean == pytest.approx(0.1)
    assert found.low == pytest.approx(0.1)
    assert found == difference(after, before, seed=1, resamples=500)


def test_a_difference_by_chance_reaches_over_zero() -> None:
    """As many up as down."""
    found = difference([1.0, 0.0] * 50, [0.0, 1.0] * 50, seed=1, resamples=500)
    assert found.low < 0 < found.high
    assert found.mean == 0


@pytest.mark.parametrize(("one", "other"), [([], []), ([1.0], [1.0, 2.0])])
def test_what_is_not_paired_is_refused(one: list[float], other: list[float]) -> None:
    """Rather than compared wrongly."""
    with pytest.raises(ValueError, match="paired"):
        difference(one, other, seed=1)
