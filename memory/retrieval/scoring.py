"""How well each candidate fits what was asked, signal by signal. Pure.

Words are weighed as BM25 does (Robertson and Zaragoza 2009), but a row also speaks for its
neighbours in the conversation, as in positional language models (Lv and Zhai 2009), and a lobby
message for the statements that were learnt from it (document expansion, Nogueira et al. 2019).
Every signal is in one unit, the share of the question's weight that a row says, so that they add
up and can be compared from one question to the next. `benchmarks/README.md` has what each is worth.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
from types import MappingProxyType
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from memory.language.text import fold, stems
from memory.language.times.intervals import Grain
from memory.language.times.parser import Period
from memory.model.retrieval import LEAST_STEP, Candidate, Company
from memory.model.statements import MemoryId
from memory.model.stores import Collection
from memory.ports import Vectors
from memory.retrieval.askings import Questions, found_by_question
from memory.retrieval.background import Background
from memory.retrieval.query import Names, Query
from memory.retrieval.spreading_activation import Reaching, spread
from memory.retrieval.weights import Numbers, Weights
from memory.retrieval.word_scores import Links, WordScores

Meanings = Mapping[UUID, Vectors]
"""The embeddings of candidates by their ids, as far as they have one; shape (dimension,) each."""

TOLD = "told"
"""The signal of a statement or a message that stands for the other one, its duplicate."""

EXACT: Mapping[Grain, float] = {
    Grain.MOMENT: 1.0,
    Grain.DAY: 1.0,
    Grain.WEEK: 0.8,
    Grain.MONTH: 0.8,
    Grain.SEASON: 0.4,
    Grain.YEAR: 0.2,
}
"""What a period counts by how exact it is: much was said in a year."""

_CACHED = 16_384
"""Names that are remembered folded: those of a lively room fit in this."""

_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)

BESIDE: Mapping[Grain, tuple[timedelta, timedelta]] = {
    Grain.MOMENT: (3 * _HOUR, 3 * _HOUR),
    Grain.DAY: (_DAY, _DAY),
    Grain.WEEK: (_DAY, 3 * _DAY),
    Grain.MONTH: (0 * _DAY, 7 * _DAY),
    Grain.SEASON: (0 * _DAY, 14 * _DAY),
    Grain.YEAR: (0 * _DAY, 21 * _DAY),
}
"""How far before and after a period what happened in it may have been told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """Candidates with what each signal adds to the score of each; arrays of shape (rows,).

    `surprise` is how unlikely each says what it says by chance, `stands_out` by how many deviations
    its similarity is above the background, `in_context` the same of it together with what is right
    beside it. `duplicates` are the places of
    those that another of them stands for, `questions` those of rows that are found by what they
    ask.
    """

    rows: Sequence[Candidate]
    signals: Mapping[str, Numbers]
    surprise: Numbers
    stands_out: Numbers
    in_context: Numbers
    duplicates: frozenset[int] = frozenset()
    questions: Questions = field(default_factory=dict)

    @property
    def total(self) -> Numbers:
        """The score of each row, as `Candidate.score` has it."""
        total = _sum(self.signals, len(self.rows))
        back = sorted(self.duplicates)
        total[back] = np.minimum(0.0, total[back] - LEAST_STEP)
        return total

    def of(self, indices: Sequence[int]) -> list[dict[str, float]]:
        """What adds to the score of each of these rows, by signal."""
        if not indices:
            return []
        names = tuple(self.signals)
        added = np.round(np.stack([self.signals[name][indices] for name in names], axis=1), 4)
        return [
            {name: value for name, value in zip(names, row, strict=True) if value}
            for row in added.tolist()
        ]


