"""Everything SQLite keeps, as the composition root hands it on."""

from dataclasses import dataclass

from memory.adapters.sqlite.announced_commands import AnnouncedCommands
from memory.adapters.sqlite.archive import Archive
from memory.adapters.sqlite.associations import Associations
from memory.adapters.sqlite.audit import AuditLog
from memory.adapters.sqlite.core_facts import CoreFacts
from memory.adapters.sqlite.database import Database
from memory.adapters.sqlite.digests import Digests
from memory.adapters.sqlite.dossiers import Dossiers
from memory.adapters.sqlite.embeddings import Embeddings
from memory.adapters.sqlite.evaluations import Evaluations
from memory.adapters.sqlite.exporting import Exports
from memory.adapters.sqlite.extractions import Extractions
from memory.adapters.sqlite.forgettings import Forgettings
from memory.adapters.sqlite.greeted_spaces import GreetedSpaces
from memory.adapters.sqlite.health import Health
from memory.adapters.sqlite.importing import Imports
from memory.adapters.sqlite.invocations import Invocations
from memory.adapters.sqlite.knowledge import KnowledgeRows
from memory.adapters.sqlite.ledger import Ledger
from memory.adapters.sqlite.lifetimes import Lifetimes
from memory.adapters.sqlite.linking import Linking
from memory.adapters.sqlite.memories import Memories
from memory.adapters.sqlite.memory_settings import MemorySettings
from memory.adapters.sqlite.messages import Messages
from memory.adapters.sqlite.notes import Notes
from memory.adapters.sqlite.outbox import Outbox
from memory.adapters.sqlite.pauses import Pauses
from memory.adapters.sqlite.people import People
from memory.adapters.sqlite.proposals import Proposals
from memory.adapters.sqlite.read_backs import ReadBacks
from memory.adapters.sqlite.room_roles import RoomRoles
from memory.adapters.sqlite.scrubbing import Scrubber
from memory.adapters.sqlite.summaries import Summaries
from memory.adapters.sqlite.turns import Turns
from memory.ports import Clock, Embedder


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """Everything SQLite keeps, table by table."""

    people: People
    room_roles: RoomRoles
    pauses: Pauses
    invocations: Invocations
    read_backs: ReadBacks
    greeted_spaces: GreetedSpaces
    announced: AnnouncedCommands
    messages: Messages
    turns: Turns
    memories: Memories
    knowledge: KnowledgeRows
    summaries: Summaries
    core_facts: CoreFacts
    notes: Notes
    associations: Associations
    lifetimes: Lifetimes
    digests: Digests
    extractions: Extractions
    ledger: Ledger
    outbox: Outbox
    embeddings: Embeddings
    health: Health
    evaluations: Evaluations
    exports: Exports
    imports: Imports
    scrubber: Scrubber
    forgettings: Forgettings
    settings: MemorySettings
    audit: AuditLog
    archive: Archive
    proposals: Proposals
    dossiers: Dossiers
    linking: Linking


def truth_in(database: Database, embedder: Embedder, clock: Clock) -> Truth:
    """Every table of a database, for what this embedder makes of texts."""
    embeddings = Embeddings(database, embedder.fingerprint, clock)
    people = People(database, clock)
    return Truth(
        people=people,
        room_roles=RoomRoles(database, clock),
        pauses=Pauses(database, clock),
        invocations=Invocations(database, clock),
        read_backs=ReadBacks(database),
        greeted_spaces=GreetedSpaces(database, clock),
        announced=AnnouncedCommands(database),
        messages=Messages(database, clock),
        turns=Turns(database, clock),
        memories=Memories(database, clock),
        knowledge=KnowledgeRows(database),
        summaries=Summaries(database, clock),
        core_facts=CoreFacts(database),
        notes=Notes(database),
        associations=Associations(database, clock),
        lifetimes=Lifetimes(database, clock),
        digests=Digests(database, clock),
        extractions=Extractions(database),
        ledger=Ledger(database, clock),
        outbox=Outbox(database, embeddings, clock),
        embeddings=embeddings,
        health=Health(database),
        evaluations=Evaluations(database, clock),
        exports=Exports(database),
        imports=Imports(database),
        scrubber=Scrubber(database),
        forgettings=Forgettings(database, clock),
        settings=MemorySettings(database, clock),
        audit=AuditLog(database),
        archive=Archive(database, clock),
        proposals=Proposals(database, clock),
        dossiers=Dossiers(database, clock),
        linking=Linking(database, people, clock),
    )
