"""The usage of model calls by purpose, model, person, room and day."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from memory.model.ledger import CallTotals
from memory.ports import Clock
from memory.storage.reporting.recent import RecentAnswers
from memory.storage.sqlite.database import Database
from memory.storage.sqlite.rows import json_list, millis, queries, row_as

_SQL = queries("reporting/usage_figures")


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageCell(CallTotals):
    """The calls of one purpose, model, person, room and UTC day, written `2026-11-24`."""

    purpose: str
    model: str
    person: str | None
    room: str | None
    day: str


class UsageFigures:
    """Adds up the ledger of model calls."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._recent = RecentAnswers(clock)

    async def cells(self, since: datetime) -> Sequence[UsageCell]:
        """The usage since a moment in its smallest parts.

        It is at most a minute old, so that a page and its charts read the ledger once together.
        """

        async def read() -> Sequence[UsageCell]:
            rows = await self._database.all(_SQL["cells"], {"since": millis(since)})
            return [row_as(UsageCell, row, day=_written(row["day"])) for row in rows]

        return await self._recent.of(since, read)

    async def names(self, people: Iterable[str], rooms: Iterable[str]) -> Mapping[str, str]:
        """The names of these people and rooms, by id."""
        values = {"people": json_list(people), "rooms": json_list(rooms)}
        return {row["id"]: row["name"] for row in await self._database.all(_SQL["names"], values)}


def _written(day: int) -> str:
    """A day by its number since 1970, as `2026-11-24`: cheaper than SQLite writing each row's."""
    return (date(1970, 1, 1) + timedelta(days=day)).isoformat()
