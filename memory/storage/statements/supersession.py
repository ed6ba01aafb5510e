"""Which statement took whose place, and until when each held."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from memory.model.audience import audience_of
from memory.model.authority import Actor, RowChange
from memory.model.statements import MemoryId, NewMemory
from memory.model.stores import Collection
from memory.storage.forgotten.ownership import permitted
from memory.storage.search.outbox import announce
from memory.storage.sqlite.database import Transaction
from memory.storage.sqlite.rows import json_list, millis, queries

_SQL = queries("statements/supersession")


async def supersede(
    transaction: Transaction,
    old: Sequence[MemoryId],
    actor: Actor,
    *,
    by: MemoryId,
    until: datetime,
    now: datetime,
    change: RowChange = RowChange.SUPERSEDE,
) -> list[MemoryId]:
    """Let a statement take the place of others, of whatever store, inside a transaction.

    Only of those that the actor may change: the others stay beside it. They held until it was said.
    Which of them gave way.
    """
    gone = []
    for one in await permitted(transaction, old, actor, change):
        values = {"id": str(one), "by": str(by), "until": millis(until), "now": millis(now)}
        for row in await transaction.all(_SQL["supersede"], values):
            # Without its embedding the old one does not pass for something said in the window,
            # which would keep the new one, so much like it, from being shown.
            await announce(transaction, Collection(row["store"]), [one], changed=True)
            gone.append(one)
    return gone


async def overtake(
    transaction: Transaction,
    late: MemoryId,
    actor: Actor,
    *,
    by: MemoryId,
    until: datetime,
    now: datetime,
) -> bool:
    """Let a statement that was learnt late be history at once, inside a transaction.

    Whether it is: what a person said of old is not ended by what another has said since, which is
    why `actor` is who said that.
    """
    if not await supersede(transaction, [late], actor, by=by, until=until, now=now):
        return False
    await transaction.run(_SQL["end_with_next"], {"id": str(late)})
    await transaction.run(_SQL["end_those_before"], {"id": str(late)})
    return True


async def history_of(transaction: Transaction, new: NewMemory) -> MemoryId | None:
    """The statement that says the same by the same message and is history already, if any.

    A message read again later teaches nothing that was learnt from it and has been replaced since.
    """
    values = {
        "store": new.store,
        "audience": audience_of(new.origin),
        "content": new.content,
        "messages": json_list(new.messages),
    }
    row = await transaction.one(_SQL["history_of"], values)
    return None if row is None else MemoryId(UUID(row["id"]))
