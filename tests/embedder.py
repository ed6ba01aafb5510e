"""An embedder by hashes of words, for tests: alike texts are near, and nothing is loaded."""

from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Literal

import numpy as np

from memory.language.text import stems
from memory.model.errors import EmbeddingFailed
from memory.ports import Fingerprint, Vectors
from memory.vectors import direction_of, unit


class HashingEmbedder:
    """An Embedder whose texts are near when they share words, whatever their endings.

    Each stem has a direction drawn from its hash and a text is the sum of its stems. Setting
    `available` to False makes it fail like a service that is away.
    """

    def __init__(self, dimension: int = 256) -> None:
        self.available = True
        self._dimension = dimension

    @property
    def fingerprint(self) -> Fingerprint:
        """The name of the method and its dimension."""
        return Fingerprint(name="hashing", dimension=self._dimension, version="1")

    def held(self) -> AbstractContextManager[None]:
        """It is the only one, and stays in use anyway."""
        return nullcontext()

    async def embed(self, texts: Sequence[str], kind: Literal["query", "document"]) -> Vectors:
        """One unit vector per text; queries and documents are treated alike."""
        del kind
        if not self.available:
            raise EmbeddingFailed("The embedder in memory is switched off.")
        rows = np.empty((len(texts), self._dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[:] = self._vector(text)
        return rows

    def _vector(self, text: str) -> Vectors:
        found = Counter(stems(text))
        if not found:
            return direction_of(text, self._dimension)
        directions = [direction_of(stem, self._dimension) for stem in found]
        return unit(np.average(directions, axis=0, weights=list(found.values())))
