"""How well each candidate fits what was asked, signal by signal. Pure.

Words are weighed as BM25 does (Robertson and Zaragoza 2009), but a row also speaks for its
neighbours in the conversation, as in positional language models (Lv and Zhai 2009), and a lobby
message for the statements that were learnt from it (document expansion, Nogueira et al. 2019).
Every signal is in one unit, the share of the question's weight that a row says, so that they add
up and can be compared from one question to the next. `benchmarks/README.md` has what each is worth.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from memory.asked import Asked, Names, Term
from memory.asked_times import Period
from memory.background import Background
from memory.language import fold, stems
from memory.model import Collection, MemoryId, Relation
from memory.retrieval import Candidate, Company
from memory.spreading import RELATION_WEIGHTS, Reaching, spread
from memory.stretches import Grain

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What each signal counts, chosen on conversations 1-5 of LoCoMo. 0 switches a signal off."""

    repetition: float = 0.8
    """BM25's k1: chat repeats a word for no reason, so a second one adds little."""
    length: float = 0.4
    """BM25's b: a longer message is only a little less about its words."""
    after: tuple[float, ...] = (0.4, 0.2)
    """What a row lends to the next and the one after it: answers follow their question's words."""
    before: tuple[float, ...] = (0.32, 0.16)
    """What it lends to the rows before it."""
    enough: float = 1.2
    """Where one word stops adding up, however many neighbours say it too; 0 for nowhere."""
    stretch: float = 0.2
    """What a word counts that somebody says in the same stretch of talk."""
    named: float = 0.4
    """A message of, or a statement about, somebody the question names."""
    named_too: float = 0.5
    """What each further one counts beside the first."""
    proper: float = 0.25
    """Says the proper nouns of the question; a part of them counts in part."""
    speaker: float = 0.1
    """A message of, or a statement about, who asks, when the question is about them."""
    mentioned: float = 0.1
    """Says the name of somebody the question names."""
    period: float = 0.6
    """Said in a time the question names; half of it a little before or after."""
    tied: float = 0.1
    """What a statement gains of the fit of those it is tied to."""
    hops: int = 1
    """How far that reaches."""
    relations: Mapping[Relation, float] = field(default_factory=lambda: RELATION_WEIGHTS)
    """What each kind of tie passes on."""
    meaning: float = 0.03
    """For each standard deviation by which a similarity stands out of the store's background."""
    meaning_from: float = 1.0
    """The deviations at which that begins."""
    meaning_near: float = 0.3
    """What similarity a row lends to the rows right beside it."""
    meaning_told: float = 0.5
    """What similarity a statement lends to the message it was learnt from."""


TOLD = "told"
"""The signal by which one of a statement and its message steps back for the other."""

LEAST_STEP = 0.001
"""What a row that steps back loses at least: what answers an open question says none of its words,
so it has nothing to lose, and would be shown beside the other."""

STRETCH = timedelta(minutes=30)
"""Two messages of a room that are no further apart belong to one stretch of talk."""

EXACT: Mapping[Grain, float] = {
    Grain.MOMENT: 1.0,
    Grain.DAY: 1.0,
    Grain.WEEK: 0.8,
    Grain.MONTH: 0.8,
    Grain.SEASON: 0.4,
    Grain.YEAR: 0.2,
}
"""What a period counts by how exact it is: much was said in a year."""

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
    """Candidates with what each signal adds to the score of each; arrays of shape (rows,)."""

    rows: Sequence[Candidate]
    signals: Mapping[str, Numbers]

    @property
    def total(self) -> Numbers:
        """The score of each row: 1 is what a row has that says every word of the question."""
        return sum(self.signals.values(), np.zeros(len(self.rows)))

    def of(self, index: int) -> dict[str, float]:
        """What adds to the score of one row, by signal."""
        added = ((name, round(float(each[index]), 4)) for name, each in self.signals.items())
        return {name: value for name, value in added if value}


def scored(
    rows: Sequence[Candidate],
    asked: Asked,
    around: Background | None,
    company: Company,
    weights: Weights,
) -> Scored:
    """How well each of the candidates fits, signal by signal."""
    place = {row.id: index for index, row in enumerate(rows)}
    links = _Links.of(company, place)
    words = _Words(asked, rows, weights)
    signals = {"words": words.score(links), "meaning": _meaning(rows, around, links, weights)}
    found = (signals["words"] + signals["meaning"]) > 0
    found |= np.array([row.collection is not Collection.LIVE for row in rows], dtype=bool)
    signals["named"] = np.where(found, _named(rows, asked.named, weights), 0.0)
    signals["proper"] = weights.proper * _says(rows, asked.proper)
    signals["speaker"] = weights.speaker * np.where(found, _of(rows, asked.speaker), 0.0)
    signals["period"] = weights.period * np.array([_within(row, asked.periods) for row in rows])
    signals["tied"] = weights.tied * _tied(signals, rows, company, weights)
    total = Scored(rows=rows, signals=signals).total
    signals[TOLD] = _told(total, words.own(), rows, links)
    return Scored(rows=rows, signals=signals)


