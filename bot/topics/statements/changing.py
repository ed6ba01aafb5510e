"""Statements kept and put right by hand, as chat commands do it, by the caller's authority."""

from dataclasses import replace
from datetime import timedelta

from bot.errors import BotError
from bot.surfaces.access.caller import OperationCaller
from bot.surfaces.names import CalledNames
from bot.topics.statements import requests
from bot.topics.statements.listing import UnknownStatement
from bot.wiring.app import App
from memory.learning.store import Stored, one_line
from memory.model.audience import Origin
from memory.model.errors import HoldsNoMore
from memory.model.rooms import Visibility
from memory.model.statements import Memory, MemoryId, MemoryType, NewMemory, Source
from memory.model.stores import Store
from memory.model.ttl import parse_ttl
from memory.storage.sqlite.database import Check, no_check


class SaysTheSame(BotError):
    """A correction that changes nothing."""


class NotTheirs(BotError):
    """A statement that is not the caller's to have kept."""


class StatementChanges:
    """Keeps what a caller writes down, and puts right what they say is wrong."""

    def __init__(self, app: App, caller: OperationCaller) -> None:
        self._app = app
        self._caller = caller
        self._names = CalledNames(app, caller)

    async def add(self, request: requests.NewStatementRequest) -> Stored:
        """Keep a statement.

        Raises:
            UnknownCategory: its category does not exist in its store.
            NotOne: the name of whose it is is no one person's.
            NotTheirs: it is for others than the caller speaks for.

        """
        new = await self._new(request)
        return await self._app.services.commanded.add(new, self._caller.actor)

    async def correct(
        self, id_: MemoryId, request: requests.CorrectionRequest, check: Check = no_check
    ) -> MemoryId:
        """Let other words take the place of a statement, for exactly whom it was for.

        Raises:
            UnknownStatement: there is none.
            HoldsNoMore: it was forgotten or replaced meanwhile.
            SaysTheSame: the words are those that it has.

        """
        wrong = await self.held(id_)
        right = self._right(wrong, request)
        if right.content == wrong.content:
            raise SaysTheSame("It says exactly that already.")
        return await self.put_right(wrong, right, check)

    async def put_right(self, wrong: Memory, right: NewMemory, check: Check = no_check) -> MemoryId:
        """Let one statement take the place of another, if `check` lets it; which has it then.

        Raises:
            HoldsNoMore: the other was forgotten or replaced meanwhile.

        """
        stored = await self._app.services.commanded.correct(wrong, right, self._caller.actor, check)
        return stored.id

    async def held(self, id_: MemoryId) -> Memory:
        """A statement that is recalled.

        Raises:
            UnknownStatement: there never was one.
            HoldsNoMore: it is not recalled any more.

        """
        found = await self._app.storage.memories.visible([id_], self._caller.scope)
        if found:
            return found[0]
        if await self._app.storage.memories.gone([id_], self._caller.scope):
            raise HoldsNoMore("It was forgotten or replaced meanwhile.")
        raise UnknownStatement("There is no such memory.")

    def _right(self, wrong: Memory, request: requests.CorrectionRequest) -> NewMemory:
        left = wrong.expires_at - self._app.clock.now() if wrong.expires_at else None
        return replace(
            said_again(wrong, one_line(request.content), left),
            memory_type=MemoryType(request.kind) if request.kind else wrong.memory_type,
            importance=wrong.importance if request.importance is None else request.importance,
        )

    async def _new(self, request: requests.NewStatementRequest) -> NewMemory:
        store = Store(request.store)
        origin = await self._origin(store, request.person)
        kind = request.category or request.kind
        tuning = self._app.live_settings.current()
        return NewMemory(
            store=store,
            content=request.content,
            origin=origin,
            source=Source.CHAT,
            memory_type=MemoryType(request.kind) if store is Store.MEMORY else _OWN,
            category=request.category,
            subjects=request.about,
            importance=request.importance,
            ttl=tuning.ttl_of(kind) if request.ttl is None else parse_ttl(request.ttl),
        )

    async def _origin(self, store: Store, name: str | None) -> Origin:
        """Who may know what is written down: one person, a community, or everyone of the pet."""
        actor = self._caller.actor
        person = await self._names.person(name) if name else actor.person
        if actor.is_operator:
            return Origin(visibility=_visibility(store, person), person=person)
        if store is not Store.MEMORY or person != actor.person:
            raise NotTheirs("This key keeps statements of its own community or person alone.")
        if actor.space is not None:
            return Origin(visibility=Visibility.SPACE, space=actor.space)
        return Origin(visibility=Visibility.PRIVATE, person=person)


_OWN = MemoryType.OBSERVATION
"""The type of what has a category: what the pet is and wants."""


def said_again(wrong: Memory, content: str, ttl: timedelta | None) -> NewMemory:
    """A statement in other words: by the same speaker, about and for the same people."""
    return NewMemory(
        store=wrong.store,
        content=content,
        origin=wrong.origin,
        source=Source.CHAT,
        memory_type=wrong.memory_type,
        category=wrong.category,
        subjects=wrong.subjects,
        importance=wrong.importance,
        ttl=ttl,
        said_by=wrong.said_by,
        author=wrong.author,
        about_person=wrong.about_person,
        corrects=True,
    )


def _visibility(store: Store, person: object) -> Visibility:
    """Who may know what is written down: one person, the home space, or everyone of the pet."""
    if person is not None:
        return Visibility.PRIVATE
    return Visibility.SPACE if store is Store.MEMORY else Visibility.EVERYONE
