"""The audit log: who changed what, and when; never what people said."""

from datetime import datetime

from memory.model.people import Actor, AuditEntry, Deed
from memory.storage.columns import millis, moment
from memory.storage.database import Database, Transaction
from memory.storage.queries import queries

_SQL = queries("audit")


class AuditLog:
    """The audit_log table, read by the operator."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def latest(self, limit: int) -> list[AuditEntry]:
        """The latest deeds, newest first."""
        rows = await self._database.all(_SQL["latest"], {"limit": limit})
        return [
            AuditEntry(
                moment(row["at"]),
                Deed(
                    actor=Actor(row["actor"]),
                    action=row["action"],
                    target=row["target"],
                    detail=row["detail"],
                ),
            )
            for row in rows
        ]


async def record(transaction: Transaction, deed: Deed, now: datetime) -> None:
    """Keep a deed in the transaction that does it: neither is there without the other."""
    await transaction.run(
        _SQL["record"],
        {
            "at": millis(now),
            "actor": deed.actor,
            "action": deed.action,
            "target": deed.target,
            "detail": deed.detail,
        },
    )
