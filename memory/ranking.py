"""Which candidates deserve a place: fusion, evidence, diversity, budget. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import erf, log, sqrt
from uuid import UUID

import numpy as np

from memory.injection import EMPTY_BLOCK, heading_size, line_size
from memory.ports import Vectors
from memory.retrieval import Candidate, Considered, Section

CHARS_PER_TOKEN = 3.6
"""English and French chat average 3.5 to 4 characters a token; the low end keeps the budget."""

RARE_SHARE = 0.005
"""A word is rare when at most this share of all rows has it, or `RARE_ROWS` rows."""

RARE_ROWS = 3
"""In a small store every word is in a large share of the rows: a few rows are rare anyway."""

OUTLIER = 3.0
"""Standard deviations above the store's background at which a similarity is even evidence."""

TEXT_WEIGHT = 2.0
"""Words count twice as much as the offline embedder in the fusion: RRF with equal weights was
worse than full text alone on LoCoMo."""

DIVERSITY = 0.7
"""MMR's lambda: relevance against likeness to what is already chosen."""


@dataclass(frozen=True, slots=True)
class Rarity:
    """In how many of `rows` rows each stem was seen."""

    seen: Mapping[str, int]
    rows: int

    def is_rare(self, stem: str) -> bool:
        """Whether sharing this stem is evidence by itself."""
        return self.seen.get(stem, 0) <= max(RARE_ROWS, RARE_SHARE * self.rows)

    def weight(self, stem: str) -> float:
        """Inverse document frequency of a stem, over 0 (Robertson-Sparck Jones, smoothed)."""
        seen = self.seen.get(stem, 0)
        return log(1 + (max(self.rows, seen) - seen + 0.5) / (seen + 0.5))


@dataclass(frozen=True, slots=True)
class Background:
    """How similar texts that have nothing to do with a query are to it."""

    mean: float
    deviation: float

    def confidence(self, similarity: float) -> float:
        """How sure a similarity means something, in 0..1; 0.5 at `OUTLIER` deviations."""
        return 0.5 * (1 + erf((((similarity - self.mean) / self.deviation) - OUTLIER) / sqrt(2)))


def background(query: Vectors, sample: Vectors) -> Background:
    """The background of a query, from a sample of shape (n, dimension)."""
    similarities = sample @ query
    return Background(float(similarities.mean()), max(float(similarities.std()), 0.02))


def fused(rankings: Mapping[str, Sequence[Candidate]], k: int) -> list[Candidate]:
    """One list from several, each candidate once, with its rank in every source.

    Reciprocal rank fusion (Cormack, Clarke and Buettcher 2009), weighted by source.
    """
    merged: dict[str, Candidate] = {}
    for source, ranking in rankings.items():
        for rank, candidate in enumerate(ranking, start=1):
            ref = candidate.ref
            known = merged.get(ref, candidate)
            merged[ref] = replace(
                known,
                sources={**known.sources, source: rank},
                similarity=_greater(known.similarity, candidate.similarity),
                fixed=known.fixed or candidate.fixed,
            )
    return sorted(merged.values(), key=lambda one: -rank_score(one, k))


def rank_score(candidate: Candidate, k: int) -> float:
    """The fused score of a candidate from its ranks."""
    return sum(
        (TEXT_WEIGHT if source.endswith("text") else 1.0) / (k + rank)
        for source, rank in candidate.sources.items()
    )


