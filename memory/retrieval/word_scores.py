"""How much of the question's words each candidate says, alone and with those beside it. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from memory.model.retrieval import Candidate, Company
from memory.model.rooms import RoomId
from memory.model.stores import Collection
from memory.retrieval.query import Query, Term
from memory.retrieval.weights import Numbers, Weights

STRETCH = timedelta(minutes=30)
"""Two messages of a room that are no further apart belong to one stretch of talk."""

USUAL = 12
"""Stems of a row of usual length: a page of text has a few words of any question."""


@dataclass(frozen=True, slots=True)
class Links:
    """The company of candidates by their places; those not among them are left out."""

    near: NDArray[np.intp]
    """Shape (neighbours, 3): the place of a row, of one beside it, and how far that is off."""
    told: list[tuple[int, int]]

    @classmethod
    def of(cls, company: Company, place: Mapping[UUID, int]) -> "Links":
        """The links among candidates whose places are given by their ids."""
        near = {
            (of, row, one.offset)
            for one in company.near
            if (of := place.get(one.of)) is not None and (row := place.get(one.row)) is not None
        }
        told = {
            (memory, message)
            for one in company.told
            if (memory := place.get(one.memory)) is not None
            and (message := place.get(one.message)) is not None
        }
        return cls(np.array(sorted(near), dtype=np.intp).reshape(-1, 3), sorted(told))


class WordScores:
    """How much of each word of the question each row says; shape (words, rows)."""

    def __init__(self, asked: Query, rows: Sequence[Candidate], weights: Weights) -> None:
        self._rows, self._terms, self._weights = rows, asked.terms, weights
        rarity = asked.counts.rarity
        self.spoken = [row.words.split() for row in rows]
        """The stems of each row, in their order."""
        self._said = _counted(rows, self.spoken, asked.stems)
        self._rare = {stem: rarity.weight(stem) for stem in self._said}
        self._rare |= {term.stem: rarity.weight(term.stem) for term in asked.terms}
        self._unseen = rarity.weight("")
        self._weight = np.array([self._worth(term) for term in asked.terms])
        lengths = np.array([max(1.0, len(stems_)) for stems_ in self.spoken])
        self._room = np.minimum(1.0, weights.brief / lengths)
        """What part of what is lent to it each row takes: a long one speaks for itself."""
        mean = lengths.mean() if rows else 1.0
        self._lengths = 1 - weights.length + weights.length * lengths / mean
        self._alone = self._saturated(self._said)

    def own(self) -> Numbers:
        """What each row says by itself, in 0..1 and a little more for what it repeats."""
        return self._share(self._alone) if self._terms else np.zeros(len(self._rows))

    def score(self, links: Links) -> Numbers:
        """The same with what neighbours, statements and the stretch of talk lend."""
        if not self._terms:
            return np.zeros(len(self._rows))
        told = links.told
        said = self._saturated(_expanded(self._said, told)) if told else self._alone
        lent = said.copy()
        source, row, offset = links.near.T
        np.add.at(lent.T, row, (said[:, source] * (self._lent(offset) * self._room[row])).T)
        if self._weights.enough:
            lent = self._weights.enough * lent / (lent + 0.6 * self._weights.enough)
        if self._weights.stretch:
            lent += self._weights.stretch * self._room * _in_stretch(said, self._rows)
        return self._share(lent)

    def surprise(self) -> Numbers:
        """How unlikely it is that each row says what it says of the question by chance.

        The sum of what its words weigh beyond what a row of its length says anyway, in words that
        no other row has; shape (rows,). Nothing is lent to it: neighbours fit, and prove nothing.
        """
        lengths = np.array([len(stems_) for stems_ in self.spoken])
        expected = np.log(np.maximum(1.0, lengths / USUAL))
        beyond = np.zeros(len(self._rows))
        for term in self._terms:
            beyond += np.maximum(0.0, self._weighed(term) - expected)
        surprise: Numbers = beyond / self._unseen
        return surprise

    def _weighed(self, term: Term) -> Numbers:
        """What a word of the question weighs in each row that says it or something near it."""
        worth = self._rare[term.stem]
        weighed = np.zeros(len(self._rows))
        for stem, share in ((term.stem, 1.0), *term.others):
            if stem in self._said:
                light = share * min(worth, self._rare[stem])
                weighed = np.maximum(weighed, np.where(self._said[stem] > 0, light, 0.0))
        return weighed

    def _lent(self, offsets: NDArray[np.intp]) -> Numbers:
        """What a row lends to one so many places after it (before it when negative)."""
        shares = dict(enumerate(self._weights.after, start=1))
        shares |= {-places: share for places, share in enumerate(self._weights.before, start=1)}
        return np.array([shares.get(offset, 0.0) for offset in offsets.tolist()])

    def _share(self, said: Numbers) -> Numbers:
        total = float(self._weight.sum())
        shares: Numbers = self._weight @ said / total if total else np.zeros(len(self._rows))
        return shares

    def _saturated(self, said: Mapping[str, Numbers]) -> Numbers:
        return np.array([self._term(term, said) for term in self._terms])

    def _term(self, term: Term, said: Mapping[str, Numbers]) -> Numbers:
        worth = self._worth(term)
        found = self._often(said[term.stem]) if term.stem in said else np.zeros(len(self._rows))
        for stem, share in term.others:
            if stem in said:
                part = share * min(1.0, self._rare[stem] / worth)
                found = np.maximum(found, part * self._often(said[stem]))
        return found

    def _often(self, counts: Numbers) -> Numbers:
        k1 = self._weights.repetition
        often: Numbers = counts * (k1 + 1) / (counts + k1 * self._lengths)
        return often

    def _worth(self, term: Term) -> float:
        """The weight of a word: its own, or that of what stands for it where no row says it."""
        if term.stem in self._said:
            return self._rare[term.stem]
        known = [self._rare[stem] for stem, _ in term.others if stem in self._said]
        return max(known, default=self._rare[term.stem])


def _counted(
    rows: Sequence[Candidate], spoken: Sequence[Sequence[str]], wanted: frozenset[str]
) -> dict[str, Numbers]:
    """How often each row says each wanted stem that any says; whether it says a phrase of stems."""
    said: dict[str, Numbers] = {}
    for index, stems_ in enumerate(spoken):
        for stem in stems_:
            if stem in wanted:
                if stem not in said:
                    said[stem] = np.zeros(len(rows))
                said[stem][index] += 1
    for phrase in (stem for stem in wanted if " " in stem):
        counts = np.array([f" {phrase} " in f" {row.words} " for row in rows], dtype=np.float64)
        if counts.any():
            said[phrase] = counts
    return said


def _expanded(
    said: Mapping[str, Numbers], told: Sequence[tuple[int, int]]
) -> Mapping[str, Numbers]:
    """The counts with what statements say added to the messages they were learnt from."""
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
    known: dict[RoomId | None, int] = {}
    rooms = np.array([known.setdefault(rows[index].room, len(known)) for index in talk])
    together = np.abs(at[:, None] - at) <= STRETCH.total_seconds()
    together &= rooms[:, None] == rooms
    spoken = said[:, talk]
    for word in np.flatnonzero(spoken.any(axis=1)):
        by = np.flatnonzero(spoken[word])  # few rows say one word
        most[word, talk] = np.where(together[:, by], spoken[word, by], 0.0).max(axis=1)
    return most
