"""What model calls took, by purpose, model, person, room and day."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from memory.storage.columns import json_list, millis
from memory.storage.database import Database
from memory.storage.queries import queries

_SQL = queries("reporting/usage_figures")


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageCell:
    """The calls of one purpose, model, person, room and day (UTC, written `2026-11-24`) together.

    Tokens as the provider counted them, `injected` estimated; `cost` in billionths of a dollar.
    """

    purpose: str
    model: str
    person: str | None
    room: str | None
    day: str
    calls: int = 0
    answers: int = 0
    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    cost: int = 0
    injected: int = 0


class UsageFigures:
    """Adds up the ledger of model calls."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def cells(self, since: datetime) -> list[UsageCell]:
        """Everything since a moment, in the smallest parts that are told apart."""
        rows = await self._database.all(_SQL["cells"], {"since": millis(since)})
        return [UsageCell(**dict(row)) for row in rows]

    async def names(self, people: Iterable[str], rooms: Iterable[str]) -> Mapping[str, str]:
        """What these people and rooms are called, by id."""
        values = {"people": json_list(people), "rooms": json_list(rooms)}
        return {row["id"]: row["name"] for row in await self._database.all(_SQL["names"], values)}
