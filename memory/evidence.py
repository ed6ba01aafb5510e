"""What similarities are compared with: the background of the store, and what the window shows."""

import asyncio
from collections.abc import Mapping, Sequence
from uuid import UUID

import numpy as np

from memory.adapters.sqlite.embeddings import Embeddings
from memory.adapters.sqlite.ledger import Ledger
from memory.background import Background, background
from memory.model import Collection, TurnId
from memory.ports import Embedder, Vectors
from memory.retrieval import Candidate

SAMPLE = 256
"""Embeddings that stand for the background of a store: its mean and deviation settle by then."""

NEUTRAL = (
    "Bonjour tout le monde",
    "Il fait beau aujourd'hui",
    "J'ai mangé des pâtes à midi",
    "Le train avait encore du retard ce matin",
    "Quelqu'un a une idée pour ce soir ?",
    "Je regarde une série depuis hier",
    "La réunion est reportée à jeudi",
    "C'était vraiment une bonne journée",
    "Je ne trouve plus mes clés",
    "Le serveur ne répond plus depuis une heure",
    "On se retrouve devant le cinéma",
    "Merci beaucoup pour ton aide",
    "Good morning everyone",
    "The weather is nice today",
    "I had pasta for lunch",
    "The train was late again this morning",
    "Does anyone have an idea for tonight?",
    "I have been watching a show since yesterday",
    "The meeting has been moved to Thursday",
    "It was a really good day",
    "I can't find my keys anymore",
    "The server has not answered for an hour",
    "Let's meet in front of the cinema",
    "Thank you so much for your help",
    "How do I install this package?",
    "My phone battery is almost empty",
    "She bought a new bicycle last week",
    "We should fix the garden fence",
)
"""Everyday lines that stand for the background while a store is too small to be its own."""


class EvidenceFinder:
    """Looks up what says that a similarity means something, or that a row was shown already."""

    def __init__(self, embeddings: Embeddings, ledger: Ledger, embedder: Embedder) -> None:
        self._embeddings = embeddings
        self._ledger = ledger
        self._embedder = embedder
        self._neutral: Vectors | None = None
        self._sample: Vectors | None = None
        self._spots: list[tuple[int, ...]] = []

    def around(self, vector: Vectors | None) -> Background | None:
        """The background of a question; None without its embedding, or before `refresh`."""
        if vector is None or self._sample is None:
            return None
        return background(vector, self._sample)

    async def vectors(self, candidates: Sequence[Candidate]) -> Mapping[UUID, Vectors]:
        """The embeddings of the candidates that have one."""
        found: dict[UUID, Vectors] = {}
        for collection in {one.collection for one in candidates}:
            ids = [one.id for one in candidates if one.collection is collection]
            found |= await self._embeddings.of(collection, ids)
        return found

    async def shown(
        self, window: Sequence[TurnId], buffer: int
    ) -> tuple[frozenset[str], list[Vectors]]:
        """References of what was injected in these turns; vectors of the latest `buffer`."""
        refs = await self._ledger.shown(window) if window else []
        found: dict[UUID, Vectors] = {}
        for collection in Collection:
            ids = [_id_in(ref) for ref in refs if _is_in(ref, collection)]
            if ids:
                found |= await self._embeddings.of(collection, ids)
        vectors = [found[id_] for id_ in map(_id_in, refs) if id_ in found]
        return frozenset(refs), vectors[max(0, len(vectors) - buffer) :]

    async def refresh(self) -> None:
        """Take the sample of the store as it is now, with everyday lines beside it.

        It is read again only where it has changed, so each question can ask for it: the background
        then depends on what is kept, and not on when somebody last looked.

        Raises:
            EmbeddingFailed: the everyday lines could not be embedded.
            StorageFailed: the store could not be read.

        """
        if not self._embedder.fingerprint.embeds:
            return
        if self._neutral is None:  # they never change, and a service is paid for each text
            self._neutral = await self._embedder.embed(NEUTRAL, "document")
        spots = await asyncio.gather(
            *(self._embeddings.spots(collection, SAMPLE // 2) for collection in _SAMPLED)
        )
        if self._sample is not None and spots == self._spots:
            return
        samples = await asyncio.gather(*map(self._embeddings.at, _SAMPLED, spots))
        self._sample = np.concatenate([self._neutral, *(s for s in samples if s is not None)])
        self._spots = spots


_SAMPLED = (Collection.MEMORY, Collection.LIVE, Collection.CONVERSATIONS)
"""What people and the pet said; summaries and notes are longer, and no measure of what is near."""


def _id_in(ref: str) -> UUID:
    return UUID(ref.partition(":")[2].partition("@")[0])


def _is_in(ref: str, collection: Collection) -> bool:
    return ref.startswith(f"{collection}:")
