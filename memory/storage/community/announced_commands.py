"""What a platform was told last of the pet's commands, so that it is told again only of changes."""

from memory.storage.sqlite.database import Table
from memory.storage.sqlite.queries import queries

_SQL = queries("community/announced_commands")


class AnnouncedCommands(Table):
    """A fingerprint for each account of the pet's, in `meta`."""

    async def last(self, account: str) -> str | None:
        """The fingerprint of what was told last; None before the first time."""
        row = await self._database.one(_SQL["last"], {"key": _key(account)})
        return None if row is None else str(row["value"])

    async def keep(self, account: str, fingerprint: str) -> None:
        """Remember what the platform has taken."""
        values = {"key": _key(account), "fingerprint": fingerprint}
        await self._database.run(_SQL["keep"], values)


def _key(account: str) -> str:
    return f"commands:{account}"
