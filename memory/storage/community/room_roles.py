"""What was chosen for rooms while the pet ran, each choice with its entry in the audit log."""

from memory.model.people import Actor, AuditedChange
from memory.model.rooms import RoomId, RoomRole
from memory.ports import Clock
from memory.storage.audit import record
from memory.storage.columns import millis
from memory.storage.database import Database, Transaction
from memory.storage.queries import queries

_SQL = queries("community/room_roles")


class RoomRoles:
    """The room_roles table."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def chosen(self) -> dict[RoomId, RoomRole]:
        """Every role that was chosen, by its room."""
        rows = await self._database.all(_SQL["chosen"])
        return {RoomId(row["room_id"]): RoomRole(row["role"]) for row in rows}

    async def choose(self, room: RoomId, role: RoomRole | None, *, by: Actor) -> None:
        """Let a room have this role from now on; None is what settings and platform say."""
        now = self._clock.now()
        values = {"room": room, "role": role, "now": millis(now), "by": by}
        chosen = "default" if role is None else role.value
        change = AuditedChange(actor=by, action="room.chosen", target=room, detail=chosen)

        async def work(transaction: Transaction) -> None:
            if role is None:
                await transaction.run(_SQL["drop"], {"room": room})
            else:
                await transaction.run(_SQL["choose"], values)
            await record(transaction, change, now)

        await self._database.write(work)
