"""How similar texts are that have nothing to do with each other, by embedder and store. Pure."""

from dataclasses import dataclass
from math import erf, sqrt

from memory.ports import Vectors

OUTLIER = 3.0
"""Standard deviations above the store's background at which a similarity is even evidence."""

LEAST_DEVIATION = 0.02
"""A background that hardly varies would make an outlier of every row."""


@dataclass(frozen=True, slots=True)
class Background:
    """How similar texts that have nothing to do with a query are to it."""

    mean: float
    deviation: float

    def deviations(self, similarity: float) -> float:
        """How many standard deviations above the background a similarity is."""
        return (similarity - self.mean) / self.deviation

    def confidence(self, similarity: float) -> float:
        """How sure a similarity means something, in 0..1; 0.5 at `OUTLIER` deviations."""
        return 0.5 * (1 + erf((self.deviations(similarity) - OUTLIER) / sqrt(2)))


def background(query: Vectors, sample: Vectors) -> Background:
    """The background of a query, from a sample of shape (n, dimension)."""
    similarities = sample @ query
    return Background(float(similarities.mean()), max(float(similarities.std()), LEAST_DEVIATION))
