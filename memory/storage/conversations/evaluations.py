"""The rows that an evaluation reads, and the scores that are kept over time."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from memory.model.audience import Scope
from memory.model.ledger import Graded, PastQuestion
from memory.model.messages import MessageId, TurnId
from memory.storage.sqlite.columns import audiences, json_list, millis, moment
from memory.storage.sqlite.database import TimedTable
from memory.storage.sqlite.queries import queries
from memory.storage.sqlite.rows import columns_of, row_as

_SQL = queries("conversations/evaluations")


class Evaluations(TimedTable):
    """The evaluations table, and queries that only an evaluation needs."""

    async def messages_behind(
        self, memories: Sequence[UUID], scope: Scope
    ) -> Mapping[UUID, frozenset[MessageId]]:
        """The messages that each of these statements was learned from."""
        values = {
            "ids": json_list(map(str, memories)),
            "audiences": audiences(scope),
            "now": millis(self._clock.now()),
        }
        found: dict[UUID, set[MessageId]] = defaultdict(set)
        for row in await self._database.all(_SQL["messages_behind"], values):
            found[UUID(row["memory_id"])].add(MessageId(row["message_id"]))
        return {memory: frozenset(messages) for memory, messages in found.items()}

    async def past_questions(
        self, scope: Scope, limit: int, *, injected: bool = False
    ) -> list[PastQuestion]:
        """The latest questions, newest first; with `injected` those for which rows were injected.

        Questions about something that was forgotten since are left out.
        """
        values = {"audiences": audiences(scope), "limit": limit, "injected": injected}
        rows = await self._database.all(_SQL["past_questions"], values)
        return [row_as(PastQuestion, row) for row in rows]

    async def labelled_turns(self, limit: int) -> frozenset[TurnId]:
        """The latest turns with a recalled line that a person labelled."""
        rows = await self._database.all(_SQL["labelled_turns"], {"limit": limit})
        return frozenset(TurnId(UUID(row["turn_id"])) for row in rows)

    async def keep(self, graded: Graded) -> None:
        """Store a score with the present moment."""
        values = {**columns_of(graded), "at": millis(self._clock.now())}
        await self._database.run(_SQL["add"], values)

    async def history(self) -> list[tuple[datetime, Graded]]:
        """Every score that was kept, oldest first."""
        rows = await self._database.all(_SQL["history"])
        return [(moment(row["at"]), row_as(Graded, row)) for row in rows]

    async def count(self) -> int:
        """How many scores were kept."""
        row = await self._database.one(_SQL["count"])
        return int(row["n"]) if row else 0
