"""Statements page by page, one of them whole, and what hangs together with it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from bot.surfaces.access.caller import OperationCaller
from bot.surfaces.api.cursors import Page, cursor_of
from bot.surfaces.api.problems import NotFound
from bot.surfaces.names import CalledNames, moment_in
from bot.surfaces.values import extended
from bot.topics.statements import requests
from bot.topics.statements.history import past_moment
from bot.wiring.app import App
from memory.model.knowledge import CoreFact
from memory.model.listing import HeldStatement, SourceLine, StatementFilter, StatementPosition, Tied
from memory.model.people import PersonId
from memory.model.rooms import RoomId, SpaceId, Visibility
from memory.model.shown import Shown
from memory.model.statements import Memory, MemoryId, MemoryType, Relation, RowState, Source
from memory.model.stores import Store

MOST_AROUND = 100
"""The most sources, and the most ties, shown of one statement."""


class UnknownStatement(NotFound):
    """There is no such statement, or not for this caller."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedStatement(Memory):
    """A statement with what became of it, whose it is, and its room by name.

    `state` is holds, expired or replaced.
    """

    author: Shown[PersonId | None]
    revision: Shown[int]
    state: Shown[str]
    room_name: Shown[str | None]

    @property
    def about(self) -> Shown[PersonId | None]:
        """Whom it is about."""
        return self.about_person

    @property
    def space(self) -> Shown[SpaceId]:
        """The community it was said in."""
        return self.origin.space


Listed = TypeVar("Listed", bound=ListedStatement)


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementInHistory(ListedStatement):
    """A statement in its history, with what took its place and what that was to it."""

    superseded_by: Shown[MemoryId | None]
    relation: Shown[Relation | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementNow:
    """What became of a statement, and what has its place where another one does."""

    state: Shown[RowState]
    now: Shown[ListedStatement | None] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceShown(SourceLine):
    """A message that a statement rests on, with its room by name."""

    room_name: Shown[str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class TieShown:
    """A statement that another is tied to; `outward` where the tie begins at the other."""

    relation: Shown[Relation]
    outward: Shown[bool]
    weight: Shown[float]
    memory: Shown[ListedStatement]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependents:
    """What a statement rests on, is tied to, and the core facts that rest on it."""

    sources: Shown[Sequence[SourceShown]]
    associations: Shown[Sequence[TieShown]]
    facts: Shown[Sequence[CoreFact]]


class StatementListing:
    """Lets a caller look through statements."""

    def __init__(self, app: App, caller: OperationCaller) -> None:
        self._app = app
        self._caller = caller
        self._zone = app.settings.zone
        self._names = CalledNames(app, caller)

    async def page(
        self, request: requests.StatementsRequest, after: StatementPosition | None
    ) -> Page[ListedStatement]:
        """The latest statements that are asked for, or the next ones after a page."""
        page = await self._app.storage.statement_list.page(
            await self._wanted(request), self._caller.scope, request.limit, after
        )
        ended = cursor_of(page.next.said_at, page.next.seq) if page.next else None
        return Page([await self._listed(one, ListedStatement) for one in page.statements], ended)

    async def one(self, id_: MemoryId) -> StatementInHistory:
        """One statement, whether it holds or not.

        Raises:
            UnknownStatement: there is none, or it was forgotten.

        """
        for held in await self._app.storage.lifetimes.history(id_, self._caller.scope):
            if held.memory.id == id_:
                return await self._in_history(held)
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

    async def now(self, id_: MemoryId) -> StatementNow:
        """What a statement is by now; forgotten, where there is none."""
        try:
            state = await self.fate(id_)
        except UnknownStatement:
            state = RowState.FORGOTTEN
        if state is not RowState.REPLACED:
            return StatementNow(state=state)
        chain = await self._app.storage.lifetimes.history(id_, self._caller.scope)
        holding = [one.memory for one in chain if one.survivor is None]
        now = await self._listed(holding[-1], ListedStatement) if holding else None
        return StatementNow(state=state, now=now)

    async def history(self, id_: MemoryId) -> Page[StatementInHistory]:
        """What a statement took the place of and what took its place, in the order of saying.

        Raises:
            UnknownStatement: there is none, or it was forgotten.

        """
        await self.one(id_)
        chain = await self._app.storage.lifetimes.history(id_, self._caller.scope)
        return Page([await self._in_history(one) for one in chain])

    async def dependents(self, id_: MemoryId) -> Dependents:
        """What a statement rests on, is tied to, and what rests on it.

        Raises:
            UnknownStatement: there is none, or it was forgotten.

        """
        await self.one(id_)
        rows, scope = self._app.storage.statement_list, self._caller.scope
        sources = await rows.sources(id_, scope, MOST_AROUND)
        ties = await rows.ties(id_, scope, MOST_AROUND)
        facts = await self._app.storage.core_facts.behind(id_, scope)
        return Dependents(
            sources=[
                extended(SourceShown, one, room_name=await self._name(one.room)) for one in sources
            ],
            associations=[await self._tied(one, id_) for one in ties],
            facts=facts,
        )

    async def _listed(self, memory: Memory, kind: type[Listed], **more: Any) -> Listed:
        name = await self._name(memory.room)
        return extended(kind, memory, state=self._state(memory), room_name=name, **more)

    async def _in_history(self, held: HeldStatement) -> StatementInHistory:
        return await self._listed(
            held.memory,
            StatementInHistory,
            superseded_by=held.survivor,
            relation=held.relation,
        )

    async def _tied(self, one: Tied, id_: MemoryId) -> TieShown:
        return TieShown(
            relation=one.tie.relation,
            outward=one.tie.start == id_,
            weight=one.tie.weight,
            memory=await self._listed(one.memory, ListedStatement),
        )

    async def _name(self, room: RoomId | None) -> str | None:
        return await self._names.room_name(room)

    def _state(self, memory: Memory) -> str:
        if memory.valid_until is not None:
            return RowState.REPLACED
        ended = memory.expires_at is not None and memory.expires_at <= self._app.clock.now()
        return RowState.EXPIRED if ended else "holds"

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
