"""What was said, word for word, as a reader may know it: the latest lines, older ones by words."""

from collections.abc import Sequence

from memory.model.audience import Scope
from memory.model.claims import Slot
from memory.model.messages import Message
from memory.storage.conversations.messages import message_of
from memory.storage.search.term_counts import Vocabulary
from memory.storage.sqlite.database import Database
from memory.storage.sqlite.rows import audiences, json_list, queries

_SQL = queries("conversations/transcript")

LATEST = 300
"""Lines that are read whatever they say: weeks of a small community, an evening of a lively one."""

MATCHING = 60
"""Older lines that share words with what is asked; each comes with those around it."""


class Transcript:
    """The messages of all rooms as one reader may know them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._words = Vocabulary(database, "messages")

    async def lines(self, about: str, slots: Sequence[Slot], scope: Scope) -> list[Message]:
        """The latest lines and older ones that concern a question, each once, oldest first.

        Those share words with `about`, or claim something of one of the `slots`.

        What waits for an answer is none of them. The operator's scope has none: it is for people.
        """
        if scope.audiences is None:
            return []
        values = {"audiences": audiences(scope), "limit": LATEST}
        latest = await self._database.all(_SQL["latest"], values)
        older = await self._older(about, slots, scope) if len(latest) >= LATEST else []
        found = {message.id: message for message in [*map(message_of, latest), *older]}
        return sorted(found.values(), key=lambda one: (one.sent_at, one.id))

    async def _older(self, about: str, slots: Sequence[Slot], scope: Scope) -> list[Message]:
        within = {"audiences": audiences(scope), "limit": MATCHING}
        hits = []
        if wanted := await self._words.match(about):
            hits += await self._database.all(_SQL["matching"], {"wanted": wanted, **within})
        for slot in slots:
            hits += await self._database.all(_SQL["claiming"], {"slot": slot, **within})
        if not hits:
            return []
        around = {"ids": json_list({row["id"] for row in hits}), "audiences": audiences(scope)}
        return [message_of(row) for row in await self._database.all(_SQL["around"], around)]
