"""A fitted head that says what a part of a message claims: logistic regression over its meaning.

It sees the vectors of the part and of its message (the shipped embedder's), the words, their order,
their parts and the signs of the part, and what stands around it. One column each says whether
something is stated at all, whether of the speaker, and for every slot; the status is a softmax
(Bishop 2006, 4.3.4). Words are hashed into buckets, each weighed by how rare it is.
"""

import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.claim_material import SLOTS, STATUSES, ClaimExample
from benchmarks.descent import Adam, Floats, Places, dense_block
from bot.llm.offline.manners.features import message_features
from memory.embedders.usem3 import load
from memory.language.chat_spelling import spelt_out

BUCKETS = 1 << 16

_AROUND = 8
_EMOJI = re.compile("[\U0001f300-\U0001faff☀-➿]")
_SIGNS = '?!*"«“:'
_OPENED = (("«", "»"), ("“", "”"))

_FIRST_SLOT, _FIRST_STATUS = 2, 2 + len(SLOTS)
_COLUMNS = _FIRST_STATUS + len(STATUSES)

_OF_PART, _OF_AROUND, _OF_VECTOR, _OF_MESSAGE = 2.0, 1.6, 1.6, 0.8
"""What each group of features counts for before the fit: their lengths, by trial."""

_PENALTY = 3e-6
_EPOCHS, _BATCH = 14, 256
_PACE, _SLOWING = 0.03, 0.85


@dataclass(frozen=True, slots=True)
class Seen:
    """Parts as features: hashed words of each, with those around it, and the two vectors."""

    words: Sequence[tuple[Places, Places]]
    vectors: Floats
    messages: Floats


@dataclass(frozen=True, slots=True)
class Read:
    """What is read of parts, a row each: chances in 0..1."""

    stated: Floats
    of_self: Floats
    slots: Floats
    statuses: Floats


def seen(examples: Sequence[ClaimExample]) -> Seen:
    """The features of parts."""
    return Seen(
        words=[
            (_hashed(message_features(one.part, ())), _hashed(_of_around(one))) for one in examples
        ],
        vectors=_vectors([one.part for one in examples]),
        messages=_vectors([one.text for one in examples]),
    )


def _vectors(texts: Sequence[str]) -> Floats:
    """The shipped embedder's vectors; a text that comes again is embedded once."""
    places = {text: at for at, text in enumerate(dict.fromkeys(texts))}
    known, encoder = list(places), load()
    blocks = [
        np.asarray(encoder.vectors(known[start : start + _BATCH], 64), dtype=np.float32)
        for start in range(0, len(known), _BATCH)
    ]
    found: Floats = np.vstack(blocks)[[places[text] for text in texts]]
    return found


def _hashed(features: Iterable[str]) -> Places:
    return np.unique(
        np.fromiter((zlib.crc32(one.encode()) % BUCKETS for one in features), dtype=np.int64)
    )


def _of_around(one: ClaimExample) -> Iterator[str]:
    before, after = one.text[: one.start], one.text[one.end :]
    ahead = spelt_out(before).split()[-_AROUND:]
    yield from (f"b {word}" for word in ahead)
    yield f"b$ {' '.join(ahead[-2:])}"
    yield from (f"a {word}" for word in spelt_out(after).split()[:_AROUND])
    yield from (f"m {word}" for word in set(spelt_out(one.text).split()))
    yield from (f"t {sign}" for sign in (*_SIGNS, "🎶", "🎵") if sign in one.text)
    yield from (f"te {sign}" for sign in _EMOJI.findall(one.text))
    quoted = any(before.count(first) > before.count(last) for first, last in _OPENED)
    if quoted or before.count('"') % 2:
        yield "quoted"


