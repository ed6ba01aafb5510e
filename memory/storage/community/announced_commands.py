"""What a platform was told last of the pet's commands, so that it is told again only of changes."""

from memory.storage.sqlite.database import Database, Transaction
from memory.storage.sqlite.queries import queries

_SQL = queries("community/announced_commands")


class AnnouncedCommands:
    """A fingerprint for each account of the pet's, in `meta`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def last(self, account: str) -> str | None:
        """The fingerprint of what was told last; None before the first time."""
        row = await self._database.one(_SQL["last"], {"key": _key(account)})
        return None if row is None else str(row["value"])

    async def keep(self, account: str, fingerprint: str) -> None:
        """Remember what the platform has taken."""

        async def work(transaction: Transaction) -> None:
            values = {"key": _key(account), "fingerprint": fingerprint}
            await transaction.run(_SQL["keep"], values)

        await self._database.write(work)


def _key(account: str) -> str:
    return f"commands:{account}"
