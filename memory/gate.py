"""Whether a candidate is more than the nearest of things that do not fit. Pure.

A score orders candidates and cannot say that nothing fits: something is always first. So a row
must show evidence of its own, by what the score is made of.
"""

from math import exp

from memory.retrieval import Candidate

MIDDLE = 0.75
"""The score at which a row is as likely to fit as not."""

STEEP = 6.0
"""How fast a score becomes sure around the middle."""


def confidence(candidate: Candidate) -> tuple[float, str]:
    """How sure the candidate fits, in 0..1, and what says so."""
    if candidate.fixed:
        return 1.0, next(iter(candidate.sources), "fixed")
    if not candidate.signals:
        return 0.0, "nothing"
    says = max(candidate.signals, key=lambda signal: candidate.signals[signal])
    return 1 / (1 + exp(-STEEP * (candidate.score - MIDDLE))), says
