"""A retriever as an engineer writes it in an afternoon: the bar that recall is measured against.

FTS5 with porter stems, the pet's own vectors, neighbouring turns, and the speaker a question names,
put together by weights that did well on all the sets it is compared on. Nothing else of the pet is
in it.
"""

import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.language.text import fold
from memory.language.word_lists import STOP_WORDS
from memory.ports import Vectors

MEANING, NEIGHBOURS, SPEAKER = 0.3, 0.3, 0.3
"""What the best similarity, the words of a neighbour and being of who is named add to a best score
by words of 1. Chosen on the sets themselves, which does the bar no harm."""

MOST_TERMS = 64
"""Words of a question that are looked for: a pasted page must not become a query."""

_WORD = re.compile(r"\w+")

Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Passage:
    """One text that can be found, by whom, and the session whose turns are its neighbours."""

    id: str
    speaker: str
    text: str
    session: str


class PlainFusion:
    """Some passages in their order; `vectors` are of shape (n, dimension), None without any."""

    def __init__(self, passages: Sequence[Passage], vectors: Vectors | None) -> None:
        self._passages = passages
        self._vectors = vectors
        self._words = sqlite3.connect(":memory:")
        self._words.execute(
            "CREATE VIRTUAL TABLE passages USING fts5"
            "(text, tokenize = 'porter unicode61 remove_diacritics 2')"
        )
        self._words.executemany(
            "INSERT INTO passages (rowid, text) VALUES (?, ?)",
            enumerate(one.text for one in passages),
        )

    def close(self) -> None:
        """Let go of the words."""
        self._words.close()

    def ranked(self, question: str, vector: Vectors | None, upto: int | None = None) -> list[str]:
        """The ids of what fits a question, best first, of the first `upto` passages or of all."""
        words = _scaled(self._by_words(question))
        scores = words + SPEAKER * self._named(question) + NEIGHBOURS * self._lent(words)
        if vector is not None and self._vectors is not None:
            alike = (self._vectors @ vector).astype(np.float64)
            scores += MEANING * _scaled(alike - alike.min(initial=1.0))
        found = np.argsort(-scores[:upto], kind="stable")
        return [self._passages[place].id for place in found if scores[place] > 0]

    def _by_words(self, question: str) -> Scores:
        scores = np.zeros(len(self._passages))
        terms = list(dict.fromkeys(_WORD.findall(fold(question))))
        wanted = [f'"{term}"' for term in terms if term not in STOP_WORDS][:MOST_TERMS]
        if wanted:
            rows = self._words.execute(
                "SELECT rowid, bm25(passages) FROM passages WHERE passages MATCH ?",
                (" OR ".join(wanted),),
            )
            for place, score in rows:
                scores[place] = -score
        return scores

    def _named(self, question: str) -> Scores:
        said = f" {' '.join(_WORD.findall(fold(question)))} "
        return np.array([float(f" {fold(one.speaker)} " in said) for one in self._passages])

    def _lent(self, scores: Scores) -> Scores:
        """What the neighbours of each passage in its session score."""
        sessions = np.array([one.session for one in self._passages])
        together = sessions[1:] == sessions[:-1]
        lent = np.zeros(len(scores))
        lent[1:] += np.where(together, scores[:-1], 0)
        lent[:-1] += np.where(together, scores[1:], 0)
        return lent


def _scaled(scores: Scores) -> Scores:
    best = scores.max(initial=0.0)
    return scores / best if best > 0 else scores
