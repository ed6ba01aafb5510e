"""Every report of a database, by name."""

from dataclasses import dataclass

from memory.ports import Clock
from memory.storage.reporting.statistics import Statistics
from memory.storage.reporting.usage_figures import UsageFigures
from memory.storage.sqlite.database import Database


@dataclass(frozen=True, slots=True, kw_only=True)
class Reports:
    """What the owner is told of all that is kept."""

    statistics: Statistics
    usage: UsageFigures


def reports_of(database: Database, clock: Clock) -> Reports:
    """The reports of a database."""
    return Reports(
        statistics=Statistics(database, clock),
        usage=UsageFigures(database, clock),
    )
