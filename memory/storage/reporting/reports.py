"""Every report of a database, by name."""

from memory.ports import Clock
from memory.storage.reporting.statistics import Statistics
from memory.storage.reporting.usage_figures import UsageFigures
from memory.storage.sqlite.database import Database


class Reports:
    """The reports for the owner on all that is kept."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self.statistics = Statistics(database, clock)
        self.usage = UsageFigures(database, clock)
