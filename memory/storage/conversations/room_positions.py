"""Where reading a platform's past starts: the last message of each room, and stored messages."""

from dataclasses import dataclass
from datetime import datetime

from memory.model.rooms import RoomId
from memory.storage.sqlite.database import Table, Transaction
from memory.storage.sqlite.rows import millis, moment, queries, row_as

_SQL = queries("conversations/room_positions")


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftRoom:
    """A room the pet knows. `last_at` is when the last message it saw there was sent.

    `met_at` is when it got to know the room, and `last_at`, too, where it saw no message.
    `parent` is the room that it hangs under.
    """

    id: RoomId
    external_id: str
    last_at: datetime
    met_at: datetime
    parent: RoomId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredMessage:
    """A stored message that was not withdrawn as far as the pet knows."""

    external_id: str
    text: str
    sent_at: datetime


class RoomPositions(Table):
    """The read_backs table, and the rooms and messages that reading back compares with."""

    async def begin(self, platform: str, now: datetime) -> datetime:
        """When reading what was missed began: now, or earlier if that was interrupted."""
        values = {"platform": platform, "now": millis(now)}

        async def work(transaction: Transaction) -> datetime:
            (row,) = await transaction.all(_SQL["begin"], values)
            return moment(row["since"])

        return await self._database.write(work)

    async def finish(self, platform: str) -> None:
        """Record that everything that was missed has been read."""
        await self._database.run(_SQL["finish"], {"platform": platform})

    async def rooms(self, platform: str, since: datetime) -> list[LeftRoom]:
        """The rooms of a platform as they were left before a moment, the latest first."""
        values = {"platform": platform, "since": millis(since)}
        return await self._database.all_as(LeftRoom, _SQL["rooms"], values)

    async def standing(
        self, room: RoomId, start: datetime, *, before: datetime, limit: int
    ) -> list[StoredMessage]:
        """The last `limit` messages sent since `start` and received up to `before`, oldest first.

        The pet's own messages are left out.
        """
        values = {
            "room": room,
            "start": millis(start),
            "before": millis(before),
            "limit": limit,
        }
        rows = await self._database.all(_SQL["standing"], values)
        return [row_as(StoredMessage, row) for row in reversed(rows)]
