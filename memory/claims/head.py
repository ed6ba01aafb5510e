"""A fitted head: logistic regression over hashed words, signs and meaning (Bishop 2006, 4.3.4).

Words are hashed into buckets, each weighed by how rare it is. One hidden layer of rectified units
over signs and meaning is added to that: what a sign means depends on what is spoken of.
`benchmarks/fit_claims.py` fits the weights and writes them beside this file.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from memory.claims.features import Floats, Places, Seen
from memory.model.claims import Slot, Status

SLOTS, STATUSES = tuple(Slot), tuple(Status)

WEIGHTS = "weights.npz"


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """A row of weights for each bucket and each number, a column for each answer.

    `rarity` scales the buckets; those of words are kept in a byte each, `scale` times less.
    """

    rarity: Floats
    words: NDArray[np.int8]
    scale: float
    numbers: Floats
    bias: Floats
    hidden: Floats
    """What each number says to each hidden unit; the last row is added to all."""
    heard: Floats
    """What each hidden unit says to each answer."""

    def scores(self, seen: Seen) -> Floats:
        """Logarithms of odds, a row for each text."""
        rows = [at_and_size(one, self.rarity) for one in seen.words]
        said = np.array([size @ self.words[at].astype(np.float32) for at, size in rows])
        units = np.maximum(seen.numbers @ self.hidden[:-1] + self.hidden[-1], 0)
        meant = seen.numbers @ self.numbers + units @ self.heard
        found: Floats = (said * self.scale + meant + self.bias).astype(np.float32)
        return found

    def written(self, prefix: str) -> dict[str, Any]:
        """Its arrays by name, to be kept together with another's."""
        kept = {
            "rarity": self.rarity.astype(np.float16),
            "words": self.words,
            "scale": np.float32(self.scale),
            "numbers": self.numbers.astype(np.float16),
            "bias": self.bias,
            "hidden": self.hidden.astype(np.float16),
            "heard": self.heard.astype(np.float16),
        }
        return {f"{prefix}_{name}": value for name, value in kept.items()}


def at_and_size(groups: Sequence[tuple[Places, float]], rarity: Floats) -> tuple[Places, Floats]:
    """The buckets of a text and what each counts: every group has its own length."""
    sizes = []
    for places, length in groups:
        size = rarity[places]
        sizes.append(size / np.float32(np.linalg.norm(size) or 1) * length)
    return np.concatenate([at for at, _ in groups]), np.concatenate(sizes).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Heads:
    """The head that reads clauses and the one that reads questions."""

    clauses: Head
    questions: Head


@cache
def load_heads() -> Heads:
    """The fitted weights, read once."""
    with files(__package__).joinpath(WEIGHTS).open("rb") as file:
        return heads_in(file)


def heads_in(file: IO[bytes]) -> Heads:
    """The heads that a file holds."""
    kept = np.load(file, allow_pickle=False)
    return Heads(*(_head(kept, prefix) for prefix in ("clauses", "questions")))


def _head(kept: Any, prefix: str) -> Head:
    return Head(
        rarity=kept[f"{prefix}_rarity"].astype(np.float32),
        words=kept[f"{prefix}_words"],
        scale=float(kept[f"{prefix}_scale"]),
        numbers=kept[f"{prefix}_numbers"].astype(np.float32),
        bias=kept[f"{prefix}_bias"],
        hidden=kept[f"{prefix}_hidden"].astype(np.float32),
        heard=kept[f"{prefix}_heard"].astype(np.float32),
    )


def chance(scores: Floats) -> Floats:
    """Chances of logarithms of odds, each by itself."""
    found: Floats = (1 / (1 + np.exp(-scores))).astype(np.float32)
    return found


def shares(scores: Floats) -> Floats:
    """Chances of which each row adds up to one: a softmax."""
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    found: Floats = (odds / odds.sum(axis=1, keepdims=True)).astype(np.float32)
    return found
