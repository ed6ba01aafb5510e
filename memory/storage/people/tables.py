"""The tables of this room, made for one database."""

from memory.ports import Clock
from memory.storage.people.aliases import Aliases
from memory.storage.people.people import People
from memory.storage.people.quiet_topics import QuietTopics
from memory.storage.people.zones import PersonZones
from memory.storage.sqlite.database import Database


class PeopleTables:
    """People, and what they asked for."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self.people = People(database, clock)
        self.aliases = Aliases(database, clock)
        self.quiet_topics = QuietTopics(database, clock)
        self.zones = PersonZones(database)
