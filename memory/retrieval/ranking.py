"""The order of candidates by their signals, age and use. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from typing import Literal
from uuid import UUID

import numpy as np

from memory.model.retrieval import LEAST_STEP, Candidate
from memory.retrieval.askings import LESS, asked_again
from memory.retrieval.scoring import TOLD, Scored
from memory.retrieval.weights import Numbers

RECENCY = 0.05
"""What a row of this moment gains over one of long ago: it settles what is otherwise even."""

_DAY_S = 86_400

HALF_LIFE_DAYS = 30.0
"""After this long half of that gain is left."""

USE = 0.01
"""What being used gains, by the logarithm of how often: enough to settle what is even."""

MOST_USE = 3.0
"""About 20 uses: more must not let a row rise because it has risen before."""

Fusion = Literal["rrf", "score"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much may be injected, and how sure it must be."""

    min_score: float
    max_results: int
    live_results: int
    max_tokens: int
    duplicate_similarity: float
    rrf_k: int
    fusion: Fusion = "score"


def merged(found: Iterable[Sequence[Candidate]]) -> list[Candidate]:
    """Every candidate of several lists once, with its rank in each of them."""
    rows: dict[UUID, Candidate] = {}
    for one in chain.from_iterable(found):
        known = rows.get(one.id)
        rows[one.id] = one if known is None else _joined(known, one)
    return list(rows.values())


def ranked(
    found: Scored, now: datetime, limits: Limits, most: int, in_context: int = 0
) -> list[Candidate]:
    """The best `most` candidates with their scores and what they are worth now, best first.

    Wanted ones are all among them: what answers an open question says none of its words; and so are
    the best `in_context`. What is found by its question stands behind what answers one, and where
    it is asked again, last.
    """
    fit = {"score": _by_score, "rrf": _by_rank}[limits.fusion](found, limits.rrf_k)
    worth = fit * _freshness(found.rows, now)
    worth[list(found.questions)] *= LESS
    again = asked_again(np.argsort(-worth, kind="stable").tolist(), found.rows, found.questions)
    worth[list(again)] = np.minimum(0.0, worth[list(again)] - LEAST_STEP)
    duplicates = found.duplicates | again
    meant = set(np.argsort(-found.in_context, kind="stable")[:in_context].tolist())
    order = [
        int(index)
        for place, index in enumerate(np.argsort(-worth, kind="stable"))
        if place < most or found.rows[index].is_wanted or index in meant
    ]
    return [
        replace(
            found.rows[index],
            signals=signals,
            duplicate=index in duplicates,
            only_asks=index in found.questions,
            worth=round(float(worth[index]), 4),
            surprise=round(float(found.surprise[index]), 4),
            stands_out=round(float(found.stands_out[index]), 4),
            in_context=round(float(found.in_context[index]), 4),
        )
        for index, signals in zip(order, found.of(order), strict=True)
    ]


def _joined(known: Candidate, again: Candidate) -> Candidate:
    return replace(
        known,
        sources={**known.sources, **again.sources},
        similarity=_greater(known.similarity, again.similarity),
        proven=known.proven or again.proven,
        searched_for=known.searched_for or again.searched_for,
    )


def _by_score(found: Scored, _k: int) -> Numbers:
    return found.total


def _by_rank(found: Scored, k: int) -> Numbers:
    """Reciprocal rank fusion of the signals (Cormack and others 2009); 1 is first in all of them.

    A row that its own statement or message stands for comes last, as it does by score.
    """
    signals = [added for name, added in found.signals.items() if name != TOLD and added.any()]
    fused = np.zeros(len(found.rows))
    for added in signals:
        ranks = np.empty(len(added))
        ranks[np.argsort(-added, kind="stable")] = np.arange(len(added))
        fused += np.where(added > 0, (k + 1) / (k + 1 + ranks), 0.0) / len(signals)
    fused[sorted(found.duplicates)] = 0.0
    return fused


def _freshness(rows: Sequence[Candidate], now: datetime) -> Numbers:
    """What age and use add to the worth of each row, 1 and a little more; nothing decays away."""
    days = (now.timestamp() - np.array([row.at.timestamp() for row in rows])) / _DAY_S
    uses = np.array([row.uses for row in rows])
    freshness: Numbers = 1 + RECENCY * 0.5 ** (np.maximum(days, 0.0) / HALF_LIFE_DAYS)
    freshness += USE * np.minimum(np.log1p(uses), MOST_USE)
    return freshness


def _greater(one: float | None, other: float | None) -> float | None:
    if one is None or other is None:
        return other if one is None else one
    return max(one, other)
