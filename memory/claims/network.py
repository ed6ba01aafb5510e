"""A small fitted network that scores rows of features; pure.

Features are brought to one spread around their mean. What each says alone and what one hidden layer
of rectified units makes of all is added up (Bishop 2006, 5.1). `benchmarks/networks.py` fits it.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import IO, Any

import numpy as np

from memory.claims.features import Floats

_FARTHEST = 4.0
"""Spreads from the mean at which a feature is cut."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """The weights; `names` are those of the features, where they have any."""

    names: tuple[str, ...] = ()
    mean: Floats
    spread: Floats
    alone: Floats
    hidden: Floats
    """What each feature says to each hidden unit; the last row is added to all."""
    heard: Floats
    bias: float

    def scores(self, rows: Floats) -> Floats:
        """A logarithm of odds for each row."""
        seen = self.standard(rows)
        units = np.maximum(seen @ self.hidden[:-1] + self.hidden[-1], 0)
        found: Floats = seen @ self.alone + units @ self.heard + np.float32(self.bias)
        return found

    def standard(self, rows: Floats) -> Floats:
        """The features as the weights are for them."""
        found: Floats = ((rows - self.mean) / self.spread).clip(-_FARTHEST, _FARTHEST)
        return found

    def written(self, prefix: str = "") -> dict[str, Any]:
        """Its arrays by name, as a file keeps them; `prefix` tells it from others in one file."""
        kept = {name: getattr(self, name).astype(np.float16) for name in _HALF}
        exact = {"mean": self.mean, "spread": self.spread, "bias": np.float32(self.bias)}
        every = {"names": "\n".join(self.names), **kept, **exact}
        return {f"{prefix}{name}": value for name, value in every.items()}


_HALF = ("alone", "hidden", "heard")


@cache
def load_network(package: str, name: str) -> Network:
    """The fitted network of a file of a package, read once."""
    with files(package).joinpath(name).open("rb") as file:
        return network_in(file)


def network_in(file: IO[bytes]) -> Network:
    """The network that a file holds."""
    return network_of(np.load(file, allow_pickle=False))


def network_of(kept: Any, prefix: str = "") -> Network:
    """One network of a file of arrays, by the prefix that it was written with."""
    return Network(
        names=tuple(filter(None, str(kept[f"{prefix}names"]).split("\n"))),
        bias=float(kept[f"{prefix}bias"]),
        **{name: kept[f"{prefix}{name}"].astype(np.float32) for name in ("mean", "spread", *_HALF)},
    )