@dataclass(frozen=True)
class Evidence:
    """What makes a candidate more than the nearest of things that do not fit."""

    stems: frozenset[str]
    rarity: Rarity
    names: frozenset[str]
    """Names of people and subjects that the question mentions, casefolded."""
    around: Background | None

    def confidence(self, candidate: Candidate, stems: frozenset[str]) -> tuple[float, str]:
        """How sure the candidate fits, in 0..1, and what says so."""
        if candidate.fixed:
            return 1.0, next(iter(candidate.sources), "fixed")
        found = [
            (self._by_words(stems), "words"),
            (self._by_name(candidate), "named"),
            (self._by_meaning(candidate), "meaning"),
        ]
        return max(found)

    @cached_property
    def _weight_asked(self) -> float:
        return sum(map(self.rarity.weight, self.stems))

    def _by_words(self, stems: frozenset[str]) -> float:
        shared = self.stems & stems
        if not shared or not self._weight_asked:
            return 0.0
        coverage = sum(map(self.rarity.weight, shared)) / self._weight_asked
        if any(map(self.rarity.is_rare, shared)):
            return 0.5 + 0.5 * coverage
        return coverage

    def _by_name(self, candidate: Candidate) -> float:
        subjects = {subject.casefold() for subject in candidate.subjects}
        return 0.5 if self.names & subjects else 0.0

    def _by_meaning(self, candidate: Candidate) -> float:
        if candidate.similarity is None or self.around is None:
            return 0.0
        return self.around.confidence(candidate.similarity)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much may be injected, and how sure it must be."""

    min_score: float
    max_results: int
    live_results: int
    max_tokens: int
    duplicate_similarity: float
    rrf_k: int


def chosen(
    candidates: Sequence[Candidate],
    confidences: Mapping[str, tuple[float, str]],
    vectors: Mapping[UUID, Vectors],
    shown: tuple[frozenset[str], Sequence[Vectors]],
    limits: Limits,
) -> list[Considered]:
    """Every candidate with its verdict, those kept first in order of choice.

    `shown` are the references and the vectors of what is in the window already.
    """
    refs, window = shown[0], np.stack(shown[1]) if shown[1] else None
    open_, verdicts = [], []
    for candidate in candidates:
        ref = candidate.ref
        confidence, reason = confidences[ref]
        if confidence < limits.min_score:
            verdicts.append(_dropped(candidate, confidence, "no evidence"))
        elif ref in refs:
            verdicts.append(_dropped(candidate, confidence, "in the window"))
        elif _resembles(vectors.get(candidate.id), window, limits.duplicate_similarity):
            verdicts.append(_dropped(candidate, confidence, "said in the window"))
        else:
            open_.append(
                Considered(candidate=candidate, score=confidence, kept=True, reason=reason)
            )
    return _within_budget(_diverse(open_, vectors, limits), limits) + verdicts


def tokens_in(text: str) -> int:
    """An estimate of the tokens of a text, rather too many than too few."""
    return _tokens(len(text))


def _tokens(chars: int) -> int:
    return -int(-chars // CHARS_PER_TOKEN)


def _diverse(
    open_: Sequence[Considered], vectors: Mapping[UUID, Vectors], limits: Limits
) -> list[Considered]:
    """Order by maximal marginal relevance (Carbonell and Goldstein 1998); drop near-copies."""
    worth = DIVERSITY * np.array(
        [one.score + rank_score(one.candidate, limits.rrf_k) for one in open_]
    )
    alike = _alike([vectors.get(one.candidate.id) for one in open_])
    likeness, picked, copies = np.zeros(len(open_)), [], []
    for _ in open_:
        best = int(np.argmax(worth - (1 - DIVERSITY) * likeness))
        worth[best] = -np.inf
        if likeness[best] > limits.duplicate_similarity:
            copies.append(replace(open_[best], kept=False, reason="says the same as another"))
            continue
        picked.append(open_[best])
        likeness = np.maximum(likeness, alike[best])
    return picked + copies


def _alike(vectors: Sequence[Vectors | None]) -> Vectors:
    """How alike each two are, shape (n, n); 0 where one of them has no vector."""
    alike = np.zeros((len(vectors), len(vectors)), dtype=np.float32)
    there = [row for row, vector in enumerate(vectors) if vector is not None]
    if there:
        known = np.stack([vector for vector in vectors if vector is not None])
        alike[np.ix_(there, there)] = known @ known.T
    return alike


def _within_budget(ordered: Sequence[Considered], limits: Limits) -> list[Considered]:
    budget = _Budget(limits)
    return [
        replace(one, kept=False, reason="over the budget")
        if one.kept and not budget.takes(one.candidate)
        else one
        for one in ordered
    ]


class _Budget:
    """What is left of the limits, counted in the characters of the block as it is written."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._sections: list[Section] = []
        self._chars = EMPTY_BLOCK

    def takes(self, candidate: Candidate) -> bool:
        """Whether there is room for this line; it is taken if there is."""
        section = candidate.section
        size = line_size(candidate)
        if section not in self._sections:
            size += heading_size(section)
        lines, live = len(self._sections), self._sections.count(Section.LIVE)
        full = lines >= self._limits.max_results
        full |= section is Section.LIVE and live >= self._limits.live_results
        if full or _tokens(self._chars + size) > self._limits.max_tokens:
            return False
        self._sections.append(section)
        self._chars += size
        return True


def _dropped(candidate: Candidate, score: float, reason: str) -> Considered:
    return Considered(candidate=candidate, score=score, kept=False, reason=reason)


def _resembles(vector: Vectors | None, window: Vectors | None, threshold: float) -> bool:
    if vector is None or window is None:
        return False
    return bool(np.max(window @ vector) > threshold)


def _greater(one: float | None, other: float | None) -> float | None:
    if one is None or other is None:
        return other if one is None else one
    return max(one, other)
