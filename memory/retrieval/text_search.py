"""Search word for word: in what was said, exchanged, learnt and written down, within a scope."""

from collections.abc import Iterable, Sequence
from datetime import tzinfo
from functools import partial
from itertools import chain
from uuid import UUID

from memory.model.audience import Scope
from memory.model.messages import MessageId
from memory.model.retrieval import Candidate
from memory.model.stores import Collection, Store
from memory.ports import Clock
from memory.retrieval.read_views import ReadView, ReadViews
from memory.rules.query_syntax import read_query
from memory.storage.search.full_text import TextIndex, TextMatch

_STORES = frozenset(store.collection for store in Store)


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
