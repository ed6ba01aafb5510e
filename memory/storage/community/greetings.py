"""Which communities the pet has told who it is: none is told twice for one invitation."""

from datetime import datetime, timedelta

from memory.model.rooms import SpaceId
from memory.storage.sqlite.columns import millis
from memory.storage.sqlite.database import TimedTable, Transaction
from memory.storage.sqlite.queries import queries

_SQL = queries("community/greetings")

AGAIN_AFTER = timedelta(days=1)
"""A person who invites it anew within a day has seen what it said."""


class GreetedSpaces(TimedTable):
    """The greeted_spaces table."""

    async def take(self, space: SpaceId, joined: datetime) -> bool:
        """Whether a community that it joined then is still to be told; from now on it is not.

        One that had it removed and invites it anew is told again, a day after the last time.
        """
        now = self._clock.now()
        values = {
            "space": space,
            "now": millis(now),
            "joined": millis(joined),
            "before": millis(now - AGAIN_AFTER),
        }

        async def work(transaction: Transaction) -> bool:
            return await transaction.one(_SQL["take"], values) is not None

        if await self._database.one(_SQL["told"], values) is not None:
            return False  # as nearly all are, each time the pet connects
        return await self._database.write(work)

    async def give_back(self, space: SpaceId) -> None:
        """Note that it could not be told after all."""
        await self._database.run(_SQL["give_back"], {"space": space})
