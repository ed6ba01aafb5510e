"""Which commands of a platform's own were taken already: none is done twice."""

from datetime import timedelta

from memory.storage.sqlite.columns import millis
from memory.storage.sqlite.database import TimedTable, Transaction
from memory.storage.sqlite.queries import queries

_SQL = queries("community/invocations")

KEPT_FOR = timedelta(days=1)
"""How long one is known; platforms drop theirs after a quarter of an hour."""


class Invocations(TimedTable):
    """The invocations table."""

    async def take(self, platform: str, external_id: str) -> bool:
        """Whether this one is new; from now on it is not, also after a restart."""
        now = self._clock.now()
        values = {"platform": platform, "external_id": external_id, "now": millis(now)}

        async def work(transaction: Transaction) -> bool:
            await transaction.run(_SQL["trim"], {"before": millis(now - KEPT_FOR)})
            return await transaction.one(_SQL["take"], values) is not None

        return await self._database.write(work)
