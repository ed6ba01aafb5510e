"""Core facts by person: listed, added and edited as the statements that they rest on."""

from collections.abc import Sequence
from dataclasses import replace

from bot.errors import BotError
from bot.surfaces.access.caller import OperationCaller
from bot.surfaces.api.cursors import Page, page_of
from bot.surfaces.names import CalledNames
from bot.texts.catalogue import say, texts_in
from bot.topics.statements import requests
from bot.topics.statements.changing import SaysTheSame, StatementChanges, said_again
from bot.topics.statements.listing import UnknownStatement
from bot.wiring.app import App
from memory.learning.store import one_line
from memory.model.audience import Origin
from memory.model.knowledge import CoreFact
from memory.model.listing import PersonFacts
from memory.model.people import PersonId
from memory.model.rooms import Visibility
from memory.model.statements import MemoryId, MemoryType, NewMemory, Source
from memory.model.stores import Store
from memory.rules.profile import Core, core_of
from memory.storage.sqlite.database import Check, no_check


class SeveralHold(BotError):
    """More than one value of a key holds of a person: say which by its id."""


class NotReadAsFact(BotError):
    """The words of a fact do not say it of its person."""


class CoreFactOperations:
    """Lets a caller look through core facts and change them."""

    def __init__(self, app: App, caller: OperationCaller) -> None:
        self._app = app
        self._caller = caller
        self._names = CalledNames(app, caller)
        self._changes = StatementChanges(app, caller)

    async def page(
        self, limit: int, after: tuple[str, PersonId] | None, *, history: bool = False
    ) -> Page[PersonFacts]:
        """The next people after a page, by name, each with their facts."""
        found = await self._app.storage.core_facts.by_person(
            self._caller.scope, limit + 1, after, history=history
        )
        return page_of(found, limit, lambda one: (one.name, one.person))

    async def of_person(
        self, person: str, key: str | None = None, *, history: bool = False
    ) -> Sequence[CoreFact]:
        """The facts about one person, by name or id, or those of one key.

        Raises:
            NotOne: the name is no one person's.

        """
        id_ = await self._names.person(person)
        return await self._app.storage.core_facts.of_person(
            id_, self._caller.scope, key=key, history=history
        )

    async def held(self, person: str, key: str) -> tuple[Sequence[CoreFact], Check]:
        """What holds of a person by a key, and what lets a change be made while it is so.

        Raises:
            NotOne: the name is no one person's.
            UnknownStatement: nothing of the key is known.

        """
        id_, scope = await self._names.person(person), self._caller.scope
        facts = self._app.storage.core_facts
        found = await facts.of_person(id_, scope, key=key)
        if not found:
            raise UnknownStatement("Nothing of the kind is known of this person.")
        return found, facts.unchanged(id_, key, scope, found)

    async def one(self, person: str, key: str, id_: str | None = None) -> CoreFact:
        """The one value of a key that holds of a person.

        Raises:
            NotOne: the name is no one person's.
            UnknownStatement: nothing of the key is known.
            SeveralHold: without an id more than one is meant.

        """
        whose = await self._names.person(person)
        found = await self._app.storage.core_facts.of_person(whose, self._caller.scope, key=key)
        meant = [one for one in found if id_ in (None, str(one.id))]
        if not meant:
            raise UnknownStatement("Nothing of the kind is known of this person.")
        if len(meant) > 1:
            ids = ", ".join(f"{one.id} ({one.visibility})" for one in meant)
            raise SeveralHold(f"Several values hold: name one by its id ({ids}).")
        return meant[0]

    async def edit(self, fact: CoreFact, value: str, check: Check = no_check) -> CoreFact:
        """Let a value take the place of another, since now, if `check` lets it; the fact then.

        Raises:
            HoldsNoMore: it was forgotten or replaced meanwhile.
            SaysTheSame: it is that value already.

        """
        value = one_line(value)
        wrong = await self._changes.held(fact.memory)
        if value == fact.value:
            raise SaysTheSame("It is exactly that already.")
        told = replace(said_again(wrong, wrong.content, None), core=(fact.key, value))
        again = wrong.content.replace(fact.value, value)
        right = self._worded(told, fact.key, value, again, wrong.said_by or fact.person)
        return await self._fact(await self._changes.put_right(wrong, right, check), fact.key)

    async def add(self, request: requests.NewFactRequest) -> CoreFact:
        """Keep a value of a key of a person, as if they had said it; the fact.

        Raises:
            NotOne: the name is no one person's.
            NotReadAsFact: its own words do not say it of the person.

        """
        person = await self._names.person(request.person)
        name = await self._name_of(person, request.person)
        private = request.visibility == "private"
        new = NewMemory(
            store=Store.MEMORY,
            content="",
            origin=Origin(
                visibility=Visibility.PRIVATE if private else Visibility.SPACE, person=person
            ),
            source=Source.CHAT,
            memory_type=MemoryType.FACT,
            subjects=(name,),
            said_by=name,
            author=person,
            about_person=person,
            core=(request.key, one_line(request.value)),
        )
        right = self._worded(new, request.key, one_line(request.value), request.content, name)
        stored = await self._app.services.commanded.add(right, self._caller.actor)
        return await self._fact(stored.id, request.key)

    async def _fact(self, memory: MemoryId, key: str) -> CoreFact:
        facts = self._app.storage.core_facts
        found = await facts.behind(memory, self._caller.scope)
        for one in found:
            if one.key == key:
                return one
        raise NotReadAsFact("It was kept as a memory, and is no fact about this person.")

    async def _name_of(self, person: PersonId, asked: str) -> str:
        """The name that a person goes by: it stands in the words of the fact."""
        names = await self._app.storage.person_views.names(person, self._caller.scope)
        return next((one for one in names if one.casefold() == asked.casefold()), None) or (
            names[0] if names else asked
        )

    def _worded(
        self, new: NewMemory, key: str, value: str, own: str | None, name: str
    ) -> NewMemory:
        """The statement in the first words that say this of the person."""
        for content in (own, self._sentence(key, value, name), f"{name}: {key}, {value}"):
            told = replace(new, content=one_line(content or ""))
            core = core_of(told) if content else None
            if core is not None and _is_meant(core, key, value):
                return told
        raise NotReadAsFact(f'That says no "{key}" of this person in words that are understood.')

    def _sentence(self, key: str, value: str, name: str) -> str:
        language = self._app.settings.locale
        stated = f"fact_stated.{key}"
        known = stated in texts_in(language).entries
        said = stated if known else "fact_stated.any"
        return say(said, language, name=name, key=key.replace("_", " "), value=value)


def _is_meant(core: Core, key: str, value: str) -> bool:
    return core.key == key and core.is_value(value)