class ClaimHead:
    """The weights: a row for each bucket and each number of the vectors, a column for each answer.

    `shape` chooses how much each group of features counts.
    """

    def __init__(
        self, shape: Sequence[float] = (_OF_PART, _OF_AROUND, _OF_VECTOR, _OF_MESSAGE)
    ) -> None:
        self._shape = tuple(shape)
        self._rarity = np.zeros(BUCKETS, dtype=np.float32)
        self._words = np.zeros((BUCKETS, _COLUMNS), dtype=np.float32)
        self._dense = np.zeros((0, _COLUMNS), dtype=np.float32)
        self._bias = np.zeros(_COLUMNS, dtype=np.float32)

    def fit(self, examples: Sequence[ClaimExample], features: Seen) -> "ClaimHead":
        """Fit the examples, by Adam over batches that a fixed seed draws (Kingma and Ba 2015)."""
        often = np.zeros(BUCKETS)
        for part, around in features.words:
            often[part] += 1
            often[around] += 1
        rare = np.log((len(examples) + 1) / (often + 1))
        self._rarity = np.where(often >= 2, rare, 0).astype(np.float32)
        rows, values, dense = self._inputs(features)
        truth, counts = _truth(examples)
        words = Adam(self._words)
        of_meaning = Adam(np.zeros((dense.shape[1], _COLUMNS), dtype=np.float32))
        rng = np.random.default_rng(29)
        for epoch in range(_EPOCHS):
            pace = _PACE * _SLOWING**epoch
            order = rng.permutation(len(examples))
            for batch in np.array_split(order, max(1, len(order) // _BATCH)):
                block, at = dense_block(batch, rows, values)
                meaning = dense[batch]
                scores = block @ words.weights[at] + meaning @ of_meaning.weights + self._bias
                wrong = (_chances(scores) - truth[batch]) * counts[batch] / len(batch)
                words.step(block.T @ wrong + _PENALTY * words.weights[at], pace, at)
                of_meaning.step(meaning.T @ wrong + _PENALTY * of_meaning.weights, pace)
                self._bias -= 5 * pace * wrong.mean(axis=0)
        self._dense = of_meaning.weights
        return self

    def read(self, features: Seen) -> Read:
        """What parts claim."""
        rows, values, dense = self._inputs(features)
        words = np.array([one @ self._words[at] for at, one in zip(rows, values, strict=True)])
        found = _chances(words + dense @ self._dense + self._bias)
        return Read(
            stated=found[:, 0],
            of_self=found[:, 1],
            slots=found[:, _FIRST_SLOT:_FIRST_STATUS],
            statuses=found[:, _FIRST_STATUS:],
        )

    def _inputs(self, features: Seen) -> tuple[list[Places], list[Floats], Floats]:
        of_part, of_around, of_vector, of_message = self._shape
        rows, values = [], []
        for part, around in features.words:
            rows.append(np.concatenate((part, around)))
            sizes = (self._weighed(part) * of_part, self._weighed(around) * of_around)
            values.append(np.concatenate(sizes).astype(np.float32))
        dense = np.hstack((features.vectors * of_vector, features.messages * of_message))
        return rows, values, dense.astype(np.float32)

    def _weighed(self, places: Places) -> Floats:
        size: Floats = self._rarity[places]
        return size / np.float32(np.linalg.norm(size) or 1)


def _truth(examples: Sequence[ClaimExample]) -> tuple[Floats, Floats]:
    """What each example should be read as, and what of it counts for the fit."""
    truth, counts = (np.zeros((len(examples), _COLUMNS), dtype=np.float32) for _ in range(2))
    for row, one in enumerate(examples):
        truth[row, 0], counts[row, 0] = one.is_stated, one.weight
        if one.slots:
            counts[row, 1:] = one.weight
            truth[row, 1] = one.of_self
            truth[row, _FIRST_STATUS + STATUSES.index(one.status)] = 1
            for slot in one.slots:
                truth[row, _FIRST_SLOT + SLOTS.index(slot)] = 1
    return truth, counts


def _chances(scores: Floats) -> Floats:
    """Chances of the scores: a sigmoid each, but a softmax over the statuses."""
    found = 1 / (1 + np.exp(-scores))
    odds = np.exp(scores[:, _FIRST_STATUS:] - scores[:, _FIRST_STATUS:].max(axis=1, keepdims=True))
    found[:, _FIRST_STATUS:] = odds / odds.sum(axis=1, keepdims=True)
    return found.astype(np.float32)
