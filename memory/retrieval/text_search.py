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
from memory.storage.search.full_text import Spot, TextIndex

_STORES = frozenset(store.collection for store in Store)


class TextSearch:
    """Finds rows by their words. The index names them, each is read again within the scope."""

    def __init__(self, index: TextIndex, views: ReadViews, clock: Clock, zone: tzinfo) -> None:
        self._index = index
        self._visits = views
        self._clock = clock
        self._zone = zone

    async def find(self, text: str, scope: Scope, limit: int) -> list[Candidate]:
        """The latest rows that are what a query asks for, newest first.

        A message of an exchange that is found itself is not told again.

        Raises:
            UnreadableQuery: a part of the query means nothing, or nothing is looked for.

        """
        query = read_query(text, self._clock.now(), self._zone)
        spots = _told_once(await self._index.spots(query, scope, limit))[:limit]
        rows = await self._visits.make(partial(_read, spots), scope)
        return [rows[spot.id] for spot in spots if spot.id in rows]


def _read(spots: Sequence[Spot], view: ReadView) -> dict[UUID, Candidate]:
    rows = view.rows()
    found = (
        rows.statements(_of(spots, *_STORES)),
        rows.messages([MessageId(id_.int) for id_ in _of(spots, Collection.LIVE)]),
        rows.exchanges(_of(spots, Collection.CONVERSATIONS)),
        rows.knowledge(_of(spots, Collection.KNOWLEDGE)),
    )
    return {one.id: one for one in chain.from_iterable(found)}


def _told_once(spots: Sequence[Spot]) -> list[Spot]:
    exchanges = {one.id for one in spots if one.collection is Collection.CONVERSATIONS}
    return [
        one for one in spots if one.collection is not Collection.LIVE or one.turn not in exchanges
    ]


def _of(spots: Iterable[Spot], *collections: Collection) -> list[UUID]:
    return [one.id for one in spots if one.collection in collections]
