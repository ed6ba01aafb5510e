"""Roles and confidentiality that were chosen for rooms; each choice has an audit entry."""

from collections.abc import Iterable, Mapping

from memory.model.errors import HoldsNoMore
from memory.model.people import AuditedChange, Signature
from memory.model.rooms import RoomChoice, RoomId, RoomWish
from memory.storage.community.room_past import KnownBefore, close_past, known_before
from memory.storage.sqlite.audit import record
from memory.storage.sqlite.database import Check, TimedTable, Transaction, no_check
from memory.storage.sqlite.rows import Row, millis, queries, row_as

_SQL = queries("community/room_choices")

_DEFAULT = "default"
"""How the audit log names a choice that was taken back."""

_ACTIONS = {"choose_role": "room.chosen", "choose_confidential": "room.marked"}
"""How the audit log names each change."""


class RoomChoices(TimedTable):
    """The room_choices table, and what was said in a room before it was made confidential."""

    async def chosen(self) -> dict[RoomId, RoomChoice]:
        """The choices by room."""
        return _choices(await self._database.all(_SQL["chosen"]))

    def unchanged(self, rooms: Iterable[RoomId], before: Mapping[RoomId, RoomChoice]) -> Check:
        """A check that raises HoldsNoMore unless these rooms have the choices of `before`."""
        ids = set(rooms)

        async def check(transaction: Transaction) -> None:
            now = _choices(await transaction.all(_SQL["chosen"]))
            if any(now.get(one) != before.get(one) for one in ids):
                raise HoldsNoMore("It was changed meanwhile.")

        return check

    async def change(
        self, room: RoomId, wish: RoomWish, *, by: Signature, check: Check = no_check
    ) -> None:
        """Apply a wish to a room in one transaction, if `check` does not raise."""

        async def work(transaction: Transaction) -> None:
            await check(transaction)
            if wish.confidential is not None:
                marked = "confidential" if wish.confidential else None
                await self._choose(transaction, "choose_confidential", room, marked, by)
            if wish.role is not None or wish.default_role:
                await self._choose(transaction, "choose_role", room, wish.role, by)
            await transaction.run(_SQL["drop_empty"], {"room": room})
            if wish.confidential and wish.past:
                await self._close_past(transaction, room, by)

        await self._database.write(work)

    async def known_before(self, room: RoomId) -> KnownBefore:
        """How many rows that were said in a room are known outside of it."""
        return await known_before(self._database, room)

    async def close_past(self, room: RoomId, *, by: Signature) -> KnownBefore:
        """Close what was said in a room before it became confidential; returns how much it was.

        This cannot be undone: nothing says afterwards which rows were open.
        """
        return await self._database.write(
            lambda transaction: self._close_past(transaction, room, by)
        )

    async def _close_past(
        self, transaction: Transaction, room: RoomId, by: Signature
    ) -> KnownBefore:
        closed = await close_past(transaction, room)
        detail = f"messages={closed.messages} statements={closed.statements}"
        change = AuditedChange(actor=by, action="room.closed", target=room, detail=detail)
        await record(transaction, change, self._clock.now())
        return closed

    async def _choose(
        self,
        transaction: Transaction,
        query: str,
        room: RoomId,
        chosen: str | None,
        by: Signature,
    ) -> None:
        now = self._clock.now()
        await transaction.run(
            _SQL[query], {"room": room, "chosen": chosen, "now": millis(now), "by": by}
        )
        change = AuditedChange(
            actor=by, action=_ACTIONS[query], target=room, detail=chosen or _DEFAULT
        )
        await record(transaction, change, now)


def _choices(rows: Iterable[Row]) -> dict[RoomId, RoomChoice]:
    return {RoomId(row["room_id"]): row_as(RoomChoice, row) for row in rows}
