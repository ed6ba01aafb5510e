"""Everything SQLite keeps, as the composition root hands it on."""

from memory.ports import Clock, EmbedderInUse
from memory.storage.access.tables import AccessTables
from memory.storage.backups.tables import BackupRows
from memory.storage.community.tables import CommunityTables
from memory.storage.conversations.tables import ConversationTables
from memory.storage.forgetting.tables import ForgettingTables
from memory.storage.linking.tables import LinkingTables
from memory.storage.people.tables import PeopleTables
from memory.storage.reporting.reports import Reports
from memory.storage.search.tables import SearchTables
from memory.storage.sqlite.database import Database
from memory.storage.sqlite.tables import UpkeepTables
from memory.storage.statements.tables import StatementTables
from memory.storage.transfer.tables import TransferTables


class Storage(
    AccessTables,
    BackupRows,
    CommunityTables,
    ConversationTables,
    ForgettingTables,
    LinkingTables,
    PeopleTables,
    SearchTables,
    UpkeepTables,
    StatementTables,
    TransferTables,
):
    """Everything SQLite keeps, table by table; each room makes its own."""

    def __init__(self, database: Database, embedder: EmbedderInUse, clock: Clock) -> None:
        self.database, self.clock = database, clock
        PeopleTables.__init__(self, database, clock)
        AccessTables.__init__(self, database, clock)
        BackupRows.__init__(self, database, clock)
        CommunityTables.__init__(self, database, clock)
        ConversationTables.__init__(self, database, clock)
        ForgettingTables.__init__(self, database, clock)
        LinkingTables.__init__(self, database, self.people, clock)
        SearchTables.__init__(self, database, embedder, clock)
        UpkeepTables.__init__(self, database)
        StatementTables.__init__(self, database, clock)
        TransferTables.__init__(self, database)
        self.reports = Reports(database, clock)
