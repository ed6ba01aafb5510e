"""Who said something, where and how long ago, in the words of a language people read."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Protocol

from bot.agent.tools.places import bare_name
from bot.model.commands import Caller
from bot.texts.catalogue import say
from bot.texts.sanitizing import extract
from memory.language.dates_in_words import age
from memory.model.audience import Origin, Scope
from memory.model.knowledge import Knowledge
from memory.model.linking import Account
from memory.model.namesakes import Author, NamesOfPeople, author_names, name_now
from memory.model.people import PersonId
from memory.model.rooms import Room, RoomId, RoomKind, Visibility
from memory.model.statements import Memory
from memory.ports import Clock
from memory.retrieval.references import Known

SHOWN_ID = 8
"""Characters of a statement's id: people may have to type them."""


class KnownPeople(Protocol):
    """Knows every room, and what people are called."""

    async def room(self, room: RoomId) -> Room | None:
        """A room by its id; None when there is none."""
        ...

    async def spoken_under(self, people: Iterable[PersonId | None], scope: Scope) -> NamesOfPeople:
        """Every name that these people spoke under within the scope, the latest first."""
        ...


class Provenance:
    """Tells a caller where rows come from."""

    def __init__(self, people: KnownPeople, clock: Clock) -> None:
        self._people = people
        self._clock = clock

    async def of_memory(self, row: Memory, caller: Caller) -> str:
        """Of a statement: by whom, unless that is told with it, where, when."""
        by = "" if row.is_reported else _by(*await self._author(row, caller), caller)
        notes = (by, await self._where(row.origin, caller))
        return self._joined(notes, row.valid_from, caller)

    async def claim(self, row: Memory, caller: Caller) -> str:
        """What a statement says; of what its author says of others, with who says it."""
        if not row.is_reported:
            return extract(row.content)
        return _claim(row.content, *await self._author(row, caller), caller)

    async def _author(self, row: Memory, caller: Caller) -> tuple[Author, str]:
        """The author under the name of now, and what they were called then, if otherwise."""
        names = await self._people.spoken_under([row.author], caller.scope)
        called = name_now((row.author, row.said_by or ""), names)
        return (row.author, called.name), called.then

    async def of_knowledge(self, row: Knowledge, caller: Caller) -> str:
        """Of a summary: where, when."""
        return self._joined((await self._where(row.origin, caller),), row.at, caller)

    def of_known(
        self, row: Known, caller: Caller, *, is_edited: bool, is_spoken: bool = False
    ) -> str:
        """Of what stood behind a reply: by whom, how, where, when, and if it was reworded since."""
        author, locale = (row.author, row.said_by or ""), caller.locale
        said = "" if row.is_reported else _by(author, row.then, caller)
        if row.kind == "exchange":
            said = say("provenance.between_us", locale, name=_told(author[1], row.then, locale))
        where = say("provenance.in_private", locale) if row.is_private else _in(row.room, caller)
        edited = say("provenance.edited_since", locale) if is_edited else ""
        spoken = say("provenance.by_voice", locale) if is_spoken else ""
        return self._joined(
            (said, spoken, where, edited, _against(row.against, caller)), row.at, caller
        )

    def _joined(self, notes: Sequence[str], at: datetime | None, caller: Caller) -> str:
        old = age(at, self._clock.now(), caller.locale) if at else ""
        return ", ".join(filter(None, (*notes, old)))

    async def _where(self, origin: Origin, caller: Caller) -> str:
        if origin.visibility is Visibility.PRIVATE:
            return say("provenance.in_private", caller.locale)
        room = None if origin.room is None else await self._people.room(origin.room)
        return _in(room, caller)


def shown_id(row: Memory) -> str:
    """What people call a statement by: `#1a2b3c4d`."""
    return f"#{row.id.hex[:SHOWN_ID]}"


def accounts_named(accounts: Sequence[Account]) -> str:
    """Accounts of one person, by platform and name, for themselves."""
    return ", ".join(f"{one.platform} ({extract(one.name)})" for one in accounts)


def claimed(row: Known, caller: Caller) -> str:
    """What a row says; of what its author says of others, with who says it."""
    if not row.is_reported:
        return extract(row.content)
    return _claim(row.content, (row.author, row.said_by or ""), row.then, caller)


def _claim(content: str, author: Author, then: str, caller: Caller) -> str:
    name = _told(_called(author, caller), then, caller.locale)
    return say("provenance.says", caller.locale, name=name, content=extract(content))


def _by(author: Author, then: str, caller: Caller) -> str:
    if not author[1]:
        return ""
    if author[0] == caller.person.id or author == (None, caller.person.name):
        if then:
            return say("provenance.said_by_you_then", caller.locale, then=then)
        return say("provenance.said_by_you", caller.locale)
    name = _told(_called(author, caller), then, caller.locale)
    return say("provenance.said_by", caller.locale, name=name)


def _told(name: str, then: str, locale: str) -> str:
    """A name as people read it, with what its bearer was called then if otherwise."""
    return say("provenance.then_called", locale, name=name, then=then) if then else name


def _against(authors: Sequence[Author], caller: Caller) -> str:
    if not authors:
        return ""
    names = ", ".join(dict.fromkeys(_called(one, caller) for one in authors))
    return say("provenance.contradicted", caller.locale, names=names)


def _called(author: Author, caller: Caller) -> str:
    """What to call an author towards the caller, who may have the same name."""
    return author_names([author], (caller.person.id, caller.person.name))[author]


def _in(room: Room | None, caller: Caller) -> str:
    """The room by its name; one that was open then and is no more has none for the others."""
    if room is None or (room.confidential and room.id != caller.room.id):
        return ""
    if room.kind is RoomKind.DIRECT:
        return say("provenance.in_private", caller.locale)
    name = bare_name(room)
    return say("provenance.in_room", caller.locale, room=name) if name else ""
