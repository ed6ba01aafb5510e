"""Statements page by page, one of them whole, and what hangs together with it, as JSON."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.surfaces.access.caller import OperationCaller
from bot.surfaces.api.problems import NotFound
from bot.surfaces.json import Event, core_fact_json, memory_json
from bot.surfaces.names import CalledNames, moment_in
from bot.topics.statements import requests
from bot.topics.statements.history import past_moment
from bot.wiring.app import App
from memory.model.history import HeldStatement
from memory.model.listing import SourceLine, StatementFilter, StatementPosition, Tied
from memory.model.rooms import Visibility
from memory.model.statements import Memory, MemoryId, MemoryType, RowState, Source
from memory.model.stores import Store

MOST_AROUND = 100
"""Sources, and ties, that are told of one statement: more than is read."""


class UnknownStatement(NotFound):
    """There is no such statement, or not for this caller."""


@dataclass(frozen=True, slots=True)
class ShownPage:
    """Statements as JSON, and where the next page begins; None on the last."""

    items: Sequence[Event]
    next: StatementPosition | None


class StatementListing:
    """Lets a caller look through statements."""

    def __init__(self, app: App, caller: OperationCaller) -> None:
        self._app = app
        self._caller = caller
        self._zone = app.settings.zone
        self._names = CalledNames(app, caller)

    async def page(
        self, request: requests.StatementsRequest, after: StatementPosition | None
    ) -> ShownPage:
        """The latest statements that are asked for, or the next ones after a page."""
        page = await self._app.storage.statement_list.page(
            await self._wanted(request), self._caller.scope, request.limit, after
        )
        return ShownPage([await self.json(one) for one in page.statements], page.next)

    async def one(self, id_: MemoryId) -> Event:
        """One statement, whether it holds or not.

        Raises:
            UnknownStatement: there is none, or it was forgotten.

        """
        for held in await self._app.storage.lifetimes.history(id_, self._caller.scope):
            if held.memory.id == id_:
                return await self._held_json(held)
        raise UnknownStatement("There is no such memory.")

    async def fate(self, id_: MemoryId) -> RowState:
        """What became of a statement.

        Raises:
            UnknownStatement: there never was one.

        """
        scope = self._caller.scope
        if await self._app.storage.memories.visible([id_], scope):
            return RowState.KNOWN
        gone = await self._app.storage.memories.gone([id_], scope)
        if id_ not in gone:
            raise UnknownStatement("There is no such memory.")
        return gone[id_]

    async def now(self, id_: MemoryId) -> Event:
        """What a statement is by now: its state, and what has its place."""
        state = await self.fate(id_)
        told: Event = {"state": state.value}
        if state is RowState.REPLACED:
            chain = await self._app.storage.lifetimes.history(id_, self._caller.scope)
            holding = [one.memory for one in chain if one.survivor is None]
            told["now"] = await self.json(holding[-1]) if holding else None
        return told

    async def history(self, id_: MemoryId) -> list[Event]:
        """What a statement took the place of and what took its place, in the order of saying.

        Raises:
            UnknownStatement: there is none, or it was forgotten.

        """
        await self.one(id_)
        chain = await self._app.storage.lifetimes.history(id_, self._caller.scope)
        return [await self._held_json(one) for one in chain]

    async def dependents(self, id_: MemoryId) -> Event:
        """What a statement rests on, is tied to, and what rests on it.

        Raises:
            UnknownStatement: there is none, or it was forgotten.

        """
        await self.one(id_)
        rows, scope = self._app.storage.statement_list, self._caller.scope
        sources = await rows.sources(id_, scope, MOST_AROUND)
        ties = await rows.ties(id_, scope, MOST_AROUND)
        facts = await self._app.storage.core_facts.behind(id_, scope)
        return {
            "sources": [await self._source_json(one) for one in sources],
            "associations": [await self._tied_json(one, id_) for one in ties],
            "facts": [core_fact_json(one) for one in facts],
        }

    async def json(self, memory: Memory) -> Event:
        """A statement as JSON, with what became of it and its room by name."""
        return {
            **memory_json(memory),
            "state": self._state(memory),
            "author": memory.author,
            "about": memory.about_person,
            "room_name": await self._names.room_name(memory.origin.room),
            "space": memory.origin.space,
            "revision": memory.revision,
        }

    def _state(self, memory: Memory) -> str:
        if memory.valid_until is not None:
            return RowState.REPLACED
        ended = memory.expires_at is not None and memory.expires_at <= self._app.clock.now()
        return RowState.EXPIRED if ended else "holds"

    async def _held_json(self, held: HeldStatement) -> Event:
        return {
            **await self.json(held.memory),
            "superseded_by": str(held.survivor) if held.survivor else None,
            "relation": held.relation.value if held.relation else None,
        }

    async def _source_json(self, one: SourceLine) -> Event:
        return {
            "id": one.id,
            "author": one.author,
            "text": one.text,
            "at": one.sent_at.isoformat(),
            "room": one.room,
            "room_name": await self._names.room_name(one.room),
        }

    async def _tied_json(self, one: Tied, id_: MemoryId) -> Event:
        return {
            "relation": one.tie.relation.value,
            "outward": one.tie.start == id_,
            "weight": one.tie.weight,
            "memory": await self.json(one.memory),
        }

    async def _wanted(self, request: requests.StatementsRequest) -> StatementFilter:
        who, where = request.who, request.room
        now = self._app.clock.now()
        return StatementFilter(
            store=Store(request.store) if request.store else None,
            memory_type=MemoryType(request.kind) if request.kind else None,
            category=request.category,
            person=await self._names.person(who) if who else None,
            room=await self._names.room(where) if where else None,
            visibility=Visibility(request.visibility) if request.visibility else None,
            source=Source(request.source) if request.source else None,
            since=moment_in(request.since, self._zone),
            until=moment_in(request.until, self._zone, ends=True),
            at=past_moment(request.as_of, now, self._zone) if request.as_of else None,
        )
