"""Which words of a line answer a question: those are told, not the whole message; pure.

A line is cut into its parts; a fitted network weighs each by what is seen of lines that may answer
(`answering.py`). `python -m benchmarks.fit_excerpts` fits it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

import numpy as np

from bot.llm.offline.questions.claimed import claims_in
from bot.llm.offline.questions.network import load_network
from bot.llm.offline.questions.talk import TalkLine
from bot.llm.offline.questions.weighing import AnswerFeatures, rows_of
from memory.claims.clauses import parts_of
from memory.claims.features import Floats
from memory.claims.head import shares
from memory.claims.signs import signs_in

EXCERPT = "excerpt.npz"

TOLD = 0.2
"""The share from which a part is told; with it whatever stands between two of them."""


def parts_in(line: TalkLine) -> list[TalkLine]:
    """The parts of a line as lines, said one after another."""
    return [
        replace(line, text=words, claims=claims_in(words), at=line.at + place * _MOMENT)
        for place, words in enumerate(one.words for one in parts_of(line.text))
    ]


_MOMENT = timedelta(microseconds=1)


def excerpt_places(parts: Sequence[TalkLine], seen: Mapping[TalkLine, AnswerFeatures]) -> range:
    """Which parts answer, from the first to the last of them.

    `seen` is what is seen of those that may answer; where none may, all are told.
    """
    places = [at for at, part in enumerate(parts) if part in seen]
    if not places:
        return range(len(parts))
    network = load_network(EXCERPT)
    told = told_of(network.scores(rows_of(part_features(parts, seen), network.names)))
    return range(places[told.start], places[told.stop - 1] + 1)


def excerpt_of(text: str, told: range) -> str:
    """The words of a text from the first to the last of these parts."""
    parts = parts_of(text)
    return text[parts[told.start].start : parts[told.stop - 1].end]


def told_of(scores: Floats, least: float = TOLD) -> range:
    """The rows that are told, from the first to the last."""
    found = shares(scores[None])[0]
    told = np.flatnonzero(found >= min(least, found.max()))
    return range(int(told[0]), int(told[-1]) + 1)


def part_features(
    parts: Sequence[TalkLine], seen: Mapping[TalkLine, AnswerFeatures]
) -> list[AnswerFeatures]:
    """What is seen of each part that may answer, in order: as of a line, and where it stands."""
    last = max(1, len(parts) - 1)
    return [
        {
            **seen[part],
            **{f"sign {one}": 1.0 for one in signs_in(part.plain)},
            "place": at / last,
            "is first": float(at == 0),
            "parts": float(np.log(len(parts))),
            "words said": float(np.log1p(len(part.text.split()))),
        }
        for at, part in enumerate(parts)
        if part in seen
    ]
