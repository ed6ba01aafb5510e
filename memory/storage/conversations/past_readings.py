"""Which rooms' past is to be read, and how far that is; each wish has an entry in the audit log."""

import asyncio

from memory.model.histories import ImportId
from memory.model.past_readings import ReadBackId, ReadBackState, RoomReadBack
from memory.model.people import AuditedChange, Signature
from memory.model.rooms import RoomId
from memory.ports import Clock
from memory.storage.sqlite.audit import record
from memory.storage.sqlite.database import Database, TimedTable, Transaction
from memory.storage.sqlite.rows import millis, queries

_SQL = queries("conversations/past_readings")


class PastReadings(TimedTable):
    """The past_readings table; `changed` is set when one was asked for."""

    def __init__(self, database: Database, clock: Clock) -> None:
        super().__init__(database, clock)
        self.changed = asyncio.Event()

    async def latest(self) -> list[RoomReadBack]:
        """The latest reading of each room."""
        return await self._database.all_as(RoomReadBack, _SQL["latest"], {"room": None})

    async def of(self, room: RoomId) -> RoomReadBack | None:
        """The latest reading of a room, or None."""
        return await self._database.one_as(RoomReadBack, _SQL["latest"], {"room": room})

    async def ask(self, room: RoomId, days: int, locale: str, *, by: Signature) -> bool:
        """Have a room read back; returns whether it was not to be read already."""
        values = {"room": room, "days": days, "locale": locale}
        change = AuditedChange(actor=by, action="past.asked", target=room, detail=str(days))
        asked = await self._change("ask", values, change)
        self.changed.set()
        return asked

    async def stop(self, room: RoomId, *, by: Signature) -> bool:
        """Have a room not read back after all; returns whether it was to be."""
        change = AuditedChange(actor=by, action="past.stopped", target=room)
        return await self._change("stop", {"room": room}, change)

    async def told(self, id_: ReadBackId) -> None:
        """Note that the room was told just now."""
        values = {"id": id_, "now": millis(self._clock.now())}
        await self._database.run(_SQL["told"], values)

    async def kept_as(self, id_: ReadBackId, import_id: ImportId) -> None:
        """Note by which import the lines come."""
        await self._database.run(_SQL["kept_as"], {"id": id_, "import": import_id})

    async def ended(self, id_: ReadBackId, state: ReadBackState) -> None:
        """Note what came of it, unless it was stopped meanwhile."""
        await self._database.run(_SQL["ended"], {"id": id_, "state": state})

    async def _change(self, query: str, values: dict[str, object], change: AuditedChange) -> bool:
        now = self._clock.now()

        async def work(transaction: Transaction) -> bool:
            if not await transaction.run(_SQL[query], {**values, "now": millis(now)}):
                return False
            await record(transaction, change, now)
            return True

        return await self._database.write(work)
