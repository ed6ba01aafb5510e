"""Honest doubles that live in memory: an exact index, and an embedder that hashes words.

They take part in the contract tests beside the real ones, so a test that uses them proves
something about those.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Literal
from uuid import UUID

import numpy as np

from memory.errors import EmbeddingFailed, VectorStoreUnavailable
from memory.language.text import stems
from memory.model.audience import Audience, Scope
from memory.model.stores import Collection
from memory.model.vectors import checked, checked_points, direction_of, unit
from memory.ports import Fingerprint, Hit, Point, Vectors


class InMemoryIndex:
    """A VectorIndex that compares with every entry; setting `available` to False takes it away."""

    def __init__(self, fingerprint: Fingerprint) -> None:
        self.available = True
        self._dimension = fingerprint.dimension
        self._points: dict[Collection, dict[UUID, Point]] = {name: {} for name in Collection}

    async def search(
        self, collection: Collection, vector: Vectors, *, limit: int, scope: Scope
    ) -> Sequence[Hit]:
        """The nearest entries the scope allows, best first, by exact cosine."""
        self._answer_or_raise()
        query = unit(checked(vector, self._dimension))
        allowed = [
            point
            for point in self._points[collection].values()
            if scope.allows(Audience(str(point.payload["audience"])))
        ]
        if not allowed:
            return []
        similarities = unit(np.array([point.vector for point in allowed])) @ query
        best = np.argsort(-similarities, kind="stable")[:limit]
        return [Hit(id=allowed[i].id, similarity=float(similarities[i])) for i in best]

    async def upsert(self, collection: Collection, points: Sequence[Point]) -> None:
        """Keep the points, replacing those with the same id."""
        self._answer_or_raise()
        checked_points(points, self._dimension)
        self._points[collection].update({point.id: point for point in points})

    async def delete(self, collection: Collection, ids: Sequence[UUID]) -> None:
        """Drop the points with these ids."""
        self._answer_or_raise()
        for each in ids:
            self._points[collection].pop(each, None)

    async def ids(self, collection: Collection) -> frozenset[UUID]:
        """Every id in the collection."""
        self._answer_or_raise()
        return frozenset(self._points[collection])

    async def scrub(self, collections: Sequence[Collection]) -> bool:
        """There are no files."""
        del collections
        self._answer_or_raise()
        return True

    async def drop_outdated(self) -> None:
        """No earlier embedder was here."""
        self._answer_or_raise()

    async def flush(self) -> None:
        """There is no disk."""
        self._answer_or_raise()

    async def close(self) -> None:
        """Answer nothing any more."""
        self.available = False

    def _answer_or_raise(self) -> None:
        if not self.available:
            raise VectorStoreUnavailable("The vector store in memory is switched off.")


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