def scored(
    rows: Sequence[Candidate],
    asked: Query,
    around: Background | None,
    company: Company,
    weights: Weights,
    *,
    meanings: Meanings = MappingProxyType({}),
) -> Scored:
    """How well each of the candidates fits, signal by signal."""
    place = {row.id: index for index, row in enumerate(rows)}
    links = Links.of(company, place)
    words = WordScores(asked, rows, weights)
    stands_out = _stands_out(rows, asked, around, meanings)
    meaning = _meaning(np.maximum(0.0, stands_out - weights.meaning_from), links, weights)
    signals = {"words": words.score(links), "meaning": meaning}
    fits = (signals["words"] + signals["meaning"]) > 0
    found = fits | np.array([row.collection is not Collection.LIVE for row in rows], dtype=bool)
    people = [_people(row) for row in rows]
    signals["named"] = np.where(found, _named(people, words.spoken, asked.named, weights), 0.0)
    signals["proper"] = weights.proper * _says(words.spoken, asked.proper)
    of_asker = _of(people, asked.speaker) * ~_of_namesakes(rows, asked)
    signals["speaker"] = weights.speaker * np.where(found, of_asker, 0.0)
    signals["period"] = weights.period * _timely(rows, asked.periods)
    signals["recent"] = np.where(fits, (1 - asked.asks) * _recent(rows, weights), 0.0)
    signals["tied"] = weights.tied * _tied(signals, rows, company, weights)
    total = _sum(signals, len(rows))
    twice = _told_twice(words.own(), rows, links)
    signals[TOLD] = _gained(total, twice)
    return Scored(
        rows=rows,
        signals=signals,
        surprise=words.surprise(),
        stands_out=stands_out,
        in_context=_in_context(rows, asked, around, links, meanings),
        duplicates=_duplicates(twice),
        questions=found_by_question(rows, words.spoken, asked),
    )


def _sum(signals: Mapping[str, Numbers], rows: int) -> Numbers:
    return sum(signals.values(), np.zeros(rows))


def _stands_out(
    rows: Sequence[Candidate], asked: Query, around: Background | None, meanings: Meanings
) -> Numbers:
    """By how many deviations the similarity of each row is above the background, shape (rows,).

    What only its words have found is compared, too.
    """
    if around is None:
        return np.zeros(len(rows))

    vector, alike = asked.vector, [row.similarity for row in rows]
    if vector is not None:
        compared = {id_: float(own @ vector) for id_, own in meanings.items()}
        alike = [
            compared.get(row.id) if one is None else one
            for row, one in zip(rows, alike, strict=True)
        ]
    return np.array([0.0 if one is None else max(0.0, around.deviations(one)) for one in alike])


def _in_context(
    rows: Sequence[Candidate],
    asked: Query,
    around: Background | None,
    links: Links,
    meanings: Meanings,
) -> Numbers:
    """How far each row stands out together with what was said beside it, shape (rows,).

    An answer often means little without what it answers: it and the mean of its neighbours count
    as one text, each as much as the other.
    """
    if around is None or asked.vector is None or not meanings:
        return np.zeros(len(rows))
    nothing = np.zeros_like(asked.vector)
    own = np.stack([meanings.get(row.id, nothing) for row in rows])
    beside = np.zeros_like(own)
    source, row, _ = links.near.T
    np.add.at(beside, row, own[source])
    both = _unit(own + _unit(beside))
    found: Numbers = np.maximum(0.0, (both @ asked.vector - around.mean) / around.deviation)
    return np.where(own.any(axis=1), found, 0.0)


