"""How sure recall is that a row has to do with a question: what decides whether it is shown. Pure.

Two logistic regressions, fitted by `benchmarks.fit_gate`. The first is over what exists in every
kind of talk: the evidence of questions, and everyday lines that have nothing to do with the store
they are said to. Being the best row of a store is none of it: the nearest of a thousand rows is
near by chance.

The second says which rows are shown once a question is surely about something here. Each needs
signals of its own: how it stands among what was found, and what it says of the question. To follow
another row, or to be of a person who is named, is a little and not enough.
"""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from math import exp, log1p
from typing import NamedTuple
from uuid import UUID

from memory.language.questions.asking import share_that_asks
from memory.model.retrieval import Candidate
from memory.model.stores import Collection
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
    answers=3.61,
    surprise=1.27,
    about=5.24,
    asked_about=5.75,
    proper=9.80,
    period=2.03,
    asks=0.92,
    meaning=0.26,
    asked_meaning=0.11,
)
"""What each adds to the logit."""


DOUBT = -3.42
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


SHARE = 0.019
"""What share of all that is probable a row must have: a question brings six lines by it, of which
about one is evidence."""


class RowStanding(NamedTuple):
    """What speaks for a row among those that were found with it."""

    first: float
    """How near to the first it stands by its worth: less the logarithm of its place among what does
    not only ask; 0 at most."""
    meaning: float
    """How far its similarity stands out, as a share of what the most similar one's does."""
    surprise: float
    """`Candidate.surprise`, in 0..3."""
    says: float
    """The share of the question's weight that it and what is beside it say; in 0..1.2."""
    about: float
    """What it gains by whose it is, or whom it mentions; in 0..0.4."""
    stated: float
    """The same where it is a statement, which is about few; a message always has an author."""
    proper: float
    """What it gains for the proper nouns that it says."""
    period: float
    """What it gains for when it was said."""
    faint: float
    """How little the best one is worth: beside a great one the others are less; 0 at most."""
    context: float
    """How far it stands out with what is right beside it, as a share of what the most similar one
    does."""
    tells: float
    """What part of it asks nothing, in 0..1: a question answers none."""
    length: float
    """How much it says at all, by the logarithm of its characters: "ok" answers nothing."""


ROW_WEIGHTS = RowStanding(
    first=0.81,
    meaning=0.23,
    surprise=0.20,
    says=1.55,
    about=2.36,
    stated=0.90,
    proper=3.17,
    period=1.63,
    faint=1.31,
    context=1.41,
    tells=0.84,
    length=0.67,
)
"""What each adds to the logit."""


ROW_DOUBT = -4.48
"""The logit of a row for which nothing speaks."""


_MOST_WORTH = 1.5
_LITTLE_SAID, _MOST_SAID = 20, 300


_NOTHING = 1e-9


def standings(candidates: Sequence[Candidate], asks: float) -> Mapping[UUID, RowStanding]:
    """What speaks for each row that needs evidence; `asks` is the question's `asks_tellingly`."""
    rows = [one for one in candidates if not (one.proven or one.duplicate)]
    rows.sort(key=lambda row: -row.worth)
    if not rows:
        return {}
    most = max(_NOTHING, rows[0].worth)
    nearest = max(_NOTHING, *(row.stands_out for row in rows))
    in_context = max(_NOTHING, *(row.in_context for row in rows))
    answering = accumulate((not row.only_asks for row in rows), initial=0)
    return {
        row.id: _standing(row, place, most, (nearest, in_context), asks)
        for row, place in zip(rows, answering, strict=False)
    }


def shares(candidates: Sequence[Candidate], asks: float) -> Mapping[UUID, float]:
    """What share each row that needs evidence has of all that is probable, in 0..1.

    That it is what was asked for, against any of the others and one that would certainly be it: of
    many that are alike each is less, and one that is improbable is nothing for being alone. Who
    asked the same before takes nothing from what answers it.
    """
    found = _probable(candidates, asks)
    asking = {row.id for row in candidates if row.only_asks}
    whole = 1.0 + sum(each for id_, each in found.items() if id_ not in asking)
    return {id_: each / whole for id_, each in found.items()}


def likeliest(rows: Sequence[Candidate], asks: float, most: int) -> list[Candidate]:
    """The rows that are worth judging, in their order: the likeliest, and the proven."""
    found = _probable(rows, asks)
    best = set(sorted(found, key=lambda id_: -found[id_])[:most])
    best |= {row.id for row in rows[:most] if row.duplicate}
    return [row for row in rows if row.proven or row.id in best]


def _probable(rows: Sequence[Candidate], asks: float) -> Mapping[UUID, float]:
    """How probable it is of each row that needs evidence that it is what was asked for."""
    found = standings(rows, asks).items()
    return {id_: probability(standing, ROW_WEIGHTS, ROW_DOUBT) for id_, standing in found}


def _standing(
    row: Candidate, place: int, most: float, nearest: tuple[float, float], asks: float
) -> RowStanding:
    """What speaks for a row; `nearest` is how far the nearest stand out, alone and in context."""
    found = evidence(row, asks)
    return RowStanding(
        first=-log1p(place),
        meaning=row.stands_out / nearest[0],
        surprise=found.surprise,
        says=says(row),
        about=found.about,
        stated=found.about if row.collection is Collection.MEMORY else 0.0,
        proper=found.proper,
        period=row.signals.get("period", 0.0),
        faint=-min(_MOST_WORTH, most),
        context=row.in_context / nearest[1],
        tells=1 - share_that_asks(row.content),
        length=log1p(min(len(row.content), _MOST_SAID) / _LITTLE_SAID),
    )
