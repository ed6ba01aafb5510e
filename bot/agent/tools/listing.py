"""Rows as a tool lists them: what they say, what they are, how old, by whom and where."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from bot.agent.toolbox import ToolContext
from bot.agent.tools.places import Whereabouts
from memory.language.dates_in_words import age
from memory.language.detection import told_language
from memory.learning.store import one_line
from memory.model.audience import Scope
from memory.model.retrieval import Candidate, Section
from memory.model.statements import Memory, MemoryId
from memory.model.stores import Collection, Store
from memory.ports import Clock
from memory.storage.statements.statements import Memories

SHOWN_ID = 8
"""Characters of an id that the model is shown: unique among what one turn lists, and short."""

LONGEST_EXTRACT = 400
"""Characters of an earlier exchange or message that are listed, as many as are injected."""

_NOTHING = "Nothing found."

_KINDS = {
    Section.CORE: "core fact",
    Section.SUMMARIES: "summary",
    Section.NOTES: "note",
}
_STATEMENTS = frozenset(store.collection for store in Store)


class Listing:
    """Lists rows for a model, each read again within the scope, and notes what it was told."""

    def __init__(
        self, memories: Memories, whereabouts: Whereabouts, clock: Clock, *, locale: str
    ) -> None:
        self._memories = memories
        self._whereabouts = whereabouts
        self._clock = clock
        self._locale = locale

    async def of_memories(self, rows: Sequence[Memory], context: ToolContext) -> str:
        """Statements, one a line; they count as used."""
        await self._memories.accessed([row.id for row in rows])
        return "\n".join([await self._memory(row, context) for row in rows]) or _NOTHING

    async def of_rows(self, found: Sequence[Candidate], context: ToolContext) -> str:
        """Rows of any collection in the order given, one a line; statements count as used."""
        stated = await self._stated(found, context.scope)
        await self._memories.accessed([row.id for row in stated.values()])
        places = await self._whereabouts.of_history(found, context.scope)
        lines = [await self._row(one, stated.get(one.id), places, context) for one in found]
        return "\n".join(line for line in lines if line) or _NOTHING

    async def _stated(self, found: Sequence[Candidate], scope: Scope) -> Mapping[UUID, Memory]:
        ids = [one.id for one in found if one.collection in _STATEMENTS]
        rows = await self._memories.visible(ids, scope) if ids else []
        return {row.id: row for row in rows}

    async def _row(
        self,
        one: Candidate,
        memory: Memory | None,
        places: Mapping[UUID, str],
        context: ToolContext,
    ) -> str:
        """One row; "" when it is gone or not to be seen."""
        if memory is not None:
            return await self._memory(memory, context)
        if one.collection is Collection.KNOWLEDGE:
            return await self._knowledge(one, context)
        return self._extract(one, places[one.id], context) if one.id in places else ""

    async def _memory(self, row: Memory, context: ToolContext) -> str:
        where = await self._whereabouts.of_memory(row.origin)
        old = self._age(row.updated_at, context)
        notes = (row.category or row.memory_type, old, by(row.said_by), where)
        return line(show(row.id, context), notes, row.content, context)

    async def _knowledge(self, one: Candidate, context: ToolContext) -> str:
        where = await self._whereabouts.of_room(one.room)
        notes = (_KINDS[one.section], self._age(one.at, context), where)
        content = one_line(one.content)[:LONGEST_EXTRACT]
        return line(shown_knowledge(one.id), notes, content, context)

    def _extract(self, one: Candidate, where: str, context: ToolContext) -> str:
        old = self._age(one.at, context)
        content = one_line(one.content)[:LONGEST_EXTRACT]
        if one.collection is Collection.LIVE:
            notes = ("message", old, by(one.author), where)
            return line(shown_message(one.id), notes, content, context)
        # Half of it is the pet's own words, so nobody is named as having said it.
        notes = ("exchange", old, f"between {one.author} and you", where)
        return line(shown_exchange(one.id), notes, content, context)

    def _age(self, then: datetime, context: ToolContext) -> str:
        """In the language of who asks: a pet that answers by rules repeats it as it stands."""
        language = told_language(context.batch.text) or self._locale
        return age(then, self._clock.now(), language)


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


def by(author: str | None) -> str:
    """The note that says who said it, "" when nobody did."""
    return f"said by {author}" if author else ""


def line(shown: str, notes: Sequence[str], content: str, context: ToolContext) -> str:
    """One row as a tool lists it, noted among what the model was told."""
    listed = f"- [id {shown}] ({', '.join(note for note in notes if note)}) {content}"
    context.lines[shown] = listed
    return listed
