"""Everything SQLite keeps, as the composition root hands it on."""

from dataclasses import dataclass

from memory.ports import Clock, EmbedderInUse
from memory.storage.access.keys import ApiKeys
from memory.storage.access.login_links import LoginLinks
from memory.storage.access.sessions import WebSessions
from memory.storage.backups.copies import DatabaseCopies
from memory.storage.backups.erasures import Erasures
from memory.storage.backups.records import BackupRecords
from memory.storage.community.announced_commands import AnnouncedCommands
from memory.storage.community.greetings import GreetedSpaces
from memory.storage.community.invocations import Invocations
from memory.storage.community.member_roles import MemberRoles
from memory.storage.community.pauses import Pauses
from memory.storage.community.room_choices import RoomChoices
from memory.storage.community.session_starts import SessionStarts
from memory.storage.community.settings import MemorySettings
from memory.storage.conversations.digest_ledger import DigestLedger
from memory.storage.conversations.digests import Digests
from memory.storage.conversations.evaluations import Evaluations
from memory.storage.conversations.extractions import Extractions
from memory.storage.conversations.ledger import Ledger
from memory.storage.conversations.messages import Messages
from memory.storage.conversations.reactions import Reactions
from memory.storage.conversations.reminders import Reminders
from memory.storage.conversations.room_lines import RoomLines
from memory.storage.conversations.room_positions import RoomPositions
from memory.storage.conversations.summaries import Summaries
from memory.storage.conversations.transcript import Transcript
from memory.storage.conversations.turn_records import TurnRecords
from memory.storage.conversations.turns import Turns
from memory.storage.forgetting.requests import Forgettings
from memory.storage.linking.directory import PeopleDirectory
from memory.storage.linking.link_codes import LinkCodes
from memory.storage.linking.person_view import PersonViews
from memory.storage.linking.recovery_codes import RecoveryCodes
from memory.storage.linking.splitting import Accounts
from memory.storage.people.people import People
from memory.storage.people.quiet_topics import QuietTopics
from memory.storage.people.zones import PersonZones
from memory.storage.reporting.reports import Reports, reports_of
from memory.storage.search.embeddings import Embeddings
from memory.storage.search.outbox import Outbox
from memory.storage.sqlite.audit import AuditLog
from memory.storage.sqlite.database import Database
from memory.storage.sqlite.health import Health
from memory.storage.sqlite.timeline import Timeline
from memory.storage.sqlite.vacuum import Vacuum
from memory.storage.statements.archive import Archive
from memory.storage.statements.associations import Associations
from memory.storage.statements.history import History
from memory.storage.statements.knowledge import KnowledgeRows
from memory.storage.statements.listing import StatementList
from memory.storage.statements.merge_proposals import Proposals
from memory.storage.statements.notes import Notes
from memory.storage.statements.profiles import CoreFacts
from memory.storage.statements.statements import Memories
from memory.storage.transfer.exports import Exports
from memory.storage.transfer.imports import Imports


@dataclass(frozen=True, slots=True, kw_only=True)
class Storage:
    """Everything SQLite keeps, table by table."""

    people: People
    directory: PeopleDirectory
    room_choices: RoomChoices
    pauses: Pauses
    invocations: Invocations
    read_backs: RoomPositions
    greeted_spaces: GreetedSpaces
    announced: AnnouncedCommands
    member_roles: MemberRoles
    session_starts: SessionStarts
    messages: Messages
    transcript: Transcript
    room_lines: RoomLines
    reactions: Reactions
    turns: Turns
    turn_records: TurnRecords
    memories: Memories
    knowledge: KnowledgeRows
    summaries: Summaries
    core_facts: CoreFacts
    notes: Notes
    associations: Associations
    lifetimes: History
    statement_list: StatementList
    digests: Digests
    digest_ledger: DigestLedger
    extractions: Extractions
    ledger: Ledger
    outbox: Outbox
    embeddings: Embeddings
    health: Health
    evaluations: Evaluations
    exports: Exports
    imports: Imports
    scrubber: Vacuum
    forgettings: Forgettings
    settings: MemorySettings
    audit: AuditLog
    login_links: LoginLinks
    web_sessions: WebSessions
    api_keys: ApiKeys
    archive: Archive
    proposals: Proposals
    person_views: PersonViews
    linking: LinkCodes
    copies: DatabaseCopies
    erasures: Erasures
    backups: BackupRecords
    timeline: Timeline
    quiet_topics: QuietTopics
    recovery: RecoveryCodes
    accounts: Accounts
    reminders: Reminders
    zones: PersonZones
    reports: Reports


def storage_in(database: Database, embedder: EmbedderInUse, clock: Clock) -> Storage:
    """Every table of a database, for what this embedder makes of texts."""
    embeddings = Embeddings(database, embedder, clock)
    people = People(database, clock)
    return Storage(
        people=people,
        directory=PeopleDirectory(database, clock),
        room_choices=RoomChoices(database, clock),
        pauses=Pauses(database, clock),
        invocations=Invocations(database, clock),
        read_backs=RoomPositions(database),
        greeted_spaces=GreetedSpaces(database, clock),
        announced=AnnouncedCommands(database),
        member_roles=MemberRoles(database, clock),
        session_starts=SessionStarts(database),
        messages=Messages(database, clock),
        transcript=Transcript(database),
        room_lines=RoomLines(database),
        reactions=Reactions(database, clock),
        turns=Turns(database, clock),
        turn_records=TurnRecords(database),
        memories=Memories(database, clock),
        knowledge=KnowledgeRows(database),
        summaries=Summaries(database, clock),
        core_facts=CoreFacts(database),
        notes=Notes(database),
        associations=Associations(database, clock),
        lifetimes=History(database, clock),
        statement_list=StatementList(database, clock),
        digests=Digests(database, clock),
        digest_ledger=DigestLedger(database, clock),
        extractions=Extractions(database),
        ledger=Ledger(database, clock),
        outbox=Outbox(database, embeddings, clock),
        embeddings=embeddings,
        health=Health(database),
        evaluations=Evaluations(database, clock),
        exports=Exports(database),
        imports=Imports(database),
        scrubber=Vacuum(database),
        forgettings=Forgettings(database, clock),
        settings=MemorySettings(database, clock),
        audit=AuditLog(database),
        login_links=LoginLinks(database, clock),
        web_sessions=WebSessions(database, clock),
        api_keys=ApiKeys(database, clock),
        archive=Archive(database, clock),
        proposals=Proposals(database, clock),
        person_views=PersonViews(database, clock),
        linking=LinkCodes(database, people, clock),
        copies=DatabaseCopies(database, clock),
        erasures=Erasures(database),
        backups=BackupRecords(database),
        timeline=Timeline(database),
        quiet_topics=QuietTopics(database, clock),
        recovery=RecoveryCodes(database, clock),
        accounts=Accounts(database, people, clock),
        reminders=Reminders(database, clock),
        zones=PersonZones(database),
        reports=reports_of(database, clock),
    )
