"""Real tables in a temporary folder beside fakes in memory: what most tests stand on."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from memory.clock import FrozenClock
from memory.language.text import match_terms
from memory.learning.association import Associator
from memory.learning.association_pass import AssociationPass
from memory.learning.known import KnownAlready
from memory.learning.observed import Learning
from memory.learning.store import StatementWriter, Stored
from memory.model.audience import Origin, Scope
from memory.model.authority import BY_OPERATOR, Actor
from memory.model.messages import Arrival, Handling, MessageId
from memory.model.retrieval import Candidate
from memory.model.rooms import Visibility
from memory.model.statements import Association, MemoryId, MemoryType, NewMemory, Source
from memory.model.stores import Collection, Store
from memory.ports import Hit, Vectors
from memory.retrieval.explanation import Explanations
from memory.retrieval.read_views import ReadViews
from memory.retrieval.references import References
from memory.storage.conversations.claims import Claims
from memory.storage.conversations.digests import Digests
from memory.storage.conversations.extractions import Extractions
from memory.storage.conversations.ledger import Ledger
from memory.storage.conversations.messages import Messages
from memory.storage.conversations.reminders import Reminders
from memory.storage.conversations.summaries import Summaries
from memory.storage.conversations.turns import Turns
from memory.storage.people.aliases import Aliases
from memory.storage.people.people import People
from memory.storage.search.candidates import CandidateRows, RowSource
from memory.storage.search.embeddings import Embeddings
from memory.storage.search.outbox import Outbox
from memory.storage.search.term_counts import Vocabulary
from memory.storage.sqlite.database import Database, open_database
from memory.storage.sqlite.health import Health
from memory.storage.statements.associations import Associations
from memory.storage.statements.knowledge import KnowledgeRows
from memory.storage.statements.notes import Notes
from memory.storage.statements.profiles import CoreFacts
from memory.storage.statements.statements import Memories
from memory.storage.statements.subjects import Subjects
from memory.upkeep.claim_pass import ClaimPass
from memory.upkeep.indexer import Indexer
from memory.vectorstores.in_memory import InMemoryIndex
from tests.cast import LOBBY, NOON, PLATFORM, room_of
from tests.databases import begin_database
from tests.embedder import HashingEmbedder

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageParts:
    """Every table, the index beside it, and what writes them."""

    clock: FrozenClock
    database: Database
    people: People
    messages: Messages
    turns: Turns
    reminders: Reminders
    memories: Memories
    knowledge: KnowledgeRows
    core_facts: CoreFacts
    notes: Notes
    summaries: Summaries
    associations: Associations
    digests: Digests
    extractions: Extractions
    ledger: Ledger
    embeddings: Embeddings
    outbox: Outbox
    health: Health
    embedder: HashingEmbedder
    index: InMemoryIndex
    indexer: Indexer
    claims: ClaimPass
    remember: StatementWriter
    learning: Learning
    association_pass: AssociationPass
    explanations: Explanations

    async def count(self, table: str, where: str = "1") -> int:
        """How many rows a table has."""
        row = await self.database.one(f"SELECT count(*) AS n FROM {table} WHERE {where}")  # noqa: S608 - tests name tables
        return int(row["n"]) if row else 0


class StuckIndex(InMemoryIndex):
    """A vector search that answers only while `works`."""

    works = True

    async def search(
        self, collection: Collection, vector: Vectors, *, limit: int, scope: Scope
    ) -> Sequence[Hit]:
        """The hits, or nothing, ever."""
        if not self.works:
            await asyncio.Event().wait()
        return await super().search(collection, vector, limit=limit, scope=scope)


@asynccontextmanager
async def open_truth(
    folder: Path,
    *,
    clock: FrozenClock | None = None,
    embedder: HashingEmbedder | None = None,
    index: InMemoryIndex | None = None,
    kind: type[sqlite3.Connection] = sqlite3.Connection,
) -> AsyncIterator[StorageParts]:
    """The database of a folder with an index, both kept when the folder is opened again."""
    clock = clock or FrozenClock(NOON)
    embedder = embedder or HashingEmbedder()
    index = index or InMemoryIndex(embedder.fingerprint)
    await begin_database(folder / "eko.sqlite3")
    async with open_database(folder / "eko.sqlite3", kind) as database:
        embeddings = Embeddings(database, embedder, clock)
        outbox = Outbox(database, embeddings, clock)
        memories, associations = Memories(database, clock), Associations(database, clock)
        people, messages = People(database, clock), Messages(database, clock)
        turns, ledger = Turns(database, clock), Ledger(database, clock)
        knowledge = KnowledgeRows(database)
        references = References(memories, messages, turns, knowledge, people)
        associator = Associator(Vocabulary(database, "memories"), embeddings)
        remember = PlantingWriter(memories, embedder, index, associator, clock)
        claim_pass = ClaimPass(Claims(database))
        core_facts = CoreFacts(database)
        known = KnownAlready(
            Subjects(database, clock), memories, core_facts, Aliases(database, clock)
        )
        yield StorageParts(
            clock=clock,
            database=database,
            people=people,
            messages=messages,
            turns=turns,
            reminders=Reminders(database, clock),
            memories=memories,
            knowledge=knowledge,
            core_facts=core_facts,
            notes=Notes(database),
            summaries=Summaries(database, clock),
            associations=associations,
            digests=Digests(database, clock),
            extractions=Extractions(database),
            ledger=ledger,
            embeddings=embeddings,
            outbox=outbox,
            health=Health(database),
            embedder=embedder,
            index=index,
            indexer=Indexer(outbox, embedder, index, claim_pass),
            claims=claim_pass,
            remember=remember,
            learning=Learning(remember, known),
            association_pass=AssociationPass(associations, memories, embeddings, index, associator),
            explanations=Explanations(ledger, turns, associations, references),
        )


def arrival(text: str, external_id: str, handling: Handling = Handling.OBSERVED) -> Arrival:
    """A message on its way into the lobby."""
    return Arrival(
        platform=PLATFORM,
        external_id=external_id,
        room=room_of(LOBBY),
        author="David",
        text=text,
        sent_at=NOON,
        handling=handling,
    )


async def overhear(storage: StorageParts, *texts: str) -> list[MessageId]:
    """Put messages into the lobby; their ids."""
    await storage.people.keep_room(room_of(LOBBY))
    first = await storage.count("messages")
    arrivals = [arrival(text, f"m{number}") for number, text in enumerate(texts, first + 1)]
    return [one for one in await storage.messages.accept(arrivals) if one is not None]


class PlantingWriter(StatementWriter):
    """Keeps what a test plants as a command of the operator does, unless another is named.

    What people say is kept by their own word: tools and observers say so, or plan and apply it.
    """

    async def store_all(self, news: Sequence[NewMemory], by: Actor | None = None) -> list[Stored]:
        """Store statements that are learnt together."""
        return await super().store_all(news, by or BY_OPERATOR)


def statement(content: str, **fields: object) -> NewMemory:
    """A statement that everybody in the home space may know."""
    given: dict[str, object] = {
        "store": Store.MEMORY,
        "content": content,
        "origin": Origin(visibility=Visibility.SPACE),
        "source": Source.CONVERSATION,
        "memory_type": MemoryType.FACT,
        **fields,
    }
    return NewMemory(**given)  # type: ignore[arg-type]


def matching(text: str) -> str:
    """An FTS5 query for any of the words of a text."""
    return " OR ".join(f'"{stem}"' for stem in match_terms(text))


def read_views_on(storage: StorageParts) -> ReadViews:
    """Read views of these tables and this index."""
    return ReadViews(storage.database.readers, storage.index, storage.clock)


async def looked_up(storage: StorageParts, scope: Scope, look: Callable[[CandidateRows], T]) -> T:
    """What recall's rows bring in a snapshot of their own."""
    return await read_views_on(storage).make(lambda view: look(view.rows()), scope)


