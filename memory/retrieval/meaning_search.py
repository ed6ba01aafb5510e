"""Search by meaning alone: what is nearest to a query, with how near it is, within a scope."""

from collections.abc import Sequence
from functools import partial

from memory.model.audience import Scope
from memory.model.errors import EmbeddingFailed
from memory.model.retrieval import Candidate
from memory.model.stores import Collection
from memory.ports import EmbedderInUse
from memory.retrieval.read_views import ReadView, ReadViews
from memory.storage.search.candidates import CandidateRows, RowSource

_SOURCE = RowSource("meaning")


class NothingEmbeds(EmbeddingFailed):
    """Nothing turns texts into vectors: search by words."""


class MeaningSearch:
    """Finds rows by what they mean. The index names them, each is read again within the scope."""

    def __init__(self, embedder: EmbedderInUse, views: ReadViews) -> None:
        self._embedder = embedder
        self._views = views

    async def find(
        self, text: str, collections: Sequence[Collection], scope: Scope, limit: int
    ) -> list[Candidate]:
        """The nearest rows, the nearest first.

        Raises:
            NothingEmbeds: the pet has none.
            EmbeddingFailed: it gave no vector.
            VectorStoreUnavailable: the store did not answer.

        """
        with self._embedder.held():
            if not self._embedder.fingerprint.embeds:
                raise NothingEmbeds("There is no embedder, so nothing is found by meaning.")
            vector = (await self._embedder.embed([text], "query"))[0]
            return await self._views.make(
                partial(_read, collections, limit),
                scope,
                vector=vector,
                searches=dict.fromkeys(collections, limit),
            )


def _read(collections: Sequence[Collection], limit: int, view: ReadView) -> list[Candidate]:
    rows = view.rows()
    found = [row for one in collections for row in _near(rows, one, view, limit) if row.similarity]
    return sorted(found, key=lambda row: -(row.similarity or 0.0))[:limit]


def _near(
    rows: CandidateRows, collection: Collection, view: ReadView, limit: int
) -> list[Candidate]:
    hits = view.hits(collection, limit)
    match collection:
        case Collection.LIVE:
            return rows.messages_by_meaning(_SOURCE, hits)
        case Collection.CONVERSATIONS:
            return rows.exchanges_by_meaning(_SOURCE, hits)
        case Collection.KNOWLEDGE:
            return rows.knowledge_by_meaning(_SOURCE, hits)
        case _:
            return rows.statements_by_meaning(_SOURCE, hits)
