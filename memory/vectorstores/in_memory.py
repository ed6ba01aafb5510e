"""An exact index in memory, where there are no vectors and beside the real stores in tests.

It takes part in their contract tests, so a test that uses it proves something about those.
"""

from collections.abc import Sequence
from uuid import UUID

import numpy as np

from memory.model.audience import Audience, Scope
from memory.model.errors import VectorStoreUnavailable
from memory.model.stores import Collection
from memory.ports import FIRST_ID, Fingerprint, Hit, Point, Vectors
from memory.vectors import checked, checked_points, unit


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

    async def ids(
        self, collection: Collection, *, start: UUID = FIRST_ID, limit: int | None = None
    ) -> frozenset[UUID]:
        """The lowest ids from `start` on, at most `limit` of them, or all."""
        self._answer_or_raise()
        return frozenset(sorted(one for one in self._points[collection] if one >= start)[:limit])

    async def count(self, collection: Collection) -> int:
        """How many entries the collection has."""
        self._answer_or_raise()
        return len(self._points[collection])

    async def scrub(self, collections: Sequence[Collection]) -> bool:
        """There are no files."""
        del collections
        self._answer_or_raise()
        return True

    async def damaged(self, *, thorough: bool = False) -> Sequence[str]:
        """None: there are no files."""
        del thorough
        return []

    async def discard_damaged(self) -> int:
        """None: there are no files."""
        return 0

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
