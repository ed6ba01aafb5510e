"""What was said in a room before it became confidential: counted, and closed if wanted.

A row keeps the audience that it was said to. Closing gives every row of the room the audience of
the room, and so all that depends on the row: its summary and core facts, names that were read from
it, chunks that wait to be read. Associations with rows outside are dropped. A row outside that was
replaced by a row of the room holds again: its readers would have lost the one without learning the
other. Exchanges elsewhere that repeat such a row carry the room from then on (`turns.carries`).
"""

from dataclasses import dataclass

from memory.model.audience import room_audience
from memory.model.rooms import RoomId
from memory.storage.conversations.quotations import carry, quotes_of, refs_of_rows
from memory.storage.sqlite.database import Rows, Transaction
from memory.storage.sqlite.rows import json_list, queries, row_as

_SQL = queries("community/room_past")

STEPS = (
    "announce_messages",
    "announce_turns",
    "announce_memories",
    "announce_knowledge",
    "close_messages",
    "close_imports",
    "close_turns",
    "close_facts",
    "close_knowledge",
    "close_spans",
    "close_chunks",
    "close_memories",
    "close_names",
    "close_reminders",
    "announce_restored",
    "restore_replaced",
    "close_changes",
    "drop_ties",
    "drop_proposals",
)
"""A step for every table that says who may know a row of a room; a test compares the schema."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownBefore:
    """How many rows that were said in a room are known outside of it."""

    messages: int
    statements: int

    @property
    def is_nothing(self) -> bool:
        """Whether both counts are 0."""
        return not (self.messages or self.statements)


async def known_before(database: Rows, room: RoomId) -> KnownBefore:
    """How many rows that were said in a room are known outside of it."""
    row = await database.one(_SQL["count"], _values(room))
    return row_as(KnownBefore, row) if row else _NOTHING


_NOTHING = KnownBefore(messages=0, statements=0)


async def close_past(transaction: Transaction, room: RoomId) -> KnownBefore:
    """Give all that was said in a room the audience of the room, inside a transaction."""
    values = _values(room)
    known = await known_before(transaction, room)
    repeated = await _repeating(transaction, room)
    for step in STEPS:
        await transaction.run(_SQL[step], values)
    await carry(transaction, repeated, room_audience(room))
    return known


async def _repeating(transaction: Transaction, room: RoomId) -> set[str]:
    """The exchanges in other rooms whose reply repeats a row that is about to be closed."""
    rows = await transaction.all(_SQL["open_rows"], _values(room))
    quotes = await quotes_of(transaction, refs_of_rows(rows))
    elsewhere = await transaction.all(
        _SQL["elsewhere"], {"room": room, "turns": json_list({quote.turn for quote in quotes})}
    )
    outside = {row["id"] for row in elsewhere}
    return {quote.turn for quote in quotes if quote.turn in outside and quote.is_repeated()}


def _values(room: RoomId) -> dict[str, str]:
    return {"room": room, "closed": room_audience(room)}
