"""The tables of this room, made for one database."""

from memory.ports import Clock
from memory.storage.linking.directory import PeopleDirectory
from memory.storage.linking.link_codes import LinkCodes
from memory.storage.linking.person_view import PersonViews
from memory.storage.linking.recovery_codes import RecoveryCodes
from memory.storage.linking.splitting import Accounts
from memory.storage.people.people import People
from memory.storage.sqlite.database import Database


class LinkingTables:
    """People as a whole, and how their accounts are joined and split."""

    def __init__(self, database: Database, people: People, clock: Clock) -> None:
        self.directory = PeopleDirectory(database, clock)
        self.person_views = PersonViews(database, clock)
        self.linking = LinkCodes(database, people, clock)
        self.recovery = RecoveryCodes(database, clock)
        self.accounts = Accounts(database, people, clock)
