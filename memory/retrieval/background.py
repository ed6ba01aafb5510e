"""What similarities are compared with: the background of the store, and what is shown already."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import erf, sqrt
from uuid import UUID

import numpy as np

from memory.model.messages import TurnId
from memory.model.retrieval import Candidate, target_of
from memory.model.stores import Collection
from memory.ports import Embedder, Fingerprint, Vectors
from memory.storage.conversations.ledger import read_shown
from memory.storage.search.embeddings import Embeddings
from memory.storage.sqlite.readers import Snapshot

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

_Spots = list[tuple[int, ...]]
"""The hashes that the sample of each collection is made of."""


class SimilarityBackground:
    """Looks up what says that a similarity means something, or that a row was shown already."""

    def __init__(self, embeddings: Embeddings, embedder: Embedder) -> None:
        self._embeddings = embeddings
        self._embedder = embedder
        self._neutral: dict[Fingerprint, Vectors] = {}
        self._sampled: tuple[Fingerprint, _Spots, Vectors] | None = None

    async def prepare(self) -> None:
        """Embed the everyday lines, once: they never change, and a service is paid for each text.

        Raises:
            EmbeddingFailed: the embedder gave no vectors.

        """
        await self.prepare_for(self._embedder)

    async def prepare_for(self, embedder: Embedder) -> None:
        """Embed them by an embedder that is about to be used; see `prepare`."""
        made_with = embedder.fingerprint
        if made_with.embeds and made_with not in self._neutral:
            self._neutral[made_with] = await embedder.embed(NEUTRAL, "document")

    def around(self, vector: Vectors | None, snapshot: Snapshot) -> Background | None:
        """The background of a question: the sample of the store as it is, and everyday lines.

        The sample is read again only where it has changed, so the background depends on what is
        kept, and not on when it was last read. None without an embedding, or before `prepare`.
        """
        made_with = self._embeddings.fingerprint
        neutral = self._neutral.get(made_with)
        if vector is None or neutral is None:
            return None
        spots = [self._embeddings.spots(snapshot, each, SAMPLE // 2) for each in _SAMPLED]
        known = self._sampled
        if known is None or known[:2] != (made_with, spots):
            sample = np.concatenate([neutral, *self._samples(spots, snapshot)])
            known = self._sampled = made_with, spots, sample
        return background(vector, known[2])

    def _samples(self, spots: _Spots, snapshot: Snapshot) -> Iterator[Vectors]:
        for collection, those in zip(_SAMPLED, spots, strict=True):
            sample = self._embeddings.at(snapshot, collection, those)
            if sample is not None:
                yield sample

    def vectors(
        self, candidates: Sequence[Candidate], snapshot: Snapshot
    ) -> Mapping[UUID, Vectors]:
        """The embeddings of the candidates that have one."""
        return self._of([(one.collection, one.id) for one in candidates], snapshot)

    def shown(
        self, window: Sequence[TurnId], buffer: int, snapshot: Snapshot
    ) -> tuple[frozenset[str], Mapping[UUID, Vectors]]:
        """References of what was injected in these turns; vectors of the latest `buffer` by id."""
        refs = read_shown(snapshot, window)
        targets = [target_of(ref) for ref in refs]
        found = self._of(targets, snapshot)
        ids = [id_ for _, id_ in targets if id_ in found]
        return frozenset(refs), {id_: found[id_] for id_ in ids[max(0, len(ids) - buffer) :]}

    def _of(
        self, targets: Sequence[tuple[Collection, UUID]], snapshot: Snapshot
    ) -> Mapping[UUID, Vectors]:
        ids: dict[Collection, list[UUID]] = {}
        for collection, id_ in targets:
            ids.setdefault(collection, []).append(id_)
        found: dict[UUID, Vectors] = {}
        for collection, those in ids.items():
            found |= self._embeddings.read(snapshot, collection, those)
        return found


_SAMPLED = (Collection.MEMORY, Collection.LIVE, Collection.CONVERSATIONS)
"""What people and the pet said; summaries and notes are longer, and no measure of what is near."""
