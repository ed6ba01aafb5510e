"""The tables of this room, made for one database."""

from memory.ports import Clock
from memory.storage.forgetting.requests import Forgettings
from memory.storage.sqlite.database import Database


class ForgettingTables:
    """Requests to forget."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self.forgettings = Forgettings(database, clock)
