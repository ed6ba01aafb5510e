"""Finds what a statement is tied to, when it is stored and in a background pass later."""

from collections.abc import Mapping, Sequence

from memory.language.term_weights import Rarity
from memory.language.text import stems
from memory.model.statements import Memory, MemoryId, Statement
from memory.model.stores import Collection
from memory.ports import Fingerprint, Vectors
from memory.retrieval.background import Background, background
from memory.rules.association import Neighbour, Tie, ties
from memory.storage.search.embeddings import Embeddings
from memory.storage.search.term_counts import Vocabulary

SAMPLE = 256
"""Embeddings that stand for the background of a store: its mean and deviation settle by then."""

FEWEST = 30
"""With fewer there is no background to stand out of, and only words tie."""


class Associator:
    """Judges the neighbours of a statement against the background of the store."""

    def __init__(self, vocabulary: Vocabulary, embeddings: Embeddings) -> None:
        self._vocabulary = vocabulary
        self._embeddings = embeddings
        self._samples: dict[tuple[Fingerprint, Collection], Vectors] = {}
        self._uses: dict[Collection, int] = {}

    async def ties(
        self,
        statement: Statement,
        vector: Vectors | None,
        others: Sequence[Memory],
        similarities: Mapping[MemoryId, float],
    ) -> list[Tie]:
        """What a statement is tied to among others of its own audience, closest first.

        `vector` is its embedding, shape (dimension,); `similarities` are the cosines to it of those
        that were found by meaning.
        """
        if not others:
            return []
        around = await self._background(statement.store.collection, vector)
        seen, rows = await self._vocabulary.seen(set(stems(statement.content)))
        neighbours = [
            Neighbour(memory=one, nearness=_nearness(around, similarities.get(one.id)))
            for one in others
        ]
        return ties(statement, neighbours, Rarity(seen, rows, prior=0))

    async def _background(
        self, collection: Collection, vector: Vectors | None
    ) -> Background | None:
        if vector is None:
            return None
        sample = await self._sample(collection)
        return None if sample is None or len(sample) < FEWEST else background(vector, sample)

    async def _sample(self, collection: Collection) -> Vectors | None:
        """A sample of the store, taken anew after as many uses as it has rows."""
        of = (self._embeddings.fingerprint, collection)
        sample = self._samples.get(of)
        if sample is None or self._uses[collection] >= len(sample):
            sample = await self._embeddings.sample(collection, SAMPLE)
            self._uses[collection] = 0
            if sample is not None:
                self._samples[of] = sample
        self._uses[collection] += 1
        return sample


def _nearness(around: Background | None, similarity: float | None) -> float:
    if around is None or similarity is None:
        return 0.0
    return around.confidence(similarity)
