"""The tool that lists what is kept of the person who asks, for a pet that answers by rules."""

from bot.agent.toolbox import Arguments, Tool, ToolAnswer, ToolContext
from bot.agent.tools.listing import Listing
from memory.storage.linking.person_view import PersonViews

KNOWN_OF_ASKER = "known_of_asker"
"""The tool's name."""

MOST_READ = 60
"""Statements read, the most important first: as many as `/what-do-you-know` lists."""


class KnownOfAskerArguments(Arguments):
    """Nothing: the person and the scope are those of the turn."""


class KnownOfAsker:
    """Lists what a person said or what is about them, as they may know it there and now."""

    def __init__(self, views: PersonViews, listing: Listing) -> None:
        self._views = views
        self._listing = listing

    @property
    def tool(self) -> Tool:
        """The tool as a turn has it."""
        return Tool(
            KNOWN_OF_ASKER,
            "List what is kept of the person who asks.",
            KnownOfAskerArguments,
            self._list,
            for_rules=True,
        )

    async def _list(self, _arguments: KnownOfAskerArguments, context: ToolContext) -> ToolAnswer:
        person = context.batch.person.id
        rows = await self._views.statements(person, context.scope, MOST_READ)
        return await self._listing.of_memories(rows, context)
