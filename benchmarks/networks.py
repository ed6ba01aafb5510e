"""Fits the small networks of the pet without a model: which line answers, which changes another.

Each question, or pair of lines, has its rows; they and there being none share one softmax (a
conditional logit, McFadden 1974), by Adam over batches that a seed draws (Kingma and Ba 2015), with
units left out (Srivastava and others 2014). Several fits are put beside each other in one network,
each with its share of a say.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.descent import Adam
from memory.claims.features import Floats
from memory.claims.network import Network

_FLOOR = 0.08
"""What is added to the spread of a feature, so that one which hardly varies says little."""

_BATCH = 16
_PACE = 0.004


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Rows of features, shape (rows, features), of which `right` are to be chosen; none if empty.

    `share` is what it counts among the others.
    """

    id: str
    kind: str
    rows: Floats
    right: tuple[int, ...]
    share: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """How a network is fitted."""

    hidden: int
    dropped: float
    penalty: float
    epochs: int
    fits: int = 3


def fitted(choices: Sequence[Choice], shape: Shape, names: Sequence[str] = ()) -> Network:
    """The network that is fitted to choices."""
    every = np.concatenate([one.rows for one in choices])
    blank = Network(
        names=tuple(names),
        mean=every.mean(axis=0).astype(np.float32),
        spread=(every.std(axis=0) + _FLOOR).astype(np.float32),
        alone=np.zeros(0, np.float32),
        hidden=np.zeros((0, 0), np.float32),
        heard=np.zeros(0, np.float32),
        bias=0.0,
    )
    seen = [blank.standard(one.rows).astype(np.float32) for one in choices]
    fits = [_Fit(choices, seen, shape, seed) for seed in range(shape.fits)]
    return Network(
        names=blank.names,
        mean=blank.mean,
        spread=blank.spread,
        alone=np.mean([one.alone.weights for one in fits], axis=0),
        hidden=np.hstack([one.hidden.weights for one in fits]),
        heard=np.concatenate([one.heard.weights / np.float32(len(fits)) for one in fits]),
        bias=float(np.mean([one.bias.weights for one in fits])),
    )


class _Fit:
    """One fit; `seen` are the rows of the choices as the network reads them."""

    def __init__(
        self, choices: Sequence[Choice], seen: Sequence[Floats], shape: Shape, seed: int
    ) -> None:
        self._shape, self._rng = shape, np.random.default_rng(seed)
        width = seen[0].shape[1]
        start = self._rng.normal(size=(width + 1, shape.hidden)) / np.sqrt(width)
        start[-1] = 0
        self.hidden = Adam(start.astype(np.float32))
        self.heard = Adam((self._rng.normal(size=shape.hidden) * 0.1).astype(np.float32))
        self.alone = Adam(np.zeros(width, np.float32))
        self.bias = Adam(np.zeros(1, np.float32))
        steps = max(1, len(choices) // _BATCH)
        for epoch in range(shape.epochs):
            pace = _PACE * (1 + np.cos(np.pi * epoch / shape.epochs)) / 2
            for batch in np.array_split(self._rng.permutation(len(choices)), steps):
                self._step([(choices[at], seen[at]) for at in batch], pace)

    def _step(self, batch: Sequence[tuple[Choice, Floats]], pace: float) -> None:
        slopes = [
            np.zeros_like(one.weights) for one in (self.hidden, self.heard, self.alone, self.bias)
        ]
        left = self._rng.random((len(batch), self._shape.hidden)) >= self._shape.dropped
        for (choice, rows), units_left in zip(batch, left, strict=True):
            kept = units_left / np.float32(1 - self._shape.dropped)
            before = rows @ self.hidden.weights[:-1] + self.hidden.weights[-1]
            units = np.maximum(before, 0) * kept
            scores = rows @ self.alone.weights + units @ self.heard.weights + self.bias.weights
            wrong = _error(np.append(scores, 0.0), choice.right) * choice.share / len(batch)
            back = np.outer(wrong, self.heard.weights) * (before > 0) * kept
            slopes[0][:-1] += rows.T @ back
            slopes[0][-1] += back.sum(axis=0)
            slopes[1] += units.T @ wrong
            slopes[2] += rows.T @ wrong
            slopes[3] += wrong.sum()
        for one, slope in zip((self.hidden, self.heard, self.alone), slopes, strict=False):
            one.step(slope + self._shape.penalty * one.weights, pace)
        self.bias.step(slopes[3], pace)


def _error(scores: Floats, right: Sequence[int]) -> Floats:
    """What each row is chosen too much; the last score is that of none, and has none here."""
    shares = np.exp(scores - scores.max())
    shares /= shares.sum()
    wanted = np.zeros(len(shares))
    chosen = list(right) or [-1]
    wanted[chosen] = shares[chosen] / shares[chosen].sum()
    found: Floats = (shares - wanted)[:-1].astype(np.float32)
    return found


def written_to(standing: Path, what: str) -> Path:
    """The file that the command line wants the weights in; `standing` are those of the product."""
    parser = argparse.ArgumentParser(description=what.splitlines()[0])
    parser.add_argument("--to", type=Path, default=standing, help="the file of weights to write")
    found: Path = parser.parse_args().to
    return found


def unseen_scores(choices: Sequence[Choice], shape: Shape, folds: int) -> list[Floats]:
    """The scores of the rows of each choice, by a fit that has seen none of the same id."""
    ids = sorted({one.id for one in choices})
    np.random.default_rng(7).shuffle(ids)
    fold_of = {one: place % folds for place, one in enumerate(ids)}
    found: list[Floats] = [np.zeros(0, np.float32)] * len(choices)
    for number in range(folds):
        network = fitted([one for one in choices if fold_of[one.id] != number], shape)
        for place, one in enumerate(choices):
            if fold_of[one.id] == number:
                found[place] = network.scores(one.rows)
    return found
