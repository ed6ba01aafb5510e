"""The tables of this room, made for one database."""

from memory.ports import Clock
from memory.storage.sqlite.database import Database
from memory.storage.statements.associations import Associations
from memory.storage.statements.history import Archive, History
from memory.storage.statements.knowledge import KnowledgeRows
from memory.storage.statements.listing import StatementList
from memory.storage.statements.merge_proposals import Proposals
from memory.storage.statements.notes import Notes
from memory.storage.statements.profiles import CoreFacts
from memory.storage.statements.statements import Memories


class StatementTables:
    """Statements and knowledge, with their history."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self.memories = Memories(database, clock)
        self.knowledge = KnowledgeRows(database)
        self.core_facts = CoreFacts(database)
        self.notes = Notes(database)
        self.associations = Associations(database, clock)
        self.lifetimes = History(database, clock)
        self.statement_list = StatementList(database, clock)
        self.archive = Archive(database, clock)
        self.proposals = Proposals(database, clock)
