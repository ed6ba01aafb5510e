"""The part of mem0 that `benchmarks.peers` uses, in small: nearest by dot product, per user.

A test copies this file to where a process finds it as `mem0`.
"""

import sys
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

__version__ = "0-double"


class Memory:
    """Keeps texts with their vectors for as long as the process lives."""

    def __init__(self) -> None:
        self.embedding_model: Any = None
        self.vector_store = SimpleNamespace()
        self._kept: list[tuple[str, list[float]]] = []

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> "Memory":
        """An empty memory, if the configuration has what mem0 wants of it."""
        assert config["vector_store"]["provider"] == "qdrant"
        assert config["vector_store"]["config"]["embedding_model_dims"] > 0
        sys.stdout.write("chatter, as of libraries\n")
        return cls()

    def add(self, text: str, *, user_id: str, infer: bool) -> dict[str, Any]:
        """Keep a text as it is, under the number of its place."""
        assert not infer
        self._kept.append((user_id, self.embedding_model.embed(text, "add")))
        return {"results": [{"id": len(self._kept) - 1}]}

    def search(
        self, query: str, *, filters: Mapping[str, str], top_k: int, threshold: float
    ) -> dict[str, Any]:
        """The nearest texts of a user."""
        wanted = self.embedding_model.embed(query, "search")
        near = [
            (sum(a * b for a, b in zip(wanted, vector, strict=True)), place)
            for place, (user, vector) in enumerate(self._kept)
            if user == filters["user_id"]
        ]
        best = sorted(near, reverse=True)[:top_k]
        return {"results": [{"id": place} for score, place in best if score >= threshold]}
