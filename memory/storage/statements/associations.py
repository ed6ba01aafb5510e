"""Associations between statements, and the messages behind them; read within a scope."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from memory.model.audience import Audience, Scope
from memory.model.messages import MessageId
from memory.model.statements import Association, MemoryId, Relation
from memory.model.stores import Collection
from memory.storage.sqlite.database import TimedTable, Transaction
from memory.storage.sqlite.readers import Snapshot
from memory.storage.sqlite.rows import json_list, millis, queries, row_as

_SQL = queries("statements/associations")
_CURSOR = "associations.walked"

MOST_TIES = 16
"""Ties of one statement in either direction, for each relation: what everything resembles tells
nothing, and reading around a row stays quick however much is kept."""

MOST_REASONS = 3
"""Reasons, and wholes, of one statement: a fourth is one of the others in other words."""


class FoundDuring(StrEnum):
    """When an association was found."""

    WRITE = "write"
    BACKGROUND = "pass"


@dataclass(frozen=True, slots=True, kw_only=True)
class Walked:
    """A statement that the background pass comes to, with its audience."""

    seq: int
    id: MemoryId
    audience: Audience
    is_tied: bool


class Associations(TimedTable):
    """The associations table, and memory sources. Every method takes the scope of the reader."""

    async def messages_behind(
        self, memories: Sequence[MemoryId], scope: Scope, limit: int = 400
    ) -> list[tuple[MemoryId, MessageId]]:
        """Which messages these statements rest on, where the scope shows both."""
        return await self._database.read(
            lambda snapshot: self.read_messages_behind(snapshot, memories, scope, limit)
        )

    def read_messages_behind(
        self, snapshot: Snapshot, memories: Sequence[MemoryId], scope: Scope, limit: int = 400
    ) -> list[tuple[MemoryId, MessageId]]:
        """What `messages_behind` says, from a snapshot."""
        values = self._values(memories, scope, limit)
        rows = snapshot.all(_SQL["messages_behind"], values) if memories else []
        return [(MemoryId(UUID(row["memory_id"])), MessageId(row["message_id"])) for row in rows]

    async def around(
        self, memories: Sequence[MemoryId], scope: Scope, limit: int = 400
    ) -> list[Association]:
        """What `read_around` says, as things stand."""
        return await self._database.read(
            lambda snapshot: self.read_around(snapshot, memories, scope, limit)
        )

    def read_around(
        self, snapshot: Snapshot, ids: Sequence[MemoryId], scope: Scope, limit: int = 400
    ) -> list[Association]:
        """Associations of these statements in either direction, closest first.

        Only those whose two ends are recalled now and visible in the scope.
        """
        rows = snapshot.all(_SQL["around"], self._values(ids, scope, limit)) if ids else []
        return [row_as(Association, row) for row in rows]

    def read_outdated(
        self, snapshot: Snapshot, messages: Sequence[MessageId], turns: Sequence[UUID]
    ) -> frozenset[UUID]:
        """The messages and exchanges of which everything that was learnt holds no more.

        Every such statement was replaced or has expired; rows of which nothing was learnt are left
        out.
        """
        values = {
            "messages": json_list(messages),
            "turns": json_list(map(str, turns)),
            "now": millis(self._clock.now()),
        }
        return frozenset(
            UUID(int=row["id"]) if row["collection"] == Collection.LIVE else UUID(row["id"])
            for row in snapshot.all(_SQL["outdated"], values)
        )

    async def walk(self, limit: int) -> list[Walked]:
        """The next statements that the background pass has not looked at, oldest first."""
        return await self._database.all_as(Walked, _SQL["walk"], {"key": _CURSOR, "limit": limit})

    async def keep(self, found: Sequence[Association], walked_to: int) -> int:
        """Store the associations of a pass and how far it came; returns how many were new."""

        async def work(transaction: Transaction) -> int:
            kept = await associate(transaction, found, FoundDuring.BACKGROUND, self._clock.now())
            await transaction.run(_SQL["walked"], {"key": _CURSOR, "seq": walked_to})
            return kept

        return await self._database.write(work)

    def _values(
        self, ids: Sequence[MemoryId], scope: Scope, limit: int
    ) -> dict[str, str | int | None]:
        return self._within(scope, ids=json_list(map(str, ids)), limit=limit)


async def associate(
    transaction: Transaction, found: Sequence[Association], origin: FoundDuring, now: datetime
) -> int:
    """Store associations inside a transaction; returns how many were new.

    Those with an end that is gone or forgotten, or with ends of two audiences, are left out.
    """
    return sum(
        [
            await transaction.run(
                _SQL["add"],
                {
                    "from": str(one.start),
                    "to": str(one.end),
                    "relation": one.relation,
                    "weight": one.weight,
                    "origin": origin,
                    "now": millis(now),
                    "most_inward": MOST_TIES,
                    "most_outward": _most_outward(one.relation),
                },
            )
            for one in found
        ]
    )


async def inherit(transaction: Transaction, old: MemoryId, by: MemoryId, now: datetime) -> None:
    """Give a statement all associations of the one it sharpens, inside a transaction."""
    values = {"old": str(old), "by": str(by), "now": millis(now)}
    await transaction.run(_SQL["inherit_outward"], values)
    await transaction.run(_SQL["inherit_inward"], values)


def _most_outward(relation: Relation) -> int:
    return MOST_TIES if relation is Relation.RELATED_TO else MOST_REASONS
