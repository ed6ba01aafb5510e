"""The tables of this room, made for one database."""

from memory.ports import Clock
from memory.storage.backups.copies import DatabaseCopies
from memory.storage.backups.erasures import Erasures
from memory.storage.backups.records import BackupRecords
from memory.storage.sqlite.database import Database


class BackupRows:
    """Copies of the database, and what they must not bring back."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self.copies = DatabaseCopies(database, clock)
        self.erasures = Erasures(database)
        self.backups = BackupRecords(database)
