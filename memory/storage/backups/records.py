"""How the last backup went, kept in the database that was backed up."""

import json

from memory.model.backups import BackupRecord
from memory.storage.sqlite.database import Table, Transaction
from memory.storage.sqlite.rows import columns_of, queries, row_as

_SQL = queries("backups/records")

_MADE, _FAILED = "backup.made", "backup.failed"


class BackupRecords(Table):
    """The last backup that was made, and the last one that failed since."""

    async def made(self) -> BackupRecord | None:
        """The last backup that was made."""
        return await self._read(_MADE)

    async def failed(self) -> BackupRecord | None:
        """The last backup that failed, or None if a backup was made since."""
        return await self._read(_FAILED)

    async def keep_made(self, record: BackupRecord) -> None:
        """Record that a backup was made; the record of a failed one is dropped."""

        async def work(transaction: Transaction) -> None:
            await transaction.run(_SQL["set"], {"key": _MADE, "value": _written(record)})
            await transaction.run(_SQL["drop"], {"key": _FAILED})

        await self._database.write(work)

    async def keep_failed(self, record: BackupRecord) -> None:
        """Record that a backup failed."""
        await self._database.run(_SQL["set"], {"key": _FAILED, "value": _written(record)})

    async def _read(self, key: str) -> BackupRecord | None:
        row = await self._database.one(_SQL["get"], {"key": key})
        return None if row is None else row_as(BackupRecord, json.loads(row["value"]))


def _written(record: BackupRecord) -> str:
    return json.dumps(columns_of(record), ensure_ascii=False)
