"""Who wants to see what is kept of their words, and how far they have seen it."""

from collections.abc import Sequence
from uuid import UUID

from memory.model.listing import KeptStatement
from memory.model.people import PersonId
from memory.model.statements import MemoryId
from memory.storage.sqlite.database import TimedTable, Transaction
from memory.storage.sqlite.rows import millis, queries, row_as

_SQL = queries("people/kept_notes")


class KeptNotes(TimedTable):
    """The `kept_seen` column of people. It holds no words: what is forgotten is not told."""

    async def is_wanted(self, person: PersonId) -> bool:
        """Whether a person wants to see what is kept of their words."""
        return await self._database.one(_SQL["wanted"], {"person": person}) is not None

    async def want(self, person: PersonId, *, wanted: bool) -> None:
        """Show a person what is kept of their words from now on, or stop it."""
        await self._database.run(_SQL["want" if wanted else "end"], {"person": person})

    async def take(self, person: PersonId) -> Sequence[KeptStatement]:
        """What was kept of a person's private words and not shown to them; from now on it is."""
        values = {"person": person, "now": millis(self._clock.now())}
        if not await self._database.all(_SQL["unseen"], values):
            return ()  # as for nearly every reply

        async def work(transaction: Transaction) -> list[KeptStatement]:
            rows = await transaction.all(_SQL["unseen"], values)
            kept = [row_as(KeptStatement, row) for row in rows]
            if kept:
                await transaction.run(_SQL["see"], {"person": person, "last": kept[-1].seq})
            return kept

        return await self._database.write(work)

    async def give_back(self, person: PersonId, kept: Sequence[KeptStatement]) -> None:
        """Note that what was taken could not be shown."""
        values = {"person": person, "before": kept[0].seq - 1, "last": kept[-1].seq}
        await self._database.run(_SQL["unsee"], values)

    async def latest(self, person: PersonId) -> MemoryId | None:
        """The last statement that a person was shown and that still holds."""
        values = {"person": person, "now": millis(self._clock.now())}
        row = await self._database.one(_SQL["latest"], values)
        return None if row is None else MemoryId(UUID(row["id"]))
