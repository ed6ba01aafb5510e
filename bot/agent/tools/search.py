"""The tools that look things up; they change nothing, and serve a turn and a branch alike."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Annotated

from pydantic import Field

from bot.agent.toolbox import Arguments, Run, Tool, ToolAnswer, ToolContext
from bot.agent.tools.listing import Listing
from bot.agent.tools.places import Places
from memory.model.statements import Memory, SelfCategory
from memory.model.stores import Store
from memory.ports import Clock
from memory.retrieval.recall import Recall
from memory.storage.statements.statements import Memories

SEARCH_LIMIT = 10
"""Results of a search: tools are generous, there is no threshold."""


MOST_MENTIONS, LONGEST_MENTION = 40, 120
"""Lines of a list to be counted or put in order, and characters of each: many short ones."""


MOST_OF_CATEGORY = 100
"""The latest rows among which those of a category are looked for beside what fits the query."""


class SearchArguments(Arguments):
    """What to look for."""

    query: Annotated[str, Field(min_length=1, max_length=500)]


class SelfSearchArguments(SearchArguments):
    """What to look for among what the pet noticed of itself."""

    category: Annotated[SelfCategory | None, Field(default=None)]


class MentionsArguments(Arguments):
    """What is counted or put in order, and whether only the one who asks is meant."""

    about: Annotated[str, Field(min_length=1, max_length=500)]
    own_words_only: Annotated[
        bool, Field(default=False, description="only what the one who asks said themselves")
    ]


class RecentArguments(Arguments):
    """How far back to look."""

    hours: Annotated[float, Field(default=24, gt=0, le=24 * 365)]


class SearchTools:
    """Every way a model can look something up, within the scope of who is being answered."""

    def __init__(
        self,
        recall: Recall,
        memories: Memories,
        places: Places,
        clock: Clock,
        *,
        locale: str,
    ) -> None:
        self._recall = recall
        self._memories = memories
        self._clock = clock
        self._listing = Listing(memories, places, clock, locale=locale)

    @property
    def of_turn(self) -> tuple[Tool, ...]:
        """What a turn may look up."""
        return (
            Tool(
                "search_memories",
                "Look for facts about people and their world.",
                SearchArguments,
                self._searching(Store.MEMORY),
            ),
            Tool(
                "get_recent_memories",
                "List what you learned lately.",
                RecentArguments,
                self._recent,
            ),
            Tool(
                "search_self",
                "Look for what you know about yourself.",
                SelfSearchArguments,
                self._searching(Store.SELF),
            ),
            Tool(
                "search_goals",
                "Look for what you want.",
                SearchArguments,
                self._searching(Store.GOALS),
            ),
        )

    @property
    def of_branch(self) -> tuple[Tool, ...]:
        """What a branch may look up: all that, and what was said word for word."""
        return (
            *self.of_turn,
            Tool(
                "search_history",
                "Look through what was said in the lobby and in earlier exchanges with you.",
                SearchArguments,
                self._search_history,
            ),
            Tool(
                "list_mentions",
                "List what was said about something in the order of time, many short lines: to "
                "count how often, or tell what came first.",
                MentionsArguments,
                self._list_mentions,
            ),
        )

    def _searching(self, store: Store) -> Run:
        async def search(arguments: SearchArguments, context: ToolContext) -> ToolAnswer:
            found = await self._recall.search(arguments.query, [store], context.scope, SEARCH_LIMIT)
            rows = await self._memories.visible([one.id for one in found], context.scope)
            order = [one.id for one in found]
            rows.sort(key=lambda row: order.index(row.id))
            if (category := getattr(arguments, "category", None)) is not None:
                rows = await self._of_category(category, rows, context)
            return await self._listing.of_memories(rows, context)

        return search

    async def _of_category(
        self, category: SelfCategory, found: Sequence[Memory], context: ToolContext
    ) -> list[Memory]:
        """Those of one category, then the latest others of it."""
        latest = await self._memories.latest(Store.SELF, context.scope, MOST_OF_CATEGORY)
        rows = {row.id: row for row in (*found, *latest) if row.category == category}
        return list(rows.values())[:SEARCH_LIMIT]

    async def _recent(self, arguments: RecentArguments, context: ToolContext) -> ToolAnswer:
        since = self._clock.now() - timedelta(hours=arguments.hours)
        rows = await self._memories.recent(Store.MEMORY, context.scope, since, SEARCH_LIMIT)
        return await self._listing.of_memories(rows, context)

    async def _search_history(self, arguments: SearchArguments, context: ToolContext) -> ToolAnswer:
        found = await self._recall.search_history(arguments.query, context.scope, SEARCH_LIMIT)
        return await self._listing.of_rows(found, arguments.query, context)

    async def _list_mentions(
        self, arguments: MentionsArguments, context: ToolContext
    ) -> ToolAnswer:
        by = context.batch.person.id if arguments.own_words_only else None
        found = await self._recall.mentions(arguments.about, context.scope, MOST_MENTIONS, by)
        return await self._listing.of_rows(found, arguments.about, context, longest=LONGEST_MENTION)
