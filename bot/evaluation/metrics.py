"""How well ranked lines cover the evidence of questions: recall, MRR, NDCG, tokens. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import log2
from typing import Any

import numpy as np

TOKENS = 1000
"""The budget of `recall@1000tok`: what a model is glad to be given before a short question."""

RESAMPLES = 10_000
"""With so many, the bounds of a 95 % interval move by less than their last digit."""


@dataclass(frozen=True, slots=True)
class FoundLine:
    """One line that was found: the evidence ids it stands for, and its size as injected."""

    covers: frozenset[str]
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One question that was asked: the lines that were found for it, best first."""

    category: str
    evidence: frozenset[str]
    lines: tuple[FoundLine, ...]
    took_ms: float


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean difference and the bounds it lies between with 95 % confidence."""

    mean: float
    low: float
    high: float


def recall_at(outcome: Outcome, k: int) -> float:
    """The share of the evidence that the first `k` lines cover, in 0..1."""
    return _share(outcome.evidence, outcome.lines[:k])


def recall_within(outcome: Outcome, tokens: int) -> float:
    """The share of the evidence that the first lines cover that fit into so many tokens."""
    spent, fitting = 0, 0
    for line in outcome.lines:
        spent += line.tokens
        if spent > tokens:
            break
        fitting += 1
    return recall_at(outcome, fitting)


def reciprocal_rank(outcome: Outcome) -> float:
    """1 over the place of the first line that covers any evidence; 0 without one."""
    places = (place for place, line in enumerate(outcome.lines, 1) if _covers(outcome, line))
    return 1 / next(places, float("inf"))


def ndcg_at(outcome: Outcome, k: int) -> float:
    """Normalized discounted cumulative gain (Jarvelin and Kekalainen 2002) of `k` lines.

    A line gains 1 when it covers evidence that no line before it did.
    """
    gained, left = 0.0, set(outcome.evidence)
    for place, line in enumerate(outcome.lines[:k], start=1):
        if left & line.covers:
            gained += 1 / log2(place + 1)
            left -= line.covers
    best = sum(1 / log2(place + 1) for place in range(1, min(k, len(outcome.evidence)) + 1))
    return gained / best


MEASURES: Mapping[str, Callable[[Outcome], float]] = {
    "recall@5": lambda one: recall_at(one, 5),
    "recall@10": lambda one: recall_at(one, 10),
    "recall@20": lambda one: recall_at(one, 20),
    "mrr": reciprocal_rank,
    "ndcg@10": lambda one: ndcg_at(one, 10),
    f"recall@{TOKENS}tok": lambda one: recall_within(one, TOKENS),
}
"""What is reported of a question by name; each is in 0..1."""


def summary(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Every measure averaged over the questions, whole and by category, with the latency."""
    names = sorted({one.category for one in outcomes})
    groups = {name: [one for one in outcomes if one.category == name] for name in names}
    return {
        "n": len(outcomes),
        **_means(outcomes),
        "by_category": {name: {"n": len(group), **_means(group)} for name, group in groups.items()},
        "latency_ms": _latency([one.took_ms for one in outcomes]),
    }


def difference(
    one: Sequence[float], other: Sequence[float], *, seed: int, resamples: int = RESAMPLES
) -> Interval:
    """How much higher `one` is on average, value by value: a paired bootstrap (Efron 1979).

    Raises:
        ValueError: they are not as long as each other, or empty.

    """
    if not one or len(one) != len(other):
        raise ValueError("a paired comparison needs as many values on both sides, and at least one")
    apart = np.asarray(one, dtype=np.float64) - np.asarray(other, dtype=np.float64)
    random = np.random.default_rng(seed)
    means = [random.choice(apart, size=len(apart)).mean() for _ in range(resamples)]
    low, high = np.percentile(means, (2.5, 97.5))
    return Interval(float(apart.mean()), float(low), float(high))


def _covers(outcome: Outcome, line: FoundLine) -> bool:
    return bool(outcome.evidence & line.covers)


def _share(evidence: frozenset[str], lines: Sequence[FoundLine]) -> float:
    covered = frozenset[str]().union(*(line.covers for line in lines))
    return len(evidence & covered) / len(evidence)


def _means(outcomes: Sequence[Outcome]) -> dict[str, float]:
    return {
        name: round(float(np.mean([measure(one) for one in outcomes])), 4) if outcomes else 0.0
        for name, measure in MEASURES.items()
    }


def _latency(took_ms: Sequence[float]) -> dict[str, float]:
    if not took_ms:
        return {"p50": 0.0, "p95": 0.0}
    p50, p95 = np.percentile(took_ms, (50, 95))
    return {"p50": round(float(p50), 2), "p95": round(float(p95), 2)}