@dataclass(frozen=True, slots=True)
class _Links:
    """The company of candidates by their places; those not among them are left out."""

    near: list[tuple[int, int, int]]
    told: list[tuple[int, int]]

    @classmethod
    def of(cls, company: Company, place: Mapping[UUID, int]) -> "_Links":
        near = {
            (place[one.of], place[one.row], one.offset)
            for one in company.near
            if one.of in place and one.row in place
        }
        told = {
            (place[one.memory], place[one.message])
            for one in company.told
            if one.memory in place and one.message in place
        }
        return cls(sorted(near), sorted(told))


class _Words:
    """How much of each word of the question each row says; shape (words, rows)."""

    def __init__(self, asked: Asked, rows: Sequence[Candidate], weights: Weights) -> None:
        self._rows, self._terms, self._weights = rows, asked.terms, weights
        rarity = asked.counts.rarity
        wanted = frozenset(stem for term in asked.terms for stem in term.stems)
        phrases = [stem for stem in wanted if " " in stem]
        self._said = {stem: np.zeros(len(rows)) for stem in wanted}
        for index, row in enumerate(rows):
            for stem, times in _counted(row.words, wanted, phrases).items():
                self._said[stem][index] = times
        self._known = {stem for stem, counts in self._said.items() if counts.any()}
        self._rare = {stem: rarity.weight(stem) for stem in self._said}
        self._weight = np.array([self._worth(term) for term in asked.terms])
        lengths = np.array([1.0 + row.words.count(" ") for row in rows])
        mean = lengths.mean() if rows else 1.0
        self._lengths = 1 - weights.length + weights.length * lengths / mean

    def own(self) -> Numbers:
        """What each row says by itself, in 0..1 and a little more for what it repeats."""
        return (
            self._share(self._saturated(self._said)) if self._terms else np.zeros(len(self._rows))
        )

    def score(self, links: _Links) -> Numbers:
        """The same with what neighbours, statements and the stretch of talk lend."""
        if not self._terms:
            return np.zeros(len(self._rows))
        said = self._saturated(_expanded(self._said, links.told))
        lent = said.copy()
        for source, row, offset in links.near:
            lent[:, row] += self._lent(offset) * said[:, source]
        if self._weights.enough:
            lent = self._weights.enough * lent / (lent + 0.6 * self._weights.enough)
        if self._weights.stretch:
            lent += self._weights.stretch * _in_stretch(said, self._rows)
        return self._share(lent)

    def _lent(self, offset: int) -> float:
        shares = self._weights.after if offset > 0 else self._weights.before
        return shares[abs(offset) - 1] if abs(offset) <= len(shares) else 0.0

    def _share(self, said: Numbers) -> Numbers:
        total = float(self._weight.sum())
        shares: Numbers = self._weight @ said / total if total else np.zeros(len(self._rows))
        return shares

    def _saturated(self, said: Mapping[str, Numbers]) -> Numbers:
        return np.array([self._term(term, said) for term in self._terms])

    def _term(self, term: Term, said: Mapping[str, Numbers]) -> Numbers:
        worth = self._worth(term)
        found = self._often(said[term.stem])
        for stem, share in term.others:
            if stem in self._known:
                part = share * min(1.0, self._rare[stem] / worth)
                found = np.maximum(found, part * self._often(said[stem]))
        return found

    def _often(self, counts: Numbers) -> Numbers:
        k1 = self._weights.repetition
        often: Numbers = counts * (k1 + 1) / (counts + k1 * self._lengths)
        return often

    def _worth(self, term: Term) -> float:
        """The weight of a word: its own, or that of what stands for it where nobody says it."""
        if term.stem in self._known:
            return self._rare[term.stem]
        known = [self._rare[stem] for stem, _ in term.others if stem in self._known]
        return max(known, default=self._rare[term.stem])


def _counted(words: str, wanted: frozenset[str], phrases: Sequence[str]) -> Mapping[str, int]:
    """How often each wanted stem, and each phrase of stems, is among these words."""
    counts = Counter(filter(wanted.__contains__, words.split()))
    counts.update({phrase: 1 for phrase in phrases if f" {phrase} " in f" {words} "})
    return counts


def _expanded(
    said: Mapping[str, Numbers], told: Sequence[tuple[int, int]]
) -> Mapping[str, Numbers]:
    """The counts with what statements say added to the messages they were learnt from."""
    if not told:
        return said
    expanded = {stem: counts.copy() for stem, counts in said.items()}
    for stem, counts in said.items():
        for memory, message in told:
            expanded[stem][message] += counts[memory]
    return expanded


