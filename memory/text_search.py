"""Search word for word: in what was said, exchanged, learnt and written down, within a scope."""

import asyncio
from collections.abc import Iterable, Sequence
from datetime import tzinfo
from uuid import UUID

from memory.adapters.sqlite.text_index import Spot, TextIndex
from memory.candidates import exchanged, known, overheard, remembered
from memory.kept import Kept
from memory.model import Collection, MessageId, Store
from memory.ports import Clock
from memory.retrieval import Candidate
from memory.scope import Scope
from memory.text_query import read_query

_STORES = frozenset(store.collection for store in Store)


class TextSearch:
    """Finds rows by their words. The index names them, each is read again within the scope."""

    def __init__(self, index: TextIndex, kept: Kept, clock: Clock, zone: tzinfo) -> None:
        self._index = index
        self._kept = kept
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
        rows = await self._read(spots, scope)
        return [rows[spot.id] for spot in spots if spot.id in rows]

    async def _read(self, spots: Sequence[Spot], scope: Scope) -> dict[UUID, Candidate]:
        kept = self._kept
        memories, messages, turns, knowledge = await asyncio.gather(
            kept.memories.visible(_of(spots, *_STORES), scope),
            kept.messages.visible(
                [MessageId(id_.int) for id_ in _of(spots, Collection.LIVE)], scope
            ),
            kept.turns.visible(_of(spots, Collection.CONVERSATIONS), scope),
            kept.knowledge.visible(_of(spots, Collection.KNOWLEDGE), scope),
        )
        found = (
            *map(remembered, memories),
            *map(overheard, messages),
            *map(exchanged, turns),
            *map(known, knowledge),
        )
        return {one.id: one for one in found}


def _told_once(spots: Sequence[Spot]) -> list[Spot]:
    exchanges = {one.id for one in spots if one.collection is Collection.CONVERSATIONS}
    return [
        one for one in spots if one.collection is not Collection.LIVE or one.turn not in exchanges
    ]


def _of(spots: Iterable[Spot], *collections: Collection) -> list[UUID]:
    return [one.id for one in spots if one.collection in collections]
