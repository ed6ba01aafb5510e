"""The tables of this room, made for one database."""

from memory.ports import Clock, EmbedderInUse
from memory.storage.search.embeddings import Embeddings
from memory.storage.search.outbox import Outbox
from memory.storage.sqlite.database import Database


class SearchTables:
    """What is looked up by meaning, and what waits to be."""

    def __init__(self, database: Database, embedder: EmbedderInUse, clock: Clock) -> None:
        self.embeddings = Embeddings(database, embedder, clock)
        self.outbox = Outbox(database, self.embeddings, clock)
