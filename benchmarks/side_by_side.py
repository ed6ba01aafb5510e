"""Compares two memories that were asked the same questions: scores, times, ratios. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from benchmarks.evaluation.metrics import MEASURES, Outcome, difference
from benchmarks.figures import Figures, percentile

COMPARED = ("recall@5", "recall@10", "recall@20", "mrr")
"""What is compared; tokens are not, since a peer injects nothing."""

SEED = 1
"""Of the bootstrap, so that the same answers give the same interval."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """What one memory did: how long it took to keep all texts, and what it found."""

    texts: int
    ingestion_ms: float
    outcomes: Sequence[Outcome]

    def values(self, measure: str) -> list[float]:
        """One measure of every question, in order."""
        return [MEASURES[measure](one) for one in self.outcomes]

    def figures(self) -> dict[str, float]:
        """The mean of each measure, and the times in milliseconds."""
        took_ms = [one.took_ms for one in self.outcomes]
        return {
            **{name: round(_mean(self.values(name)), 4) for name in COMPARED},
            "search_p50_ms": round(percentile(took_ms, 0.50), 2),
            "search_p95_ms": round(percentile(took_ms, 0.95), 2),
            "ingestion_ms_per_1000": round(self.ingestion_ms * 1000 / max(1, self.texts), 1),
        }


def compared(eko: Side, mem0: Side) -> Figures:
    """The ratios first, then how sure the difference of recalls is, then both sides.

    Each ratio is above 1 where Eko does better: more is found, or less time is taken.
    """
    ours, theirs = eko.figures(), mem0.figures()
    return {
        "ratios": ratios(ours, theirs),
        "difference": {name: _interval(eko.values(name), mem0.values(name)) for name in COMPARED},
        "questions": len(eko.outcomes),
        "texts": eko.texts,
        "eko": ours,
        "mem0": theirs,
    }


def ratios(ours: Mapping[str, float], theirs: Mapping[str, float]) -> dict[str, float | None]:
    """How many times better Eko is in each figure; None where nothing can be divided by."""
    return {name: _gain(name, ours[name], theirs[name]) for name in ours}


def _gain(name: str, ours: float, theirs: float) -> float | None:
    """More is better where it is found, less where it is time."""
    return _quotient(ours, theirs) if name in COMPARED else _quotient(theirs, ours)


def _quotient(above: float, below: float) -> float | None:
    return round(above / below, 3) if below else None


def _interval(ours: Sequence[float], theirs: Sequence[float]) -> dict[str, float]:
    """How much more Eko finds, with the bounds of a 95 % interval (paired bootstrap)."""
    found = asdict(difference(ours, theirs, seed=SEED))
    return {name: round(value, 4) for name, value in found.items()}


def _mean(values: Sequence[float]) -> float:
    return sum(values) / max(1, len(values))
