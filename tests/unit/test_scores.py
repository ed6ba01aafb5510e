"""The figures of an evaluation are what their names say, worked out by hand."""

from math import log2

import pytest

from benchmarks.evaluation.metrics import (
    Examined,
    FoundLine,
    InjectedEvidence,
    Injection,
    Outcome,
    difference,
    macro_mean,
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


def examined(
    found: Outcome, *lines: InjectedEvidence, is_span: bool = False, missed: tuple[str, ...] = ()
) -> Examined:
    """A question with what was found for it, and what the model reads."""
    return Examined(found, Injection(lines=lines, is_span=is_span, missed=missed))


def line(covers: str, *, told: bool = False, holds: bool = False) -> InjectedEvidence:
    """A line the model reads, which covers its letters."""
    return InjectedEvidence(
        covers=frozenset(covers), text="x", confidence=0.9, reason="words", told=told, holds=holds
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
    both = outcome("a", evidence="a", ms=1), outcome("x", evidence="abc", ms=3)
    found = summary([examined(one) for one in both])
    assert found["n"] == 2
    assert found["recall@5"] == 0.5
    assert found["by_category"]["single-hop"]["mrr"] == 0.5
    assert found["latency_ms"] == {"p50": 2.0, "p95": 2.9}


def test_no_question_is_no_division_by_nothing() -> None:
    """A file may have none."""
    assert summary([])["recall@10"] == 0.0


def test_evidence_that_the_model_reads_answers_where_no_words_are_to_be_found() -> None:
    """Of all questions, those included whose evidence was not found."""
    found = summary(
        [
            examined(outcome("a"), line("a")),
            examined(outcome("a"), line("x")),
            examined(outcome("x")),
        ]
    )
    assert found["answer_injected"] == pytest.approx(1 / 3, abs=1e-4)
    assert found["evidence_injected"] == 0.5
    assert found["questions_with_evidence_at_20"] == 2
    assert found["injected_share"] == pytest.approx(2 / 3, abs=1e-4)
    assert found["answer_in_lines"] is None


def test_a_line_without_its_answer_does_not_answer() -> None:
    """Where the answer is a span: it was cut off, or stands in other evidence."""
    found = summary(
        [
            examined(outcome("a"), line("a", told=True, holds=True), is_span=True),
            examined(outcome("a"), line("a", told=True), is_span=True),
            examined(outcome("ab"), line("b"), is_span=True),
            examined(outcome("a"), line("x", told=True, holds=True), is_span=True),
        ]
    )
    assert found["answer_injected"] == 0.25
    assert found["evidence_injected"] == 0.75
    assert found["answer_in_lines"] == 0.5
    assert found["questions_with_answer_in_rows"] == 2


def test_evidence_behind_the_first_twenty_was_not_close() -> None:
    """Whatever became of it."""
    far = outcome(*["x"] * 20, "a")
    assert not examined(far).is_close
    assert examined(outcome(*["x"] * 19, "a")).is_close


def test_missed_deadlines_are_counted_by_question() -> None:
    """Two late sources of one question are one."""
    found = summary([examined(outcome("a"), missed=("live_text", "core")), examined(outcome("a"))])
    assert found["missed_deadlines"] == 1


def test_sets_weigh_the_same_in_their_mean() -> None:
    """A set without a figure has no part in it."""
    small = {"n": 1, "recall@10": 1.0, "answer_in_lines": None}
    large = {"n": 99, "recall@10": 0.5, "answer_in_lines": 0.25}
    assert macro_mean([small, large]) == {"recall@10": 0.75, "answer_in_lines": 0.25}


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