def _unit(vectors: Vectors) -> Vectors:
    """Each vector with a length of 1; what is 0 stays 0."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Vectors = vectors / np.maximum(lengths, 1e-9)
    return unit


def _meaning(similar: Numbers, links: Links, weights: Weights) -> Numbers:
    """What similarity adds to the score of each row, with what neighbours and statements lend."""
    own = similar.copy()
    for memory, message in links.told:
        own[message] = max(own[message], weights.meaning_told * similar[memory])
    lent = own.copy()
    source, row, _ = links.near[np.abs(links.near[:, 2]) == 1].T
    np.add.at(lent, row, weights.meaning_near * own[source])
    return weights.meaning * lent


def _named(
    people: Sequence[Names],
    spoken: Sequence[Sequence[str]],
    named: Sequence[Names],
    weights: Weights,
) -> Numbers:
    """What rows gain by whose they are, or whom they mention."""
    if not named:
        return np.zeros(len(people))
    spelt = frozenset(stem for names in named for name in names for stem in stems(name))
    told = np.array([sum(1 for names in named if names & whose) for whose in people])
    mentioned = np.array([not spelt.isdisjoint(stems_) for stems_ in spoken])
    gained = weights.named * (1 + weights.named_too * (told - 1))
    return np.where(told > 0, gained, weights.mentioned * mentioned)


def _of(people: Sequence[Names], names: Names) -> Numbers:
    """1 for what is of a person with one of these names, shape (rows,)."""
    if not names:
        return np.zeros(len(people))
    return np.array([bool(names & whose) for whose in people], dtype=np.float64)


def _of_namesakes(rows: Sequence[Candidate], asked: Query) -> NDArray[np.bool_]:
    """Which rows are of others who have a name of who asks, shape (rows,)."""
    if asked.asker is None:
        return np.zeros(len(rows), dtype=bool)
    return np.array([_is_of_namesake(row, asked) for row in rows], dtype=bool)


def _is_of_namesake(row: Candidate, asked: Query) -> bool:
    teller = row.author_id or row.teller
    return teller not in (None, asked.asker) and fold(row.author or "") in asked.speaker


def _says(spoken: Sequence[Sequence[str]], proper: frozenset[str]) -> Numbers:
    """What share of these stems each row says, shape (rows,)."""
    if not proper:
        return np.zeros(len(spoken))
    return np.array([len(proper.intersection(stems_)) for stems_ in spoken]) / len(proper)


def _people(row: Candidate) -> Names:
    """Whose a row is: a message of who wrote it, a statement of its subjects."""
    return _folded(row.subjects or (row.author or "",))


@lru_cache(maxsize=_CACHED)
def _folded(names: tuple[str, ...]) -> Names:
    return frozenset(map(fold, names))


def _timely(rows: Sequence[Candidate], periods: Sequence[Period]) -> Numbers:
    if not periods:
        return np.zeros(len(rows))
    return np.array([_within(row, periods) for row in rows])


def _within(row: Candidate, periods: Sequence[Period]) -> float:
    return max((_closeness(row.at, period) for period in periods), default=0.0)


def _closeness(at: datetime, period: Period) -> float:
    exact = EXACT[period.grain]
    if period.start <= at < period.end:
        return exact
    before, after = BESIDE[period.grain]
    return exact / 2 if period.start - before <= at < period.end + after else 0.0


def _recent(rows: Sequence[Candidate], weights: Weights) -> Numbers:
    """What each row gains for how few of those that were found came after it.

    Rows are counted and not hours: what was said last in a quiet room is weeks old.
    """
    at = np.array([row.at.timestamp() for row in rows])
    later = np.searchsorted(np.sort(-at), -at)
    gained: Numbers = weights.recent * np.exp(-later / weights.recent_rows)
    return gained


def _tied(
    signals: Mapping[str, Numbers], rows: Sequence[Candidate], company: Company, weights: Weights
) -> Numbers:
    """What statements gain from those they are tied to, by how well these fit."""
    if not company.ties:
        return np.zeros(len(rows))
    fits = _sum(signals, len(rows))
    ends = {end for one in company.ties for end in (one.start, one.end)}
    seeds = {
        MemoryId(row.id): float(fits[index]) for index, row in enumerate(rows) if row.id in ends
    }
    gained = spread(seeds, company.ties, Reaching(hops=weights.hops, weights=weights.relations))
    return np.array([gained.get(MemoryId(row.id), 0.0) for row in rows])


_Twice = list[tuple[int, int]]
"""Statements and their messages: the place of the one that stands, then of the one that need not.
"""


def _told_twice(own: Numbers, rows: Sequence[Candidate], links: Links) -> _Twice:
    """Which of a statement and its message stands for both.

    A wanted one does, or else a message of which a statement is one clause: what else was said may
    be the answer. Or else the one that says more of the question by itself; a statement does when
    they are even.
    """

    def stands(memory: int, message: int) -> bool:
        stated, said = rows[memory], rows[message]
        if stated.is_wanted != said.is_wanted:
            return stated.is_wanted
        return not _is_clause_of(stated, said) and own[memory] >= own[message]

    return [
        (memory, message) if stands(memory, message) else (message, memory)
        for memory, message in links.told
    ]


_MORE_STEMS = 3
"""Stems that a message says beyond a clause of it before it says something else."""


def _is_clause_of(statement: Candidate, message: Candidate) -> bool:
    """Whether a statement is a part of a message, word for word, and there is more to that."""
    if len(message.content) > _BRIEF:
        return False
    stated, said = set(statement.words.split()), set(message.words.split())
    named = {stem for name in (message.author or "", *statement.subjects) for stem in stems(name)}
    return stated - named <= said and len(said - stated) >= _MORE_STEMS


_BRIEF = 300
"""Characters of a message that is told whole; of a longer one a statement is the better line."""


def _gained(score: Numbers, twice: _Twice) -> Numbers:
    """What lets a row that stands for another fit as well as that one does."""
    gained = np.zeros(len(score))
    for stands, other in twice:
        gained[stands] = max(gained[stands], score[other] - score[stands])
    return gained


def _duplicates(twice: _Twice) -> frozenset[int]:
    """What need not stand: one that stands for a third row does."""
    standing = {stands for stands, _ in twice}
    return frozenset(other for _, other in twice if other not in standing)
