"""The embedder that stands for none: recall goes by words, names and times only."""

from collections.abc import Sequence
from typing import Literal

from memory.model.errors import EmbeddingFailed
from memory.ports import Fingerprint, Vectors


class NoEmbedder:
    """An Embedder that has no vectors; a caller that asks its fingerprint first need not ask it."""

    fingerprint = Fingerprint(name="none", dimension=0, version="1")
    """Nothing, in no dimension."""

    async def embed(self, texts: Sequence[str], kind: Literal["query", "document"]) -> Vectors:
        """Never anything.

        Raises:
            EmbeddingFailed: always.

        """
        raise EmbeddingFailed(f"There is no embedder for {len(texts)} {kind} texts, by choice.")
