"""Everything SQLite keeps, as the composition root hands it on."""

from memory.ports import Clock, EmbedderInUse
from memory.storage.access.keys import ApiKeys
from memory.storage.access.sessions import LoginLinks, WebSessions
from memory.storage.backups.copies import DatabaseCopies
from memory.storage.backups.erasures import Erasures
from memory.storage.backups.records import BackupRecords
from memory.storage.community.tables import CommunityTables
from memory.storage.conversations.tables import ConversationTables
from memory.storage.elsewhere.deeds import SiblingDeeds
from memory.storage.elsewhere.given import GivenLines
from memory.storage.forgetting.requests import Forgettings
from memory.storage.forgetting.traces import Traces
from memory.storage.linking.codes import LinkCodes, RecoveryCodes
from memory.storage.linking.directory import PeopleDirectory
from memory.storage.linking.joining import JoinedPeople
from memory.storage.linking.person_view import PersonViews
from memory.storage.linking.splitting import Accounts
from memory.storage.people.aliases import Aliases
from memory.storage.people.kept_notes import KeptNotes
from memory.storage.people.people import People
from memory.storage.people.quiet_topics import QuietTopics
from memory.storage.people.zones import PersonZones
from memory.storage.reporting.statistics import Statistics
from memory.storage.reporting.usage_figures import UsageFigures
from memory.storage.search.embeddings import Embeddings
from memory.storage.search.outbox import Outbox
from memory.storage.sqlite.audit import AuditLog
from memory.storage.sqlite.database import Database
from memory.storage.sqlite.health import Health
from memory.storage.sqlite.timeline import Timeline
from memory.storage.sqlite.vacuum import Vacuum
from memory.storage.statements.tables import StatementTables
from memory.storage.transfer.exports import Exports
from memory.storage.transfer.histories import Histories
from memory.storage.transfer.imports import Imports
from memory.storage.transfer.leaving import LeavingSpaces


class Storage(CommunityTables, ConversationTables, StatementTables):
    """Everything SQLite keeps, table by table; rooms of many tables make their own."""

    def __init__(self, database: Database, embedder: EmbedderInUse, clock: Clock) -> None:
        self.database, self.clock = database, clock
        CommunityTables.__init__(self, database, clock)
        ConversationTables.__init__(self, database, clock)
        StatementTables.__init__(self, database, clock)
        self._make_people(database, clock)
        self._make_access(database, clock)
        self.forgettings = Forgettings(database, clock)
        self.traces = Traces(database, clock)
        self.embeddings = Embeddings(database, embedder, clock)
        self.outbox = Outbox(database, self.embeddings, clock)
        self.statistics = Statistics(database, clock)
        self.usage_figures = UsageFigures(database, clock)
        self._make_upkeep(database, clock)

    def _make_people(self, database: Database, clock: Clock) -> None:
        """People, what they asked for, and how their accounts are joined and split."""
        self.people = People(database, clock)
        self.aliases = Aliases(database, clock)
        self.quiet_topics = QuietTopics(database, clock)
        self.kept_notes = KeptNotes(database, clock)
        self.zones = PersonZones(database)
        self.directory = PeopleDirectory(database, clock)
        self.person_views = PersonViews(database, clock)
        self.linking = LinkCodes(database, self.people, clock)
        self.recovery = RecoveryCodes(database, clock)
        self.accounts = Accounts(database, self.people, clock)
        self.joined_people = JoinedPeople(database, self.people, clock)
        self.sibling_deeds = SiblingDeeds(database, clock)
        self.given_lines = GivenLines(database, clock)

    def _make_access(self, database: Database, clock: Clock) -> None:
        """Who may look in: links, sessions and keys."""
        self.login_links = LoginLinks(database, clock)
        self.web_sessions = WebSessions(database, clock)
        self.api_keys = ApiKeys(database, clock)

    def _make_upkeep(self, database: Database, clock: Clock) -> None:
        """Copies and what they must not bring back, files in and out, the health of the file."""
        self.copies = DatabaseCopies(database, clock)
        self.erasures = Erasures(database)
        self.backups = BackupRecords(database)
        self.exports = Exports(database)
        self.imports = Imports(database)
        self.histories = Histories(database, clock)
        self.leaving = LeavingSpaces(database, clock)
        self.health = Health(database)
        self.scrubber = Vacuum(database)
        self.audit = AuditLog(database)
        self.timeline = Timeline(database)
