"""Search by meaning, by words, or by both as recall does it; filtered, with scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from bot.surfaces.access.caller import OperationCaller
from bot.surfaces.names import CalledNames, moment_in
from bot.topics.statements import requests
from bot.wiring.app import App
from memory.model.people import PersonId
from memory.model.retrieval import Candidate
from memory.model.rooms import RoomId, Visibility
from memory.model.shown import Shown
from memory.model.statements import Memory
from memory.model.stores import Collection, Store

MOST_LOOKED_AT = 200
"""Rows, the best first, that filters leave some of."""

SAID = "said"
"""The store of what is no statement: messages, exchanges, summaries, notes."""

_STATED = {store.collection for store in Store}
_SAID = (Collection.LIVE, Collection.CONVERSATIONS, Collection.KNOWLEDGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Criteria:
    """What a row that was found must be."""

    person: PersonId | None
    room: RoomId | None
    since: datetime | None
    until: datetime | None
    kind: str | None
    visibility: str | None

    @property
    def are_none(self) -> bool:
        """Whether everything that is found is wanted."""
        return not any((self.person, self.room, self.since, self.until, self._of_statements))

    @property
    def _of_statements(self) -> bool:
        return bool(self.kind or self.visibility)

    def allow(self, row: Candidate, memory: Memory | None) -> bool:
        """Whether a row is wanted; only of statements is it known what they are and for whom."""
        if self.person is not None and self.person not in (row.author_id, row.about):
            return False
        if self.room is not None and row.room != self.room:
            return False
        return self._is_then(row.at) and (not self._of_statements or self._is_such(memory))

    def _is_then(self, at: datetime) -> bool:
        began = self.since is None or at >= self.since
        return began and (self.until is None or at < self.until)

    def _is_such(self, memory: Memory | None) -> bool:
        if memory is None:
            return False
        kinds = (memory.memory_type.value, memory.category)
        is_kind = self.kind is None or self.kind in kinds
        return is_kind and self.visibility in (None, memory.origin.visibility.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundRow:
    """A row that was found; of statements alone it is known what they are and for whom.

    `found_by` holds its rank by each source, 1 is best; `score` is recall's, which ranks by both.
    """

    id: Shown[str]
    collection: Shown[Collection]
    content: Shown[str]
    said_by: Shown[str | None]
    at: Shown[datetime]
    room: Shown[RoomId | None]
    room_name: Shown[str | None]
    kind: Shown[str | None]
    visibility: Shown[Visibility | None]
    score: Shown[float | None]
    similarity: Shown[float | None]
    found_by: Shown[Mapping[str, int]]


class StatementSearch:
    """Finds what a caller may know."""

    def __init__(self, app: App, caller: OperationCaller) -> None:
        self._app = app
        self._caller = caller
        self._zone = app.settings.zone
        self._names = CalledNames(app, caller)

    async def found(self, request: requests.SearchMemoryRequest) -> list[FoundRow]:
        """What is found, best first; by words alone, newest first.

        Of many rows that fit, filters leave some of the `MOST_LOOKED_AT` best.
        """
        criteria = await self._criteria(request)
        most = request.limit if criteria.are_none and not request.store else MOST_LOOKED_AT
        rows = [one for one in await self._rows(request, most) if _is_of(request.store, one)]
        memories = await self._memories(rows)
        wanted = [one for one in rows if criteria.allow(one, memories.get(one.id))]
        shown = wanted[: request.limit]
        return [await self._found(one, memories.get(one.id), request.mode) for one in shown]

    async def _rows(self, request: requests.SearchMemoryRequest, most: int) -> list[Candidate]:
        services, scope, query = self._app.services, self._caller.scope, request.q
        if request.mode == "text":
            return list(await services.texts.find(query, scope, most))
        if request.mode == "semantic":
            return await services.meanings.find(query, _collections(request.store), scope, most)
        stores = _stores(request.store)
        rows = await services.recall.search(query, stores, scope, most) if stores else []
        if request.store in (None, SAID):
            rows += await services.recall.search_history(query, scope, most)
        return sorted(rows, key=lambda row: -row.worth)

    async def _criteria(self, request: requests.SearchMemoryRequest) -> _Criteria:
        return _Criteria(
            person=await self._names.person(request.who) if request.who else None,
            room=await self._names.room(request.room) if request.room else None,
            since=moment_in(request.since, self._zone),
            until=moment_in(request.until, self._zone, ends=True),
            kind=request.kind,
            visibility=request.visibility,
        )

    async def _memories(self, rows: Sequence[Candidate]) -> Mapping[UUID, Memory]:
        ids = [one.id for one in rows if one.collection in _STATED]
        found = await self._app.storage.memories.visible(ids, self._caller.scope)
        return {one.id: one for one in found}

    async def _found(self, row: Candidate, memory: Memory | None, mode: str) -> FoundRow:
        is_message = row.collection is Collection.LIVE
        return FoundRow(
            id=str(row.id.int if is_message else row.id),
            collection=row.collection,
            content=row.content,
            said_by=row.author,
            at=row.at,
            room=row.room,
            room_name=await self._names.room_name(row.room),
            kind=None if memory is None else memory.category or memory.memory_type,
            visibility=None if memory is None else memory.visibility,
            score=round(row.score, 3) if mode == "hybrid" else None,
            similarity=None if row.similarity is None else round(row.similarity, 3),
            found_by=row.sources,
        )


def _stores(store: str | None) -> list[Store]:
    if store is None:
        return list(Store)
    return [] if store == SAID else [Store(store)]


def _collections(store: str | None) -> list[Collection]:
    of_stores = [one.collection for one in _stores(store)]
    return [*of_stores, *_SAID] if store in (None, SAID) else of_stores


def _is_of(store: str | None, row: Candidate) -> bool:
    return store is None or row.collection in _collections(store)
