"""Whether a candidate is more than the nearest of things that do not fit. Pure.

A score orders candidates and cannot say that nothing fits: something is always first. So a row
must show evidence: how well it fits, and how much was asked for that it says. The curve is a
logistic regression on what fits (evidence of LoCoMo's questions, conversations 1-5) against what
does not (the best row for a line of #ubuntu, a channel that speaks of no such things). It is in
units of the store itself: rarity among its rows, deviations from its own background.
"""

from math import exp

from memory.model.retrieval import Candidate
from memory.retrieval.query import Query

FIT = 8.2
"""What a score of 1 adds to the logit."""

INFORMATION = 1.85
"""What a whole rare word adds to it: "help" is all of a question and says next to nothing."""

MOST_INFORMATION = 1.5
"""Past this a long line would be evidence for whatever shares a few of its words."""

DOUBT = -7.5
"""The logit of a row that shows nothing."""


def confidence(candidate: Candidate, asked: Query) -> tuple[float, str]:
    """How sure the candidate fits, in 0..1, and what says so."""
    if candidate.proven:
        return 1.0, next(iter(candidate.sources), "proven")
    if not candidate.signals:
        return 0.0, "nothing"
    says = max(candidate.signals, key=lambda signal: candidate.signals[signal])
    logit = DOUBT + FIT * candidate.score + INFORMATION * _information(candidate, asked)
    return 1 / (1 + exp(-logit)), says


def _information(candidate: Candidate, asked: Query) -> float:
    """What the words it says are worth, in 0..1.5: 1 is one word that no other row has."""
    said = candidate.signals.get("words", 0.0) * asked.weight
    return min(MOST_INFORMATION, said / asked.counts.rarity.weight(""))
