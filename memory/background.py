"""How similar texts are that have nothing to do with each other, by embedder and store. Pure."""

from dataclasses import dataclass

from memory.ports import Vectors

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


def background(query: Vectors, sample: Vectors) -> Background:
    """The background of a query, from a sample of shape (n, dimension)."""
    similarities = sample @ query
    return Background(
        float(similarities.mean()), max(float(similarities.std()), LEAST_DEVIATION)
    )
