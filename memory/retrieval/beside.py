"""Which rows are shown once a question is surely about something here. Pure.

Each needs signals of its own: how it stands among what was found, and what it says of the question.
A logistic regression, fitted by `benchmarks.fit_gate` on which rows were the evidence of questions;
to follow another row, or to be of a person who is named, is a little and not enough.
"""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from math import log1p
from typing import NamedTuple
from uuid import UUID

from memory.model.retrieval import Candidate
from memory.model.stores import Collection
from memory.retrieval.gate import evidence, probability, says

SHARE = 0.017
"""What share of all that is probable a row must have: a question brings five lines by it, of which
about one is evidence."""


class RowStanding(NamedTuple):
    """What speaks for a row among those that were found with it."""

    first: float
    """How near to the first it stands by its worth: less the logarithm of its place among what does
    not only ask; 0 at most."""
    worth: float
    """Its worth as a share of the best one's."""
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
    answers: float
    """`says`, where the question asks."""
    faint: float
    """How little the best one is worth: beside a great one the others are less; 0 at most."""


WEIGHTS = RowStanding(
    first=1.08,
    worth=1.47,
    meaning=0.56,
    surprise=0.44,
    says=2.08,
    about=1.35,
    stated=1.10,
    proper=3.16,
    period=1.20,
    answers=0.12,
    faint=1.34,
)
"""What each adds to the logit."""

DOUBT = -2.77
"""The logit of a row for which nothing speaks."""

_MOST_WORTH = 1.5
_NOTHING = 1e-9


def standings(candidates: Sequence[Candidate], asks: float) -> Mapping[UUID, RowStanding]:
    """What speaks for each row that needs evidence; `asks` is the question's `asks_tellingly`."""
    rows = [one for one in candidates if not (one.proven or one.duplicate)]
    rows.sort(key=lambda row: -row.worth)
    if not rows:
        return {}
    most = max(_NOTHING, rows[0].worth)
    nearest = max(_NOTHING, *(row.stands_out for row in rows))
    answering = accumulate((not row.only_asks for row in rows), initial=0)
    return {
        row.id: _standing(row, place, most, nearest, asks)
        for row, place in zip(rows, answering, strict=False)
    }


def shares(candidates: Sequence[Candidate], asks: float) -> Mapping[UUID, float]:
    """What share each row that needs evidence has of all that is probable, in 0..1.

    That it is what was asked for, against any of the others and one that would certainly be it: of
    many that are alike each is less, and one that is improbable is nothing for being alone. Who
    asked the same before takes nothing from what answers it.
    """
    found = {
        id_: probability(standing, WEIGHTS, DOUBT)
        for id_, standing in standings(candidates, asks).items()
    }
    asking = {row.id for row in candidates if row.only_asks}
    whole = 1.0 + sum(each for id_, each in found.items() if id_ not in asking)
    return {id_: each / whole for id_, each in found.items()}


def _standing(row: Candidate, place: int, most: float, nearest: float, asks: float) -> RowStanding:
    found = evidence(row, asks)
    return RowStanding(
        first=-log1p(place),
        worth=row.worth / most,
        meaning=row.stands_out / nearest,
        surprise=found.surprise,
        says=says(row),
        about=found.about,
        stated=found.about if row.collection is Collection.MEMORY else 0.0,
        proper=found.proper,
        period=row.signals.get("period", 0.0),
        answers=found.answers,
        faint=-min(_MOST_WORTH, most),
    )
