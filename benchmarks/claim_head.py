"""Fits the heads that read claims: logistic regression, by Adam over batches that a seed draws.

(Bishop 2006, 4.3.4; Kingma and Ba 2015.) One column each says of a clause whether something is
stated at all, whether of the speaker, and for every slot; the status is a softmax, and so is the
slot that a question wants.
"""

from collections.abc import Sequence

import numpy as np

from benchmarks.claim_material import ClaimExample, WantedExample
from benchmarks.descent import Adam, dense_block
from memory.claims.features import BUCKETS, Floats, Seen
from memory.claims.head import SLOTS, STATUSES, Head, at_and_size, chance, shares
from memory.claims.reader import FIRST_SLOT, FIRST_STATUS, NO_SLOT, OF_SELF, STATED

_PENALTY = 3e-6
_EPOCHS, _BATCH = 14, 256
_PACE, _SLOWING = 0.03, 0.85

_HIDDEN, _DROPPED = 64, 0.3
"""Units of the hidden layer, and the share of them that is left out at each step (Srivastava and
others 2014)."""

_CARE = 0.1
"""How fast the hidden layer learns, against the rest."""


def fit_clauses(examples: Sequence[ClaimExample], seen: Seen) -> Head:
    """The head that reads clauses."""
    truth = np.zeros((len(examples), FIRST_STATUS + len(STATUSES)), dtype=np.float32)
    counts = np.zeros_like(truth)
    for row, one in enumerate(examples):
        truth[row, STATED], counts[row, STATED] = one.is_stated, one.weight
        if one.slots:
            counts[row, OF_SELF:] = one.weight
            truth[row, OF_SELF] = one.of_self
            truth[row, FIRST_STATUS + STATUSES.index(one.status)] = 1
            for slot in one.slots:
                truth[row, FIRST_SLOT + SLOTS.index(slot)] = 1
    return _fitted(seen, truth, counts, FIRST_STATUS)


def fit_questions(examples: Sequence[WantedExample], seen: Seen) -> Head:
    """The head that reads questions."""
    truth = np.zeros((len(examples), NO_SLOT + 1), dtype=np.float32)
    for row, one in enumerate(examples):
        truth[row, NO_SLOT if one.slot is None else SLOTS.index(one.slot)] = 1
    return _fitted(seen, truth, np.ones_like(truth), 0)


def _fitted(seen: Seen, truth: Floats, counts: Floats, softmax: int) -> Head:
    """A head whose columns from `softmax` on exclude each other."""
    rarity = _rarity(seen)
    rows = [at_and_size(one, rarity) for one in seen.words]
    at, sizes = [one for one, _ in rows], [size for _, size in rows]
    columns = truth.shape[1]
    words = Adam(np.zeros((BUCKETS, columns), dtype=np.float32))
    numbers = Adam(np.zeros((seen.numbers.shape[1], columns), dtype=np.float32))
    bias = np.zeros(columns, dtype=np.float32)
    rng = np.random.default_rng(29)
    width = seen.numbers.shape[1]
    start = rng.normal(size=(width + 1, _HIDDEN)) * np.sqrt(2 / width)
    start[-1] = 0
    hidden = Adam(start.astype(np.float32))
    heard = Adam(np.zeros((_HIDDEN, columns), dtype=np.float32))
    for epoch in range(_EPOCHS):
        pace = _PACE * _SLOWING**epoch
        order = rng.permutation(len(truth))
        for batch in np.array_split(order, max(1, len(order) // _BATCH)):
            block, places = dense_block(batch, at, sizes)
            meaning = seen.numbers[batch]
            joined = np.hstack((meaning, np.ones((len(batch), 1), dtype=np.float32)))
            kept = (rng.random((len(batch), _HIDDEN)) >= _DROPPED) / np.float32(1 - _DROPPED)
            units = np.maximum(joined @ hidden.weights, 0) * kept.astype(np.float32)
            scores = block @ words.weights[places] + meaning @ numbers.weights + bias
            scores += units @ heard.weights
            found = np.hstack((chance(scores[:, :softmax]), shares(scores[:, softmax:])))
            wrong = (found - truth[batch]) * counts[batch] / len(batch)
            words.step(block.T @ wrong + _PENALTY * words.weights[places], pace, places)
            numbers.step(meaning.T @ wrong + _PENALTY * numbers.weights, pace)
            bias -= 5 * pace * wrong.mean(axis=0)
            back = (wrong @ heard.weights.T) * (units > 0) * kept
            heard.step(units.T @ wrong, pace * _CARE)
            hidden.step((joined.T @ back).astype(np.float32), pace * _CARE / 3)
    scale = float(np.abs(words.weights).max()) / 127
    return Head(
        rarity=rarity,
        words=np.round(words.weights / scale).astype(np.int8),
        scale=scale,
        numbers=numbers.weights,
        bias=bias,
        hidden=hidden.weights,
        heard=heard.weights,
    )


def _rarity(seen: Seen) -> Floats:
    """How rare each bucket is; one that only one text has tells nothing of others."""
    often = np.zeros(BUCKETS)
    for groups in seen.words:
        for places, _ in groups:
            often[places] += 1
    rare = np.log((len(seen.words) + 1) / (often + 1))
    return np.where(often >= 2, rare, 0).astype(np.float32)
