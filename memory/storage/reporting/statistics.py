"""How much there is of everything, how it grew, and what waits."""

from dataclasses import dataclass
from datetime import datetime

from memory.model.shown import Shown
from memory.ports import Clock
from memory.storage.reporting.recent import RecentAnswers
from memory.storage.sqlite.database import Database, TimedTable
from memory.storage.sqlite.readers import Snapshot
from memory.storage.sqlite.rows import millis, queries, row_as

_SQL = queries("reporting/statistics")

LATEST_TURNS = 200
"""Turns whose latency is reported."""


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
