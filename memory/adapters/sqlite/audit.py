"""The audit log: who changed what, and when; never what people said."""

from dataclasses import dataclass
from datetime import datetime
from typing import NewType

from memory.adapters.sqlite.columns import millis, moment
from memory.adapters.sqlite.database import Database, Transaction
from memory.adapters.sqlite.queries import queries

_SQL = queries("audit")

Actor = NewType("Actor", str)
"""Who does something: an account as `platform:id`, or `OPERATOR_ACTOR`."""

OPERATOR_ACTOR = Actor("operator")
"""Whoever runs commands on the machine of the pet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """One change: `action` is `noun.past_participle`, `target` a key or an id.

    `detail` is what changed, such as an old and a new value; no words of anybody.
    """

    actor: Actor
    action: str
    target: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """A deed and when it was done."""

    at: datetime
    deed: Deed


class AuditLog:
    """The audit_log table, read by whoever runs the pet."""

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
