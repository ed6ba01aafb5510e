"""The audit log: who changed what, and when; never what people said."""

from datetime import datetime

from memory.model.authority import Actor
from memory.model.people import OPERATOR_ACTOR, AuditedChange, AuditEntry, Signature
from memory.storage.columns import millis, moment
from memory.storage.database import Database, Transaction
from memory.storage.queries import queries

_SQL = queries("audit")


class AuditLog:
    """The audit_log table, read by the operator."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def latest(self, limit: int) -> list[AuditEntry]:
        """The latest changes, newest first."""
        rows = await self._database.all(_SQL["latest"], {"limit": limit})
        return [
            AuditEntry(
                moment(row["at"]),
                AuditedChange(
                    actor=Signature(row["actor"]),
                    action=row["action"],
                    target=row["target"],
                    detail=row["detail"],
                ),
            )
            for row in rows
        ]


async def record(transaction: Transaction, change: AuditedChange, now: datetime) -> None:
    """Keep a change in the transaction that does it: neither is there without the other."""
    await transaction.run(
        _SQL["record"],
        {
            "at": millis(now),
            "actor": change.actor,
            "action": change.action,
            "target": change.target,
            "detail": change.detail,
        },
    )


def signature_of(actor: Actor) -> Signature:
    """How the log names who changed what is kept: by their person, or the operator, and the way."""
    name = OPERATOR_ACTOR if actor.person is None else f"person:{actor.person}"
    return Signature(f"{name} via {actor.via}" if actor.via else name)
