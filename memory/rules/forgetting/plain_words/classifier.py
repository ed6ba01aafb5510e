"""Linear classifiers: what was fitted, as weights of features. Pure.

Logistic regression: the sum of the weights is the logarithm of the odds. Of features that are there
or not the sum is divided by the root of their number, so that a long message weighs no more.
"""

import json
import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_BIAS = "bias"


@dataclass(frozen=True, slots=True)
class LinearClassifier:
    """Weights by the name of their feature."""

    bias: float
    weights: Mapping[str, float]

    def log_odds(self, features: Collection[str]) -> float:
        """How likely it is for what has these features; above zero is more likely than not."""
        known = [weight for one in features if (weight := self.weights.get(one)) is not None]
        return self.bias + (sum(known) / math.sqrt(len(known)) if known else 0.0)

    def weighed(self, features: Mapping[str, float]) -> float:
        """The same for features that have a size."""
        return self.bias + sum(
            self.weights.get(name, 0.0) * size for name, size in features.items()
        )


@cache
def classifier(name: str) -> LinearClassifier:
    """The classifier of that name, read once."""
    path = files(__package__).joinpath("weights", f"{name}.json")
    weights: dict[str, float] = json.loads(path.read_text(encoding="utf-8"))
    return LinearClassifier(weights.pop(_BIAS), weights)


def chance(log_odds: float) -> float:
    """The probability that these odds are, from 0 to 1."""
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, log_odds))))
