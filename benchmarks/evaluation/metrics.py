"""How well lines cover the evidence of questions: recall, MRR, what the model reads. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import log2
from typing import Any

import numpy as np

CLOSE = 20
"""Evidence among so many lines was there to be injected."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class InjectedEvidence:
    """One line as the model reads it: what it stands for, and how sure recall was of it.

    `told` says whether the answer stands in the row, `holds` whether it stands in the line too.
    """

    covers: frozenset[str]
    text: str
    confidence: float
    reason: str
    told: bool
    holds: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Injection:
    """What was put before the model for one question.

    `is_span` says whether the answer stands in the evidence word for word; `missed` are the
    deadlines that were missed, by the names of what was late.
    """

    lines: tuple[InjectedEvidence, ...]
    is_span: bool
    missed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Examined:
    """One question with what was found for it, and what of that the model reads."""

    outcome: Outcome
    injection: Injection

    @property
    def is_close(self) -> bool:
        """Whether any evidence is among the first lines that were found."""
        return recall_at(self.outcome, CLOSE) > 0

    @property
    def evidence(self) -> tuple[InjectedEvidence, ...]:
        """The lines the model reads that stand for evidence."""
        wanted = self.outcome.evidence
        return tuple(line for line in self.injection.lines if line.covers & wanted)

    @property
    def is_answered(self) -> bool:
        """Whether the model reads evidence, with the answer where that is a span of it."""
        if self.injection.is_span:
            return any(line.holds for line in self.evidence)
        return bool(self.evidence)


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


def summary(examined: Sequence[Examined]) -> dict[str, Any]:
    """Every measure averaged over the questions, whole and by category, with the latency."""
    names = sorted({one.outcome.category for one in examined})
    groups = {name: [one for one in examined if one.outcome.category == name] for name in names}
    return {
        **_figures(examined),
        "by_category": {name: _figures(group) for name, group in groups.items()},
        "latency_ms": _latency([one.outcome.took_ms for one in examined]),
    }


def macro_mean(sets: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """The mean of each share over the sets that have it, whatever their sizes."""
    shares = dict.fromkeys(
        name for one in sets for name, value in one.items() if isinstance(value, float)
    )
    return {name: _mean([one[name] for one in sets if one[name] is not None]) for name in shares}


def injection_figures(examined: Sequence[Examined]) -> dict[str, Any]:
    """What of the evidence reaches the model, as shares of the questions named beside them."""
    close = [one for one in examined if one.is_close]
    told = [one for one in examined if any(line.told for line in one.evidence)]
    return {
        "answer_injected": _mean([one.is_answered for one in examined]),
        "evidence_at_20": _mean([one.is_close for one in examined]),
        "evidence_injected": _mean([bool(one.evidence) for one in close]),
        "questions_with_evidence_at_20": len(close),
        "answer_in_lines": _mean([any(line.holds for line in one.evidence) for one in told])
        if told
        else None,
        "questions_with_answer_in_rows": len(told),
        "injected_share": _mean([bool(one.injection.lines) for one in examined]),
        "missed_deadlines": sum(bool(one.injection.missed) for one in examined),
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


def _figures(examined: Sequence[Examined]) -> dict[str, Any]:
    return {
        "n": len(examined),
        **injection_figures(examined),
        **_means([one.outcome for one in examined]),
    }


def _covers(outcome: Outcome, line: FoundLine) -> bool:
    return bool(outcome.evidence & line.covers)


def _share(evidence: frozenset[str], lines: Sequence[FoundLine]) -> float:
    covered = frozenset[str]().union(*(line.covers for line in lines))
    return len(evidence & covered) / len(evidence)


def _mean(values: Sequence[float]) -> float:
    return round(float(np.mean(values)), 4) if values else 0.0


def _means(outcomes: Sequence[Outcome]) -> dict[str, float]:
    return {name: _mean([measure(one) for one in outcomes]) for name, measure in MEASURES.items()}


def _latency(took_ms: Sequence[float]) -> dict[str, float]:
    if not took_ms:
        return {"p50": 0.0, "p95": 0.0}
    p50, p95 = np.percentile(took_ms, (50, 95))
    return {"p50": round(float(p50), 2), "p95": round(float(p95), 2)}
