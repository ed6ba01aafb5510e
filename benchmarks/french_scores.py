"""How well a ranking answers questions: recall at a depth and the reciprocal rank. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.figures import Figures
from benchmarks.french_set import KINDS, Asked


@dataclass(frozen=True, slots=True)
class Answered:
    """A question and what was found for it: ids of statements, best first."""

    asked: Asked
    found: tuple[str, ...]

    def recall(self, depth: int) -> float:
        """The share of the answers among the first `depth` found, in 0..1."""
        return len({*self.asked.answers} & {*self.found[:depth]}) / len(self.asked.answers)

    @property
    def reciprocal_rank(self) -> float:
        """One over the rank of the first answer; 0.0 when none was found."""
        ranks = (rank for rank, id_ in enumerate(self.found, 1) if id_ in self.asked.answers)
        return 1 / next(ranks, float("inf"))


def scores(answered: Sequence[Answered]) -> Figures:
    """The figures of all the questions, of each kind, and of each pairing of languages."""
    by_kind = {kind: [one for one in answered if one.asked.kind == kind] for kind in KINDS}
    by_language = {
        "same language": [one for one in answered if not one.asked.cross_lingual],
        "cross-lingual": [one for one in answered if one.asked.cross_lingual],
    }
    return {
        **_score(answered),
        "by_kind": {name: _score(those) for name, those in by_kind.items()},
        "by_language": {name: _score(those) for name, those in by_language.items()},
    }


def _score(answered: Sequence[Answered]) -> Figures:
    return {
        "questions": len(answered),
        "recall@5": _mean([one.recall(5) for one in answered]),
        "recall@10": _mean([one.recall(10) for one in answered]),
        "mrr": _mean([one.reciprocal_rank for one in answered]),
    }


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / max(1, len(values)), 3)
