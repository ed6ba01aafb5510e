"""What is kept of each of the pet's own accounts on a platform, in `meta`."""

from datetime import datetime

from memory.storage.sqlite.columns import millis, moment
from memory.storage.sqlite.database import Table
from memory.storage.sqlite.queries import queries

_SQL = queries("community/own_accounts")


class AnnouncedCommands(Table):
    """What a platform was told last of the pet's commands, so that it is told only of changes."""

    async def last(self, account: str) -> str | None:
        """The fingerprint of what was told last; None before the first time."""
        row = await self._database.one(_SQL["last_told"], {"key": f"commands:{account}"})
        return None if row is None else str(row["value"])

    async def keep(self, account: str, fingerprint: str) -> None:
        """Remember what the platform has taken."""
        await self._database.run(_SQL["keep"], {"key": f"commands:{account}", "value": fingerprint})


class SessionStarts(Table):
    """When the pet last began a session there: a restart must not begin one too soon."""

    async def last(self, account: str) -> datetime | None:
        """When it last began one; None before the first time."""
        row = await self._database.one(_SQL["last_begun"], {"key": f"session:{account}"})
        return None if row is None else moment(row["at"])

    async def keep(self, account: str, at: datetime) -> None:
        """Remember that it begins one now."""
        await self._database.run(
            _SQL["keep"], {"key": f"session:{account}", "value": str(millis(at))}
        )
