"""When the pet last ran, and correcting rows that a wrong clock dated later than now."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from memory.model.clock import ClockJump
from memory.storage.sqlite.database import Table, Transaction
from memory.storage.sqlite.rows import columns_of, millis, millis_in, moment, queries

_SQL = queries("sqlite/timeline")

_SHIFT = 'UPDATE "{table}" SET "{column}" = "{column}" - :by WHERE "{column}" > :now'
"""Names are the schema's own and cannot be bound, so no file holds this; every value is."""

_KEPT_JUMPS = 20

AS_THEY_ARE = frozenset(
    {
        ("memories", "expires_at"),
        ("link_codes", "expires_at"),
        ("api_keys", "expires_at"),
        ("messages", "deleted_at"),
        ("memories", "forgotten_at"),
        ("knowledge", "retired_at"),
    }
)
"""Moments that may be in the future, or whose presence alone counts and is compared by an undo."""


class Timeline(Table):
    """The moments that the database knows."""

    async def last_seen(self) -> datetime | None:
        """The latest moment at which the pet was known to run."""
        row = await self._database.one(_SQL["last_seen"])
        return None if row is None else moment(int(row["value"]))

    async def jumps(self) -> list[ClockJump]:
        """The jumps ahead that may have been a wrong clock, oldest first."""
        return await self._database.all_as(ClockJump, _SQL["jumps"])

    async def see(self, now: datetime, jumps: Sequence[ClockJump] = ()) -> None:
        """Record that the pet runs now, and the jumps of the clock since."""

        async def work(transaction: Transaction) -> None:
            await transaction.many(_SQL["add_jump"], [columns_of(one) for one in jumps])
            await transaction.run(_SQL["drop_old_jumps"], {"kept": _KEPT_JUMPS})
            await transaction.run(_SQL["see"], {"now": millis(now)})

        await self._database.write(work)

    async def set_right(self, now: datetime, by: timedelta) -> int:
        """Move moments that are later than now back by a duration; returns how many there were.

        The order in which rows were written stays the same.
        """
        values = {"now": millis(now), "by": millis_in(by)}

        async def work(transaction: Transaction) -> int:
            await transaction.run(_SQL["expire_sooner"], values)
            await transaction.run(_SQL["announce_unarchived"], values)
            await transaction.run(_SQL["unarchive"], values)
            await transaction.run(_SQL["drop_jumps"], values)
            shifted = 0
            for row in await transaction.all(_SQL["moments"]):
                if (row["tbl"], row["col"]) not in AS_THEY_ARE:
                    sql = _SHIFT.format(table=row["tbl"], column=row["col"])
                    shifted += await transaction.run(sql, values)
            await transaction.run(_SQL["see"], values)
            return shifted

        return await self._database.write(work)
