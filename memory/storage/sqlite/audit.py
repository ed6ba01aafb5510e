"""The audit log: who changed what, and when; never what people said."""

from datetime import datetime

from memory.model.authority import Actor
from memory.model.people import OPERATOR_ACTOR, AuditedChange, AuditEntry, Signature
from memory.model.rooms import SpaceId
from memory.storage.sqlite.database import Table, Transaction
from memory.storage.sqlite.rows import columns_of, millis, queries

_SQL = queries("sqlite/audit")

_VIA = " via "
_MANAGER = "manager:"
_AFTER_ALL = 2**62


class AuditLog(Table):
    """The audit_log table, read by the operator."""

    async def latest(self, limit: int, before: int | None = None) -> list[AuditEntry]:
        """The latest `limit` changes before the one with a number, newest first."""
        values = {"limit": limit, "before": _AFTER_ALL if before is None else before}
        return await self._database.all_as(AuditEntry, _SQL["page"], values)


async def record(transaction: Transaction, change: AuditedChange, now: datetime) -> None:
    """Store a change in the transaction that makes it, so that both are stored or neither."""
    actor, origin = _told_apart(change.actor)
    values = {**columns_of(change), "actor": actor, "origin": origin, "at": millis(now)}
    await transaction.run(_SQL["record"], values)


def signature_of(actor: Actor) -> Signature:
    """How the log names an actor: the person or the operator, and the way of the command."""
    if actor.person is None:
        return came_by(actor.space, actor.via)
    name = f"person:{actor.person}"
    return Signature(f"{name}{_VIA}{actor.via}" if actor.via else name)


def came_by(space: SpaceId | None, via: str) -> Signature:
    """The operator, or the manager of a community, with the way of their command."""
    name = OPERATOR_ACTOR if space is None else f"{_MANAGER}{space}"
    return Signature(f"{name}{_VIA}{via}" if via else name)


def _told_apart(signature: Signature) -> tuple[str, str | None]:
    """Who signed, and from where; names that people chose themselves are not parsed for it."""
    name, _, via = signature.partition(_VIA)
    if via and (name == OPERATOR_ACTOR or name.startswith(_MANAGER)):
        return name, via
    return signature, None
