"""Search by one way alone, within a scope: word for word, or by meaning.

The index names rows, and each is read again within the scope.
"""

from collections.abc import Iterable, Sequence
from datetime import tzinfo
from functools import partial
from itertools import chain
from uuid import UUID

from memory.model.audience import Scope
from memory.model.errors import EmbeddingFailed
from memory.model.messages import MessageId
from memory.model.retrieval import Candidate
from memory.model.stores import Collection, Store
from memory.ports import Clock, EmbedderInUse
from memory.retrieval.read_views import ReadView, ReadViews
from memory.rules.query_syntax import read_query
from memory.storage.search.candidates import CandidateRows, RowSource
from memory.storage.search.full_text import TextIndex, TextMatch

_STORES = frozenset(store.collection for store in Store)

_SOURCE = RowSource("meaning")


class TextSearch:
    """Finds rows by their words. The index names them, each is read again within the scope."""

    def __init__(self, index: TextIndex, views: ReadViews, clock: Clock, zone: tzinfo) -> None:
        self._index = index
        self._read_views = views
        self._clock = clock
        self._zone = zone

    async def find(self, text: str, scope: Scope, limit: int) -> list[Candidate]:
        """The latest rows that are what a query asks for, newest first.

        A message of an exchange that is found itself is not told again.

        Raises:
            UnreadableQuery: a part of the query means nothing, or nothing is looked for.

        """
        query = read_query(text, self._clock.now(), self._zone)
        matches = _told_once(await self._index.matches(query, scope, limit))[:limit]
        rows = await self._read_views.make(partial(_read, matches), scope)
        return [rows[match.id] for match in matches if match.id in rows]


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
                partial(_read_near, collections, limit),
                scope,
                vector=vector,
                searches=dict.fromkeys(collections, limit),
            )


def _read(matches: Sequence[TextMatch], view: ReadView) -> dict[UUID, Candidate]:
    rows = view.rows()
    found = (
        rows.statements(_of(matches, *_STORES)),
        rows.messages([MessageId(id_.int) for id_ in _of(matches, Collection.LIVE)]),
        rows.exchanges(_of(matches, Collection.CONVERSATIONS)),
        rows.knowledge(_of(matches, Collection.KNOWLEDGE)),
    )
    return {one.id: one for one in chain.from_iterable(found)}


def _told_once(matches: Sequence[TextMatch]) -> list[TextMatch]:
    exchanges = {one.id for one in matches if one.collection is Collection.CONVERSATIONS}
    return [
        one for one in matches if one.collection is not Collection.LIVE or one.turn not in exchanges
    ]


def _of(matches: Iterable[TextMatch], *collections: Collection) -> list[UUID]:
    return [one.id for one in matches if one.collection in collections]


def _read_near(collections: Sequence[Collection], limit: int, view: ReadView) -> list[Candidate]:
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
