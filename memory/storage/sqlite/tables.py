"""The tables of this room, made for one database."""

from memory.storage.sqlite.audit import AuditLog
from memory.storage.sqlite.database import Database
from memory.storage.sqlite.health import Health
from memory.storage.sqlite.timeline import Timeline
from memory.storage.sqlite.vacuum import Vacuum


class UpkeepTables:
    """The audit log, the clock, and the health of the file."""

    def __init__(self, database: Database) -> None:
        self.health = Health(database)
        self.scrubber = Vacuum(database)
        self.audit = AuditLog(database)
        self.timeline = Timeline(database)
