"""What was chosen for rooms while the pet ran, each choice with its entry in the audit log."""

from memory.model.people import AuditedChange, Signature
from memory.model.rooms import RoomChoice, RoomId, RoomRole
from memory.ports import Clock
from memory.storage.audit import record
from memory.storage.columns import millis
from memory.storage.community.room_past import KnownBefore, close_past, known_before
from memory.storage.database import Database, Transaction
from memory.storage.queries import queries

_SQL = queries("community/room_choices")

_DEFAULT = "default"
"""What the audit log says of a choice that was taken back."""


class RoomChoices:
    """The room_choices table, and what was said in a room before it was made confidential."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def chosen(self) -> dict[RoomId, RoomChoice]:
        """What was chosen, by its room."""
        rows = await self._database.all(_SQL["chosen"])
        return {
            RoomId(row["room_id"]): RoomChoice(
                role=None if row["role"] is None else RoomRole(row["role"]),
                confidential=bool(row["confidential"]),
            )
            for row in rows
        }

    async def choose_role(self, room: RoomId, role: RoomRole | None, *, by: Signature) -> None:
        """Let a room have this role from now on; None is what settings and platform say."""
        await self._choose("choose_role", room, "room.chosen", role, by)

    async def choose_confidential(self, room: RoomId, *, confidential: bool, by: Signature) -> None:
        """Let nothing that is said in a room leave it from now on; or take that back."""
        chosen = "confidential" if confidential else None
        await self._choose("choose_confidential", room, "room.marked", chosen, by)

    async def known_before(self, room: RoomId) -> KnownBefore:
        """How much of what was said in a room is known outside of it."""
        return await known_before(self._database, room)

    async def close_past(self, room: RoomId, *, by: Signature) -> KnownBefore:
        """Let nothing leave a confidential room of what was said there before; how much that was.

        It cannot be opened again: nothing says afterwards which of it was open.
        """
        now = self._clock.now()

        async def work(transaction: Transaction) -> KnownBefore:
            closed = await close_past(transaction, room)
            detail = f"messages={closed.messages} statements={closed.statements}"
            change = AuditedChange(actor=by, action="room.closed", target=room, detail=detail)
            await record(transaction, change, now)
            return closed

        return await self._database.write(work)

    async def _choose(
        self, query: str, room: RoomId, action: str, chosen: str | None, by: Signature
    ) -> None:
        now = self._clock.now()
        values = {"room": room, "chosen": chosen, "now": millis(now), "by": by}
        change = AuditedChange(actor=by, action=action, target=room, detail=chosen or _DEFAULT)

        async def work(transaction: Transaction) -> None:
            await transaction.run(_SQL[query], values)
            await transaction.run(_SQL["drop_empty"], {"room": room})
            await record(transaction, change, now)

        await self._database.write(work)
