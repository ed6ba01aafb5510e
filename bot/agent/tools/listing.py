"""Rows as a tool lists them: what they say, what they are, how old, by whom and where."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from bot.agent.toolbox import ToolAnswer, ToolContext
from bot.agent.tools.places import Places
from bot.model.tool_values import EXCHANGE, Listed, ListedRow
from bot.model.turns import Batch
from memory.language.dates_in_words import age
from memory.language.detection import told_language
from memory.language.excerpts import terms_of
from memory.model.audience import Scope
from memory.model.namesakes import (
    Author,
    AuthorName,
    NamesOfPeople,
    former_names,
    is_own,
    present_names,
)
from memory.model.recalled import addressed
from memory.model.retrieval import Candidate, Section
from memory.model.rooms import RoomKind
from memory.model.statements import Memory, MemoryId
from memory.model.stores import Collection, Store
from memory.ports import Clock
from memory.retrieval.present_names import Renamed, renamed_in
from memory.retrieval.rendering import told
from memory.storage.statements.statements import Memories

SHOWN_ID = 8
"""Characters of an id that the model is shown: unique among what one turn lists, and short."""

LONGEST_EXTRACT = 400
"""Characters of an earlier exchange or message that are listed, as many as are injected."""

_NOTHING = "Nothing found."

_KINDS = {
    Section.CORE: "core fact",
    Section.MEMORY: "core fact",
    Section.SUMMARIES: "summary",
    Section.NOTES: "note",
}
_STATEMENTS = frozenset(store.collection for store in Store)


class Callers:
    """What to call the authors of listed rows now, towards the person who is answered."""

    def __init__(self, authors: Sequence[Author], names: NamesOfPeople, batch: Batch) -> None:
        self._reader = (batch.person.id, batch.person.name)
        self._alone = batch.room.kind is RoomKind.DIRECT
        self._called = present_names(authors, names, self._reader)
        self._former = former_names(names)

    def of(self, author: Author) -> AuthorName:
        """What to call one of the authors."""
        return self._called[author]

    def is_own(self, author: Author) -> bool:
        """Whether one of the authors is who is answered."""
        said = (author[0], self._called[author].name)
        return is_own(said, self._reader, alone=self._alone)

    def renamed_in(self, content: str, author: AuthorName | None = None) -> Renamed:
        """The former names in a text but for its author's then, each with the name of now."""
        return renamed_in(content, self._former, but=author.then if author else "")