FROM_TEST = RowSource("test")
"""A source of rows that a test asks for."""


ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"
"""A query that nothing but an interruption ends."""


async def known_by_text(storage: StorageParts, words: str, scope: Scope) -> list[Candidate]:
    """Summaries, core facts and notes that share words with a text, best first."""
    return await looked_up(
        storage, scope, lambda rows: rows.knowledge_by_text(FROM_TEST, matching(words), 5)
    )


async def exchanges_by_text(storage: StorageParts, words: str, scope: Scope) -> list[Candidate]:
    """Exchanges that share words with a text, best first."""
    return await looked_up(
        storage, scope, lambda rows: rows.exchanges_by_text(FROM_TEST, matching(words), 5)
    )


async def overheard_by_text(storage: StorageParts, words: str, scope: Scope) -> list[Candidate]:
    """Lobby messages that share words with a text, best first."""
    return await looked_up(
        storage, scope, lambda rows: rows.overheard_by_text(FROM_TEST, matching(words), 10)
    )


async def ties_around(
    storage: StorageParts, ids: Sequence[MemoryId], scope: Scope, limit: int = 400
) -> list[Association]:
    """The associations of some statements, closest first."""
    return await storage.database.read(
        lambda snapshot: storage.associations.read_around(snapshot, ids, scope, limit)
    )
