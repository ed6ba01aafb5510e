"""How sure recall is that a row has to do with a question: what decides whether it is shown. Pure.

A logistic regression over what exists in every kind of talk, fitted by `benchmarks.fit_gate` on the
evidence of questions and on everyday lines that have nothing to do with the store they are said to.
Being the best row of a store is none of it: the nearest of a thousand rows is near by chance.
"""

from collections.abc import Sequence
from math import exp
from typing import NamedTuple

from memory.model.retrieval import Candidate
from memory.retrieval.query import Query


class Evidence(NamedTuple):
    """What speaks for a row, each in a unit that means the same in every store."""

    answers: float
    """The share of the question's weight that it and what is beside it say, where it asks; 0..1.2.
    """
    surprise: float
    """`Candidate.surprise`, in 0..3."""
    about: float
    """What it gains by whose it is, or whom it mentions; in 0..0.4."""
    asked_about: float
    """The same where the question asks."""
    proper: float
    """What it gains for the proper nouns that it says."""
    period: float
    """What it gains for when it was said, if it says anything of the question or is about whom it
    names: a day fits all that was said on it."""
    asks: float
    """`Query.asks_tellingly`."""
    meaning: float
    """How many deviations its similarity stands out of the store's background beyond `NEAR`."""
    asked_meaning: float
    """The same where the question asks."""


WEIGHTS = Evidence(
    answers=3.84,
    surprise=1.48,
    about=5.28,
    asked_about=5.45,
    proper=11.35,
    period=2.32,
    asks=1.20,
    meaning=0.30,
    asked_meaning=0.12,
)
"""What each adds to the logit."""

DOUBT = -3.95
"""The logit of a row for which nothing speaks; at 0.5 one in twenty of unrelated lines brings
something."""

NEAR = 2.0
"""Deviations that one row of twenty has by chance."""

_MOST_SURPRISE, _ONE_PERSON, _MOST_NEAR = 3.0, 0.4, 6.0


def confidence(candidate: Candidate, asked: Query) -> tuple[float, str]:
    """How sure it is that the candidate fits, in 0..1, and what says so most."""
    if candidate.proven:
        return 1.0, next(iter(candidate.sources), "proven")
    if not candidate.signals:
        return 0.0, "nothing"
    most = max(candidate.signals, key=lambda signal: candidate.signals[signal])
    found = evidence(candidate, asked.asks_tellingly)
    return probability(found, WEIGHTS, DOUBT), most


def probability(found: Sequence[float], weights: Sequence[float], doubt: float) -> float:
    """What a logistic regression makes of features, in 0..1."""
    logit = doubt + sum(each * weight for each, weight in zip(found, weights, strict=True))
    return 1 / (1 + exp(-logit))


def says(candidate: Candidate) -> float:
    """The share of the question's weight that a row and what is beside it say, in 0..1.2."""
    return min(1.2, candidate.signals.get("words", 0.0))


def evidence(candidate: Candidate, asks: float) -> Evidence:
    """What speaks for a candidate before a question; `asks` is its `asks_tellingly`."""
    gained = candidate.signals.get
    about = min(_ONE_PERSON, gained("named", 0.0))
    near = min(_MOST_NEAR, max(0.0, candidate.stands_out - NEAR))
    return Evidence(
        answers=asks * says(candidate),
        surprise=min(_MOST_SURPRISE, candidate.surprise),
        about=about,
        asked_about=about * asks,
        proper=gained("proper", 0.0),
        period=gained("period", 0.0) if gained("words", 0.0) or about else 0.0,
        asks=asks,
        meaning=near,
        asked_meaning=near * asks,
    )
