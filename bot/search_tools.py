"""The tools that look things up; they change nothing, and serve a turn and a branch alike."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Annotated
from uuid import UUID

from pydantic import Field

from bot.tools import Arguments, Run, Tool, ToolContext
from bot.whereabouts import Whereabouts
from memory.adapters.sqlite.memories import Memories
from memory.ages import age
from memory.language import Language, guess_language
from memory.model import Collection, Memory, MemoryId, Store
from memory.ports import Clock
from memory.recall import Recall
from memory.remember import one_line
from memory.retrieval import Candidate

SEARCH_LIMIT = 10
"""Results of a search: tools are generous, there is no threshold."""

SHOWN_ID = 8
"""Characters of an id that the model is shown: unique among what one turn lists, and short."""

LONGEST_EXTRACT = 400
"""Characters of an earlier exchange or message that are listed, as many as are injected."""

_NOTHING = "Nothing found."


class Query(Arguments):
    """What to look for."""

    query: Annotated[str, Field(min_length=1, max_length=500)]


class Recent(Arguments):
    """How far back to look."""

    hours: Annotated[float, Field(default=24, gt=0, le=24 * 365)]


class SearchTools:
    """Every way a model can look something up, within the scope of who is being answered."""

    def __init__(
        self,
        recall: Recall,
        memories: Memories,
        whereabouts: Whereabouts,
        clock: Clock,
        *,
        locale: Language,
    ) -> None:
        self._recall = recall
        self._memories = memories
        self._whereabouts = whereabouts
        self._clock = clock
        self._locale = locale

    @property
    def of_turn(self) -> tuple[Tool, ...]:
        """What a turn may look up."""
        return (
            Tool(
                "search_memories",
                "Look for what you know about people and their world.",
                Query,
                self._searching(Store.MEMORY),
            ),
            Tool(
                "get_recent_memories", "List what you learned most recently.", Recent, self._recent
            ),
            Tool(
                "search_self",
                "Look for what you know about yourself.",
                Query,
                self._searching(Store.SELF),
            ),
            Tool("search_goals", "Look for what you want.", Query, self._searching(Store.GOALS)),
        )

    @property
    def of_branch(self) -> tuple[Tool, ...]:
        """What a branch may look up: all that, and what was said word for word."""
        return (
            *self.of_turn,
            Tool(
                "search_history",
                "Look through what was said in the lobby and in earlier exchanges with you.",
                Query,
                self._search_history,
            ),
        )

    def _searching(self, store: Store) -> Run:
        async def search(arguments: Query, context: ToolContext) -> str:
            found = await self._recall.search(arguments.query, [store], context.scope, SEARCH_LIMIT)
            rows = await self._memories.visible([one.id for one in found], context.scope)
            order = [one.id for one in found]
            return await self._listing(sorted(rows, key=lambda row: order.index(row.id)), context)

        return search

    async def _recent(self, arguments: Recent, context: ToolContext) -> str:
        since = self._clock.now() - timedelta(hours=arguments.hours)
        rows = await self._memories.recent(Store.MEMORY, context.scope, since, SEARCH_LIMIT)
        return await self._listing(rows, context)

    async def _search_history(self, arguments: Query, context: ToolContext) -> str:
        found = await self._recall.search_history(arguments.query, context.scope, SEARCH_LIMIT)
        places = await self._whereabouts.of_history(found, context.scope)
        lines = [self._extract(one, places[one.id], context) for one in found if one.id in places]
        return "\n".join(lines) or _NOTHING

    async def _listing(self, rows: Sequence[Memory], context: ToolContext) -> str:
        await self._memories.accessed([row.id for row in rows])
        return "\n".join([await self._listed(row, context) for row in rows]) or _NOTHING

    async def _listed(self, row: Memory, context: ToolContext) -> str:
        where = await self._whereabouts.of_memory(row.origin)
        old = self._age(row.updated_at, context)
        notes = (row.category or row.memory_type, old, by(row.said_by), where)
        return line(show(row.id, context), notes, row.content, context)

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
        return age(then, self._clock.now(), guess_language(context.batch.text, self._locale))


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


def by(author: str | None) -> str:
    """The note that says who said it, "" when nobody did."""
    return f"said by {author}" if author else ""


def line(shown: str, notes: Sequence[str], content: str, context: ToolContext) -> str:
    """One row as a tool lists it, noted among what the model was told."""
    listed = f"- [id {shown}] ({', '.join(note for note in notes if note)}) {content}"
    context.lines[shown] = listed
    return listed
