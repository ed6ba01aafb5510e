"""Two memories that were asked the same are compared fairly."""

from benchmarks.evaluation.metrics import FoundLine, Outcome
from benchmarks.side_by_side import Side, compared, ratios

MEASURED = ("recall@5", "recall@10", "recall@20", "mrr")


def outcome(*covers: str, ms: float = 1) -> Outcome:
    """What was found for a question whose evidence is `a`."""
    return Outcome(
        category="single-hop",
        evidence=frozenset("a"),
        lines=tuple(FoundLine(frozenset(each), 0) for each in covers),
        took_ms=ms,
    )


def side(*outcomes: Outcome, ingestion_ms: float = 10) -> Side:
    """A memory that kept two texts."""
    return Side(texts=2, ingestion_ms=ingestion_ms, outcomes=outcomes)


def test_a_side_has_the_mean_of_each_measure_and_its_times() -> None:
    """Ingestion is told for a thousand texts, searches by their middle and their slow end."""
    found = side(outcome("a", ms=2), outcome("x", ms=8), outcome("x", "a", ms=4)).figures()
    assert found == {
        "recall@5": 0.6667,
        "recall@10": 0.6667,
        "recall@20": 0.6667,
        "mrr": 0.5,
        "search_p50_ms": 4,
        "search_p95_ms": 8,
        "ingestion_ms_per_1000": 5000,
    }


def test_a_ratio_above_one_is_in_favour_of_eko() -> None:
    """More found, or less time taken."""
    ours = {"recall@10": 0.6, "search_p50_ms": 5.0}
    theirs = {"recall@10": 0.4, "search_p50_ms": 20.0}
    assert ratios(ours, theirs) == {"recall@10": 1.5, "search_p50_ms": 4.0}
    assert ratios(theirs, ours) == {"recall@10": 0.667, "search_p50_ms": 0.25}


def test_nothing_is_divided_by_nothing() -> None:
    """A peer that finds nothing at all is not infinitely worse."""
    assert ratios({"mrr": 0.5}, {"mrr": 0.0}) == {"mrr": None}


def test_the_interval_is_of_the_same_question_on_both_sides() -> None:
    """A steady gain keeps above zero, one by chance does not."""
    steady = compared(side(*[outcome("a")] * 20), side(*[outcome("x")] * 20))
    certain = {"mean": 1.0, "low": 1.0, "high": 1.0}
    assert steady["difference"] == dict.fromkeys(MEASURED, certain)
    mixed = [outcome("a"), outcome("x")] * 20
    chance = Side(texts=2, ingestion_ms=1, outcomes=mixed)
    other = Side(texts=2, ingestion_ms=1, outcomes=mixed[1:] + mixed[:1])
    found = compared(chance, other)["difference"]
    assert isinstance(found, dict)
    assert found["recall@10"]["low"] < 0 < found["recall@10"]["high"]


def test_the_ratios_are_read_first() -> None:
    """They are what is asked for; the figures of a busy machine drift."""
    found = compared(side(outcome("a")), side(outcome("a"), ingestion_ms=30))
    assert next(iter(found)) == "ratios"
    assert found["questions"] == 1
    assert found["ratios"] == {
        **dict.fromkeys(MEASURED, 1.0),
        "search_p50_ms": 1.0,
        "search_p95_ms": 1.0,
        "ingestion_ms_per_1000": 3.0,
    }