class Listing:
    """Lists rows for a model, each read again within the scope, and notes what it was told."""

    def __init__(self, memories: Memories, places: Places, clock: Clock, *, locale: str) -> None:
        self._memories = memories
        self._whereabouts = places
        self._clock = clock
        self._locale = locale

    async def of_memories(self, rows: Sequence[Memory], context: ToolContext) -> ToolAnswer:
        """Statements, one a line; they count as used."""
        await self._memories.accessed([row.id for row in rows])
        against = await self._memories.contradicting([row.id for row in rows], context.scope)
        called = await self._called([], rows, against, context)
        listed = [await self._memory(row, against.get(row.id, ()), called, context) for row in rows]
        return _answer(listed, context)

    async def of_rows(
        self,
        found: Sequence[Candidate],
        asked: str,
        context: ToolContext,
        *,
        longest: int = LONGEST_EXTRACT,
    ) -> ToolAnswer:
        """Rows of any collection in the order given, one a line; statements count as used.

        Those of more than `longest` characters are cut around the words that were asked for.
        """
        wanted = terms_of(asked)
        stated = await self._stated(found, context.scope)
        await self._memories.accessed([row.id for row in stated.values()])
        against = await self._memories.contradicting(list(stated), context.scope)
        places = await self._whereabouts.of_history(found, context.scope)
        there = [one for one in found if _is_there(one, stated, places)]
        called = await self._called(there, stated.values(), against, context)
        rows = [
            await self._memory(stated[one.id], against.get(one.id, ()), called, context)
            if one.id in stated
            else await self._row(one, told(one, wanted, longest), places, called, context)
            for one in there
        ]
        return _answer(rows, context)

    async def _called(
        self,
        rows: Sequence[Candidate],
        stated: Iterable[Memory],
        against: Mapping[UUID, Sequence[Author]],
        context: ToolContext,
    ) -> Callers:
        authors = [
            *(_author_of(one) for one in rows),
            *((one.author, one.said_by or "") for one in stated),
            *(author for those in against.values() for author in those),
        ]
        person = context.batch.person
        people = {person.id, *(who for who, _ in authors), *(one.about_person for one in stated)}
        names = await self._whereabouts.names(people, context.scope)
        return Callers(authors, names, context.batch)

    async def _stated(self, found: Sequence[Candidate], scope: Scope) -> Mapping[UUID, Memory]:
        ids = [one.id for one in found if one.collection in _STATEMENTS]
        rows = await self._memories.visible(ids, scope) if ids else []
        return {row.id: row for row in rows}

    async def _row(
        self,
        one: Candidate,
        content: str,
        places: Mapping[UUID, str],
        called: Callers,
        context: ToolContext,
    ) -> ListedRow:
        if one.collection is Collection.KNOWLEDGE:
            return await self._knowledge(one, content, called, context)
        return self._extract(one, content, places[one.id], called, context)

    async def _memory(
        self, row: Memory, against: Sequence[Author], called: Callers, context: ToolContext
    ) -> ListedRow:
        said = (row.author, row.said_by or "")
        author = called.of(said)
        return ListedRow(
            id=show(row.id, context),
            kind=row.category or row.memory_type,
            content=row.content,
            age=self._age(row.updated_at, context),
            said_by=author.name or None,
            then=author.then,
            person=row.author,
            renamed=called.renamed_in(row.content, author),
            reported=row.is_reported,
            own=called.is_own(said),
            against=tuple(dict.fromkeys(called.of(one).name for one in against)),
            where=await self._whereabouts.of_memory(row.origin),
            ref=f"{row.store.collection}:{row.id}@{row.revision}",
        )

    async def _knowledge(
        self, one: Candidate, content: str, called: Callers, context: ToolContext
    ) -> ListedRow:
        return ListedRow(
            id=shown_knowledge(one.id),
            kind=_KINDS[one.section],
            content=content,
            age=self._age(one.at, context),
            renamed=called.renamed_in(content),
            where=await self._whereabouts.of_room(one.room),
            ref=one.ref,
        )

    def _extract(
        self, one: Candidate, content: str, where: str, called: Callers, context: ToolContext
    ) -> ListedRow:
        is_message = one.collection is Collection.LIVE
        author = called.of(_author_of(one))
        return ListedRow(
            id=shown_message(one.id) if is_message else shown_exchange(one.id),
            kind="message" if is_message else EXCHANGE,
            content=content,
            age=self._age(one.at, context),
            said_by=author.name if is_message else None,
            then=author.then,
            person=one.author_id,
            renamed=called.renamed_in(content, author),
            own=called.is_own(_author_of(one)),
            spoke_with=None if is_message else author.name,
            where=where,
            ref=one.ref,
        )

    def _age(self, then: datetime, context: ToolContext) -> str:
        """In the language of who asks: a pet that answers by rules repeats it as it stands."""
        language = told_language(context.batch.own_text) or self._locale
        return age(then, self._clock.now(), language)


def _author_of(one: Candidate) -> Author:
    return (one.author_id or one.teller, one.author or "")


def show(memory: MemoryId, context: ToolContext) -> str:
    """The short id that the model is shown, noted as one it may name from now on."""
    short = memory.hex[:SHOWN_ID]
    context.shown[short] = memory
    return short


def shown_message(message: UUID) -> str:
    """The id of a lobby message as the model is shown it."""
    return f"m{message.int}"


def shown_exchange(turn: UUID) -> str:
    """The id of an exchange as the model is shown it."""
    return f"t{turn.hex[:SHOWN_ID]}"


def shown_knowledge(row: UUID) -> str:
    """The id of a summary, core fact or note as the model is shown it."""
    return f"k{row.hex[:SHOWN_ID]}"


def line(row: ListedRow) -> str:
    """One row as a model reads it."""
    against = f"contradicted by {' and '.join(row.against)}" if row.against else ""
    edited = "edited since" if row.is_edited else ""
    renamed = [f"{then} is {now} now" for then, now in row.renamed]
    notes = (row.kind, row.age, _author(row), row.where, *renamed, against, edited)
    return f"- [id {row.id}] ({', '.join(note for note in notes if note)}) {row.content}"


def lines(rows: Iterable[ListedRow], context: ToolContext) -> list[str]:
    """The rows as a model reads them, noted among what it was told."""
    listed = list(rows)
    context.rows.update({row.id: row for row in listed})
    return [line(row) for row in listed]


def _author(row: ListedRow) -> str:
    called = AuthorName(row.spoke_with or row.said_by or "", row.then)
    if row.is_exchange:
        return f"between {called} and you"
    return f"said by {addressed(called, own=row.own)}" if row.said_by else ""


def _answer(rows: Sequence[ListedRow], context: ToolContext) -> ToolAnswer:
    text = "\n".join(lines(rows, context)) or _NOTHING
    return ToolAnswer(text, Listed(rows=tuple(rows)))


def _is_there(one: Candidate, stated: Mapping[UUID, Memory], places: Mapping[UUID, str]) -> bool:
    """Whether a row is not gone and may be seen."""
    return one.collection is Collection.KNOWLEDGE or one.id in stated or one.id in places
