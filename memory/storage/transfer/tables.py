"""The tables of this room, made for one database."""

from memory.storage.sqlite.database import Database
from memory.storage.transfer.exports import Exports
from memory.storage.transfer.imports import Imports


class TransferTables:
    """What leaves and comes in as files."""

    def __init__(self, database: Database) -> None:
        self.exports = Exports(database)
        self.imports = Imports(database)
