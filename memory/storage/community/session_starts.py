"""When the pet last began a session with a platform: a restart must not begin one too soon."""

from datetime import datetime

from memory.storage.sqlite.columns import millis, moment
from memory.storage.sqlite.database import Table
from memory.storage.sqlite.queries import queries

_SQL = queries("community/session_starts")


class SessionStarts(Table):
    """A moment for each account of the pet's, in `meta`."""

    async def last(self, account: str) -> datetime | None:
        """When it last began one; None before the first time."""
        row = await self._database.one(_SQL["last"], {"key": _key(account)})
        return None if row is None else moment(row["at"])

    async def keep(self, account: str, at: datetime) -> None:
        """Remember that it begins one now."""
        await self._database.run(_SQL["keep"], {"key": _key(account), "at": str(millis(at))})


def _key(account: str) -> str:
    return f"session:{account}"
