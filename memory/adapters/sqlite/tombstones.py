"""Tombstones: what was forgotten is known again when it comes back, and is not let in."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from memory.adapters.sqlite.columns import json_list, millis, moment
from memory.adapters.sqlite.database import Database, Row, Transaction
from memory.adapters.sqlite.queries import queries
from memory.adapters.sqlite.selecting import Rows
from memory.forgetting.selection import Selection
from memory.model import Audience
from memory.tombstones import Marks, Said, Stone, Stones, joined, marks_of, parted

_SQL = queries("tombstones")
_KEY = "tombstones.key"


class Tombstones:
    """The tombstones table; where there are none, asking costs one count."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._stones: Stones | None = None
        self._as_of = (0, 0)

    async def refuses(self, said: Sequence[Said]) -> list[bool]:
        """For each text whether it was said before it, or what says the same, was forgotten."""
        return await self.refused_in(self._database, said)

    async def refused_in(self, rows: Rows, said: Sequence[Said]) -> list[bool]:
        """The same, inside a transaction."""
        stones = await self._current(rows)
        return [stones is not None and stones.refuse(one) for one in said]

    async def _current(self, rows: Rows) -> Stones | None:
        (standing,) = await rows.all(_SQL["standing"])
        as_of = (standing["stones"], standing["last"])
        if not standing["stones"]:
            return None
        if self._stones is None or as_of != self._as_of:
            key = await _key(rows)
            self._stones = Stones(map(_stone, await rows.all(_SQL["all"])), key)
            self._as_of = as_of
        return self._stones


async def bury(
    transaction: Transaction, forgetting: int, selection: Selection, now: datetime
) -> None:
    """Put up a tombstone for every text of a selection, before it is erased."""
    await transaction.run(_SQL["make_key"], {"key": _KEY})
    key = await _key(transaction)
    for kind, ids in (
        ("message", sorted(selection.messages)),
        ("memory", list(map(str, selection.memories))),
        ("knowledge", list(map(str, selection.knowledge))),
    ):
        rows = await transaction.all(_SQL[f"{kind}_texts"], {"ids": json_list(ids)})
        await transaction.many(
            _SQL["bury"],
            [
                {
                    "forgetting": forgetting,
                    "kind": kind,
                    "audience": audience,
                    "content": marks.content,
                    "stems": joined(marks.stems),
                    "telling": joined(marks.telling),
                    "now": millis(now),
                }
                for audience, marks in _marked(rows, key)
            ],
        )


async def lift(transaction: Transaction, forgetting: int) -> None:
    """Take the tombstones of a forgetting away: what it took may be learned again."""
    await transaction.run(_SQL["lift"], {"forgetting": forgetting})


async def _key(rows: Rows) -> bytes:
    (row,) = await rows.all(_SQL["key"], {"key": _KEY})
    return bytes.fromhex(row["value"])


def _marked(rows: Iterable[Row], key: bytes) -> Iterable[tuple[Audience, Marks]]:
    """Each text once for each audience."""
    once = dict.fromkeys((Audience(row["audience"]), row["text"]) for row in rows)
    for audience, text in once:
        marks = marks_of(text, key)
        if marks is not None:
            yield audience, marks


def _stone(row: Row) -> Stone:
    return Stone(
        Marks(row["content"], parted(row["stems"]), parted(row["telling"])),
        Audience(row["audience"]),
        moment(row["forgotten_at"]),
    )
