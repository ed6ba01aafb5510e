"""The lines of a room as its members see them: words, quotation, account and reactions."""

from collections.abc import Sequence

from memory.model.messages import QuotedLine, Reaction, SpokenLine
from memory.model.rooms import RoomId
from memory.storage.conversations.messages import message_of
from memory.storage.conversations.reactions import reactions_to
from memory.storage.sqlite.database import Table
from memory.storage.sqlite.rows import Row, json_list, queries, row_as

_SQL = queries("conversations/room_lines")

PLATFORMS = ("web", "console", "eko")
"""The platforms whose message ids are used in the pet's own rooms: page, terminal, the pet."""

QUOTED_LIMIT = 200
"""Characters of a quotation: enough to know the line again."""


class RoomLines(Table):
    """Reads rooms on the pet's own machine, where an id is that of one message."""

    async def recent(self, room: RoomId, limit: int) -> Sequence[SpokenLine]:
        """The last `limit` lines that have words, oldest first."""
        values = {"room": room, "limit": limit, **_SOURCES}
        return await self._lines(await self._database.all(_SQL["recent"], values))

    async def line(self, room: RoomId, key: str) -> SpokenLine | None:
        """One line of a room by the id of its message, or None if it is gone."""
        row = await self._database.one(_SQL["line"], {"room": room, "key": key, **_SOURCES})
        return None if row is None else (await self._lines([row]))[0]

    async def _lines(self, rows: Sequence[Row]) -> list[SpokenLine]:
        reactions = await reactions_to(self._database, [row["id"] for row in rows])
        return [_line(row, reactions.get(row["id"], ())) for row in rows]


_SOURCES = {"platforms": json_list(PLATFORMS), "quoted_limit": QUOTED_LIMIT}


def _line(row: Row, reactions: tuple[Reaction, ...]) -> SpokenLine:
    quoted = None
    if row["quoted"] is not None:
        quoted = QuotedLine(key=row["quoted"], author=row["quoted_author"], text=row["quoted_text"])
    message = message_of(row)
    return row_as(SpokenLine, row, message=message, quoted=quoted, reactions=reactions)
