"""The `memory__` tools: search of everything, search word for word, and texts kept as they are."""

from collections.abc import Iterable
from typing import Annotated

from pydantic import Field

from bot.agent.toolbox import Arguments, Tool, ToolAnswer, ToolContext
from bot.agent.tools.listing import Listing
from bot.agent.tools.search import SEARCH_LIMIT, SearchArguments
from bot.agent.tools.store import NobodySaid, origin_of
from memory.language.text import words
from memory.learning.kept_texts import LONGEST_TEXT, ManualTexts
from memory.learning.store import one_line
from memory.model.messages import AuthorKind
from memory.retrieval.direct_search import TextSearch
from memory.retrieval.recall import Recall
from memory.rules.query_syntax import LONGEST_QUERY
from memory.storage.conversations.messages import Messages

BEST = 5
"""Rows of a search of everything: each of them fits."""

LEAST_CONFIDENCE = 0.3
"""How sure a row must be to fit: less than what is injected unasked, since this was asked for."""

ANYTHING = 0.0
"""The same for the only search there is: it is generous, and says nothing of what fits least."""

LATEST = 10
"""Rows of a search word for word: all of them fit, so the latest are told."""

LOOKED_BACK = 50
"""Messages of the room among which a text to keep may be: "keep this recipe" comes after it."""


class WordSearchArguments(Arguments):
    """What to look for word for word."""

    query: Annotated[
        str,
        Field(
            min_length=1,
            max_length=LONGEST_QUERY,
            description='Words, "phrases", begin*, -without, author:"Jean Luc", room:NAME, '
            'after:DATE, before:"last month"',
        ),
    ]


class LongText(Arguments):
    """A text to keep as it was written."""

    title: Annotated[str, Field(min_length=1, max_length=120)]
    text: Annotated[
        str,
        Field(min_length=1, max_length=LONGEST_TEXT),
    ]


class MemoryTools:
    """Searches across everything that is kept, within the scope of who is being answered."""

    def __init__(self, recall: Recall, texts: TextSearch, listing: Listing) -> None:
        self._recall = recall
        self._texts = texts
        self._listing = listing

    @property
    def of_turn(self) -> tuple[Tool, ...]:
        """What a turn may look up."""
        return (
            Tool(
                "memory__search",
                "Look through facts, talk, summaries and notes at once: only what really fits.",
                SearchArguments,
                self._search,
            ),
            Tool(
                "memory__search_text",
                "Find what was said or kept word for word, latest first.",
                WordSearchArguments,
                self._search_text,
            ),
        )

    @property
    def whole(self) -> Tool:
        """The only search tool of a model that gets the compact set."""
        return Tool(
            "search_memories",
            "Look through everything you know.",
            SearchArguments,
            self._search_widely,
        )

    async def _search_widely(self, arguments: SearchArguments, context: ToolContext) -> ToolAnswer:
        found = await self._recall.search_everything(
            arguments.query, context.scope, SEARCH_LIMIT, ANYTHING
        )
        return await self._listing.of_rows(found, arguments.query, context)

    async def _search(self, arguments: SearchArguments, context: ToolContext) -> ToolAnswer:
        found = await self._recall.search_everything(
            arguments.query, context.scope, BEST, LEAST_CONFIDENCE
        )
        return await self._listing.of_rows(found, arguments.query, context)

    async def _search_text(
        self, arguments: WordSearchArguments, context: ToolContext
    ) -> ToolAnswer:
        found = await self._texts.find(arguments.query, context.scope, LATEST)
        return await self._listing.of_rows(found, arguments.query, context)


class KeepingTool:
    """Keeps a longer text as it was written, if a person wrote it here."""

    def __init__(self, texts: ManualTexts, messages: Messages) -> None:
        self._texts = texts
        self._messages = messages

    @property
    def tool(self) -> Tool:
        """The tool as a turn has it."""
        return Tool(
            "memory__index",
            "Keep a longer text word for word, such as a recipe; the same title replaces it.",
            LongText,
            self._keep,
            stores=True,
        )

    async def _keep(self, arguments: LongText, context: ToolContext) -> ToolAnswer:
        """What was kept.

        Raises:
            NobodySaid: no person wrote that here, it would be the pet's own words.

        """
        if not _stands_in(arguments.text, await self._written(context)):
            raise NobodySaid(
                "Nobody wrote that here lately: give the text word for word. Nothing was kept."
            )
        context.effects.changed = True
        title = one_line(arguments.title)
        kept = await self._texts.keep(title, arguments.text, origin_of(context.batch))
        if not kept.changed:
            return ToolAnswer(f'"{title}" is kept already, as it is.')
        return ToolAnswer(f'Kept "{title}" word for word, {len(arguments.text)} characters.')

    async def _written(self, context: ToolContext) -> list[str]:
        """What people said in this turn and wrote in this room before, no words of the pet."""
        recent = await self._messages.recent(context.batch.room.id, LOOKED_BACK)
        seen = await self._messages.visible([one.id for one in recent], context.scope)
        said = [one.text for one in seen if one.author_kind is AuthorKind.PERSON]
        return [*said, *(one.text for one in context.batch.heard), context.batch.text]


def _stands_in(text: str, messages: Iterable[str]) -> bool:
    """Whether a message has all of it in this order; signs and blanks may differ."""
    wanted = f" {' '.join(words(text))} "
    return bool(wanted.strip()) and any(
        wanted in f" {' '.join(words(message))} " for message in messages
    )
