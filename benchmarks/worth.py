"""What each variant finds beside the whole, with how sure the difference is. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.evaluation.metrics import MEASURES, Outcome, difference
from benchmarks.variants import WHOLE

COUNTED = ("recall@5", "recall@10", "recall@20", "mrr")
"""The measures that need no more than the places of rows."""

DECIDES = "recall@10"
"""The measure whose differences are judged."""

SEED = 5
"""The same resamples for every variant and every run."""

Scores = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Marked:
    """How well each variant answered one question; `part` is the part of the set it belongs to."""

    part: str
    scores: Mapping[str, Scores]


def scores_of(outcome: Outcome) -> Scores:
    """What one ranking is worth, by measure."""
    return {name: MEASURES[name](outcome) for name in COUNTED}


def worth(marked: Sequence[Marked]) -> dict[str, Any]:
    """The means of the whole, and for each variant its own with what it lacks of the whole.

    `difference` is the mean change of recall@10 when the variant takes the place of the whole, with
    the bounds it lies between with 95 % confidence; `better` and `worse` count questions.
    """
    names = [name for name in marked[0].scores if name != WHOLE.name]
    return {
        "questions": len(marked),
        WHOLE.name: _means(marked, WHOLE.name),
        "variants": {name: _compared(marked, name) for name in names},
    }


def _compared(marked: Sequence[Marked], name: str) -> dict[str, Any]:
    one = [each.scores[name][DECIDES] for each in marked]
    whole = [each.scores[WHOLE.name][DECIDES] for each in marked]
    apart = np.subtract(one, whole)
    found = difference(one, whole, seed=SEED)
    bounds = (found.mean, found.low, found.high)
    return {
        **_means(marked, name),
        "difference": dict(
            zip(("mean", "low", "high"), (round(each, 4) for each in bounds), strict=True)
        ),
        "better": int((apart > 0).sum()),
        "worse": int((apart < 0).sum()),
    }


def _means(marked: Sequence[Marked], name: str) -> dict[str, float]:
    return {
        measure: round(float(np.mean([each.scores[name][measure] for each in marked])), 4)
        for measure in COUNTED
    }
