"""How much there is of everything, how it grew, and what waits."""

from dataclasses import dataclass
from datetime import datetime

from memory.model.recalled import NOT_IN_TIME, UNREADABLE
from memory.model.shown import Shown
from memory.ports import Clock
from memory.storage.reporting.recent import RecentAnswers
from memory.storage.sqlite.database import Database, TimedTable
from memory.storage.sqlite.readers import Snapshot
from memory.storage.sqlite.rows import json_list, millis, moment, queries, row_as

_SQL = queries("reporting/statistics")

LATEST_TURNS = 200
"""Turns whose latency is reported."""

MOST_TURNS = 1000
"""Turns of which it is counted what became of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnCount:
    """Turns with one outcome: `answered`, `failed`, `refused` or `undelivered`.

    Of `late` ones recall missed its deadline, or some step of it failed.
    """

    outcome: str
    turns: int
    late: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KindCount:
    """Statements of one kind: `holds` counts those that hold, `kept` all of them."""

    store: Shown[str]
    kind: Shown[str]
    holds: Shown[int]
    kept: Shown[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthGrowth:
    """Statements of a store that came in within a month, written `2026-11`."""

    month: str
    store: str
    added: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptFigures:
    """How much there was of everything at a moment; `sizes` are rows by table."""

    at: datetime
    kinds: tuple[KindCount, ...]
    months: tuple[MonthGrowth, ...]
    sizes: dict[str, int]


class Statistics(TimedTable):
    """Counts what is kept."""

    def __init__(self, database: Database, clock: Clock) -> None:
        super().__init__(database, clock)
        self._recent = RecentAnswers(clock)

    async def figures(self) -> KeptFigures:
        """How much there is of everything, as it was at most a minute ago."""
        return await self._recent.of("figures", self._figures)

    async def queues(self) -> dict[str, int]:
        """How much waits in each queue, by its name; read now, since every queue is short."""
        row = await self._database.one(_SQL["queues"])
        return {} if row is None else dict(row)

    async def oldest(self) -> dict[str, datetime]:
        """Since when the oldest of each queue waits, by the queue's name; none of empty ones."""
        row = await self._database.one(_SQL["oldest"])
        found = {} if row is None else dict(row)
        return {queue: moment(at) for queue, at in found.items() if at is not None}

    async def given_up(self) -> int:
        """How many overheard lines no digest could read, though it tried again."""
        row = await self._database.one(_SQL["given_up"])
        return 0 if row is None else int(row["lines"])

    async def checkins_since(self, since: datetime) -> int:
        """How often the pet wrote first since a moment."""
        row = await self._database.one(_SQL["checkins_since"], {"since": millis(since)})
        return 0 if row is None else int(row["checkins"])

    async def turns_since(self, since: datetime) -> list[TurnCount]:
        """What became of the turns since a moment, of the latest `MOST_TURNS`."""
        values = {
            "since": millis(since),
            "latest": MOST_TURNS,
            "missed": json_list([NOT_IN_TIME, UNREADABLE]),
        }
        return await self._database.all_as(TurnCount, _SQL["turns_since"], values)

    async def turn_latencies_ms(self) -> list[int]:
        """How long the latest turns took from request to reply, the latest first."""
        rows = await self._database.all(_SQL["latencies"], {"latest": LATEST_TURNS})
        return [max(0, row["took_ms"]) for row in rows]

    async def _figures(self) -> KeptFigures:
        now = self._clock.now()
        return await self._database.read(lambda found: _counted(found, now))


def _counted(snapshot: Snapshot, now: datetime) -> KeptFigures:
    kinds = snapshot.all(_SQL["statements"], {"now": millis(now)})
    sizes = snapshot.one(_SQL["sizes"])
    return KeptFigures(
        at=now,
        kinds=tuple(row_as(KindCount, row) for row in kinds),
        months=tuple(row_as(MonthGrowth, row) for row in snapshot.all(_SQL["months"])),
        sizes={} if sizes is None else dict(sizes),
    )