def _in_stretch(said: Numbers, rows: Sequence[Candidate]) -> Numbers:
    """For each row the most that any row of its stretch of talk says of each word.

    A statement is a stretch by itself, or it would fall behind every message.
    """
    most = said.copy()
    talk = [index for index, row in enumerate(rows) if row.collection is Collection.LIVE]
    if not talk:
        return most
    at = np.array([rows[index].at.timestamp() for index in talk])
    rooms = np.unique([str(rows[index].room) for index in talk], return_inverse=True)[1]
    together = np.abs(at[:, None] - at) <= STRETCH.total_seconds()
    together &= rooms[:, None] == rooms
    for word in range(len(said)):
        most[word, talk] = np.where(together, said[word, talk], 0.0).max(axis=1)
    return most


def _meaning(
    rows: Sequence[Candidate], around: Background | None, links: _Links, weights: Weights
) -> Numbers:
    """How far the similarity of each row stands out of the background."""
    if around is None:
        return np.zeros(len(rows))
    similar = np.array([_outstanding(row, around, weights.meaning_from) for row in rows])
    own = similar.copy()
    for memory, message in links.told:
        own[message] = max(own[message], weights.meaning_told * similar[memory])
    lent = own.copy()
    for source, row, offset in links.near:
        if abs(offset) == 1:
            lent[row] += weights.meaning_near * own[source]
    return weights.meaning * lent


def _outstanding(row: Candidate, around: Background, least: float) -> float:
    return 0.0 if row.similarity is None else max(0.0, around.deviations(row.similarity) - least)


def _named(rows: Sequence[Candidate], named: Sequence[Names], weights: Weights) -> Numbers:
    if not named:
        return np.zeros(len(rows))
    spelt = [frozenset(stem for name in names for stem in stems(name)) for names in named]
    return np.array([_whose(row, named, spelt, weights) for row in rows])


def _whose(
    row: Candidate, named: Sequence[Names], spelt: Sequence[frozenset[str]], weights: Weights
) -> float:
    """What a row gains by whom it is of, or mentions."""
    whose = _people(row)
    told = sum(1 for names in named if names & whose)
    if told:
        return weights.named * (1 + weights.named_too * (told - 1))
    said = row.words.split()
    return weights.mentioned if any(stems_.intersection(said) for stems_ in spelt) else 0.0


def _of(rows: Sequence[Candidate], names: Names) -> Numbers:
    """1 for what is of somebody with one of these names, shape (rows,)."""
    return np.array([bool(names & _people(row)) for row in rows], dtype=np.float64)


def _says(rows: Sequence[Candidate], proper: frozenset[str]) -> Numbers:
    """What share of these stems each row says, shape (rows,)."""
    if not proper:
        return np.zeros(len(rows))
    return np.array([len(proper.intersection(row.words.split())) for row in rows]) / len(proper)


def _people(row: Candidate) -> Names:
    """Whose a row is: a message of who wrote it, a statement of its subjects."""
    return frozenset(fold(name) for name in row.subjects or (row.author or "",))


def _within(row: Candidate, periods: Sequence[Period]) -> float:
    return max((_closeness(row.at, period) for period in periods), default=0.0)


def _closeness(at: datetime, period: Period) -> float:
    exact = EXACT[period.grain]
    if period.start <= at < period.end:
        return exact
    before, after = BESIDE[period.grain]
    return exact / 2 if period.start - before <= at < period.end + after else 0.0


def _tied(
    signals: Mapping[str, Numbers], rows: Sequence[Candidate], company: Company, weights: Weights
) -> Numbers:
    """What statements gain from those they are tied to, by how well these fit."""
    if not company.ties:
        return np.zeros(len(rows))
    fits = Scored(rows=rows, signals=signals).total
    ends = {end for one in company.ties for end in (one.start, one.end)}
    seeds = {
        MemoryId(row.id): float(fits[index]) for index, row in enumerate(rows) if row.id in ends
    }
    gained = spread(seeds, company.ties, Reaching(hops=weights.hops, weights=weights.relations))
    return np.array([gained.get(MemoryId(row.id), 0.0) for row in rows])


def _told(score: Numbers, own: Numbers, rows: Sequence[Candidate], links: _Links) -> Numbers:
    """What lets one of a statement and its message stand for both, and the other step back.

    A fixed one stands, or else the one that says more of the question by itself; a statement does
    when they are even.
    """
    strength = [(row.fixed, float(says)) for row, says in zip(rows, own, strict=True)]
    change = np.zeros(len(score))
    stands: set[int] = set()
    hidden: set[int] = set()
    for memory, message in links.told:
        is_statement = strength[memory] >= strength[message]
        first, second = (memory, message) if is_statement else (message, memory)
        change[first] = max(change[first], score[second] - score[first])
        stands.add(first)
        hidden.add(second)
    for row in hidden - stands:
        change[row] = -max(score[row], LEAST_STEP)
    return change
