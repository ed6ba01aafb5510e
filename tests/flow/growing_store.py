"""Two stores of one community: of a thousand rows of a kind, and of twenty times as many.

The large one is the small one nineteen times more. Three of the copies match whatever the first one
does: they say the same of the same people, a few seconds earlier. The others are of other people in
other words and older, in the same rooms and to the same audience. So what reads all there is, or
all that one audience may know, grows twenty times; what reads all that matches, four times; and
what is right hardly at all.
"""

import shutil
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from copy import deepcopy
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from random import Random
from uuid import UUID

from benchmarks.bulk import add_memories
from bot.llm.offline.summaries import RuleSummariser
from memory.clock import FrozenClock
from memory.model.audience import Origin
from memory.model.knowledge import KnowledgeId, Piece, ReadNote
from memory.model.messages import Arrival, Handling, MessageId
from memory.model.people import PersonId
from memory.model.rooms import Visibility
from memory.model.statements import (
    Association,
    GoalCategory,
    MemoryId,
    MemoryType,
    NewMemory,
    Relation,
    SelfCategory,
)
from memory.model.stores import Store
from memory.rules.forgetting.selector import Selector
from memory.rules.notes.chunks import NoteChoice
from memory.storage.search.term_counts import Vocabulary
from memory.storage.sqlite.database import Transaction
from memory.vectorstores.in_memory import InMemoryIndex
from observers.compaction import Summariser
from tests.cast import CORNER, DAVID, LEA, LOBBY, MICKAEL, NOON, PLATFORM, author, direct, room_of
from tests.embedder import HashingEmbedder
from tests.flow.pet import COMPACTION, Pet, awake, calls, responds
from tests.forgotten import RUNNER, forget_one, forgetting_on
from tests.storage import StorageParts, statement

DAYS = 10
"""Days that the small store tells of: yesterday and last week are among them."""

A_DAY = 100
"""Lobby messages of each day, and as many statements."""

QUIET_DAYS = 4
"""Of these the first: on the others the pet is asked about something."""

MATCHING = 4
"""How often what matches is there in the large store."""

TIMES = 20
"""How often everything is."""

NOTES = NoteChoice(paths=("house",))
"""One note is always at hand."""

PEOPLE = (
    DAVID,
    LEA,
    MICKAEL,
    *map(author, ("Zoé", "Hugo", "Nadia", "Omar", "Chloé", "Igor", "Ana")),
)
"""Whoever talks in the lobby, each as much as the others."""

TOPICS = (
    *("violoncelle", "accordéon", "randonnée", "gratin", "bicyclette"),
    *("jardin", "piano", "ruche", "concert", "voyage"),
)
"""What they talk of; a tenth of all rows is of each."""

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)

APART = 1_000_000
"""Between the numbers of a row and those of its next copy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GrowingStore:
    """The folder of a store, what its index knows and what time it is there."""

    folder: Path
    index: InMemoryIndex
    at: datetime

    @property
    def file(self) -> Path:
        """The database."""
        return self.folder / "eko.sqlite3"

    def copied(self, folder: Path) -> "GrowingStore":
        """The same elsewhere, for whoever changes it."""
        shutil.copytree(self.folder, folder)
        return GrowingStore(folder=folder, index=deepcopy(self.index), at=self.at)


def embedder() -> HashingEmbedder:
    """What the stores are embedded with: short vectors are copied quickly."""
    return HashingEmbedder(dimension=64)


def by_rules(storage: StorageParts, _model: object) -> Summariser:
    """Summaries without a model."""
    return RuleSummariser(Vocabulary(storage.database, "turns"), zone=COMPACTION.zone)


async def small_store(folder: Path) -> GrowingStore:
    """The store of a thousand rows, made day by day as a pet makes it."""
    clock, kept_by = FrozenClock(NOON - DAYS * DAY), embedder()
    index = InMemoryIndex(kept_by.fingerprint)
    async with awake(
        folder,
        clock=clock,
        embedder=kept_by,
        index=index,
        summariser=by_rules,
        notes=lambda: NOTES,
    ) as pet:
        community = _Community(pet, Random(7))
        await community.begins()
        for day in range(DAYS):
            await community.lives(day)
    store = GrowingStore(folder=folder, index=index, at=clock.now())
    with closing(sqlite3.connect(store.file)) as database:
        _merge_full_text(database)
    return store


class _Community:
    """Ten people who talk to each other and to a pet, the same way every time."""

    def __init__(self, pet: Pet, chance: Random) -> None:
        self._pet = pet
        self._chance = chance
        self._people: dict[str, PersonId] = {}

    async def begins(self) -> None:
        """People are met, and the pet knows about itself and of notes."""
        storage = self._pet.storage
        await storage.people.keep_room(room_of(LOBBY))
        for who in PEOPLE:
            met = await storage.people.person(PLATFORM, who.external_id, who.name)
            self._people[who.name] = met.id
        await self._learns([*_of_itself(), statement("dev = Mickael"), statement("Zouzou = Léa")])
        notes = [_note(path) for path in ("house.md", *(f"note{n}.md" for n in range(19)))]
        origin = Origin(visibility=Visibility.SPACE)
        await storage.notes.keep("vault", notes, origin, storage.clock.now())
        await storage.indexer.settle()

    async def lives(self, day: int) -> None:
        """One day: what is said in the lobby, what is learnt of it, what the pet is asked."""
        storage, begun = self._pet.storage, self._pet.storage.clock.now()
        storage.clock.advance(20 * HOUR)
        heard = [self._says(f"d{day}-{n}", begun + n * 10 * MINUTE) for n in range(A_DAY)]
        messages = [one for one in await storage.messages.accept(heard) if one is not None]
        learnt = await self._learns([self._states(one) for one in messages])
        await storage.associations.keep([_tie(one, other) for one, other in pairwise(learnt)], 0)
        await forget_one(forgetting_on(storage), learnt[0])
        if day == 0:
            await self._forgets_a_value(begun)
        await storage.messages.withdraw(PLATFORM, f"d{day}-1")
        await storage.indexer.settle()
        if day >= QUIET_DAYS:
            await self._is_asked(day)
        storage.clock.advance(begun + DAY - storage.clock.now())
        if day < DAYS - 1:
            await storage.memories.sweep()

    async def _forgets_a_value(self, at: datetime) -> None:
        """A message is forgotten whose number nothing else says."""
        said = replace(self._says("secret", at), text="le coffre a le zx7777")
        (accepted,) = await self._pet.storage.messages.accept([said])
        assert accepted is not None
        selector = Selector(messages=(accepted,))
        await forgetting_on(self._pet.storage).at_once(selector, RUNNER)

    def _says(self, external_id: str, at: datetime) -> Arrival:
        who = self._chance.choice(PEOPLE)
        return Arrival(
            platform=PLATFORM,
            external_id=external_id,
            room=room_of(LOBBY),
            author=who.name,
            person=self._people[who.name],
            text=self._words(),
            sent_at=at,
            handling=Handling.OBSERVED,
        )

    def _states(self, message: MessageId) -> NewMemory:
        who, words = self._chance.choice(PEOPLE), self._words()
        is_event = self._chance.random() < 0.3
        return statement(
            f"{who.name} raconte : {words}",
            memory_type=MemoryType.EVENT if is_event else MemoryType.FACT,
            origin=Origin(visibility=Visibility.SPACE, room=room_of(LOBBY).id),
            subjects=(who.name, words.split()[0]),
            importance=self._chance.choice((0.4, 0.6, 0.9)),
            said_by=who.name,
            messages=(message,),
            ttl=12 * HOUR if self._chance.random() < 0.05 else None,
        )

    def _words(self) -> str:
        topic = self._chance.choice(TOPICS)
        return " ".join([topic, *(f"zx{self._chance.randrange(300)}" for _ in range(5))])

    async def _learns(self, news: Sequence[NewMemory]) -> list[MemoryId]:
        storage = self._pet.storage
        vectors = await storage.embedder.embed([new.content for new in news], "document")

        async def work(transaction: Transaction) -> list[MemoryId]:
            known = storage.embedder.fingerprint, vectors
            return await add_memories(transaction, news, storage.clock.now(), known)

        return await storage.memories.write(work)

    async def _is_asked(self, day: int) -> None:
        """A conversation of several turns in a group, others elsewhere, until all fall silent."""
        pet, topic = self._pet, TOPICS[day % len(TOPICS)]
        pet.model.will(calls(("search_memories", {"query": topic})), responds("Voilà !"))
        city = ("Lyon", "Paris", "Nantes")[day % 3]
        await pet.asked(f"j'habite à {city}", DAVID, CORNER)
        await pet.asked(f"qui aime le {topic} et zx1{day} ?", DAVID, CORNER)
        await pet.asked(f"et le {TOPICS[day - 1]} ?", LEA, CORNER)
        await pet.asked(f"Eko, parle du {topic} zx2{day}", MICKAEL, LOBBY)
        await pet.asked(f"mon {topic} zx3{day} est cassé", DAVID, direct(DAVID))
        await pet.learns()
        await pet.falls_silent()


def _of_itself() -> Iterator[NewMemory]:
    """What the pet keeps of itself and wants: it does not grow with what others say."""
    everyone = Origin(visibility=Visibility.EVERYONE)
    for number in range(80):
        yield statement(
            f"Je ne sais pas lire les fichiers zx{number}",
            store=Store.SELF,
            category=SelfCategory.LIMITATION,
            origin=everyone,
        )
    for number in range(6):
        yield statement(
            f"Mieux connaître David, zx{number}",
            store=Store.GOALS,
            category=GoalCategory.CONNECTION,
            subjects=("David",),
            origin=everyone,
        )


def _note(path: str) -> ReadNote:
    pieces = tuple(
        Piece(
            id=KnowledgeId(UUID(bytes=blake2b(f"{path}{n}".encode(), digest_size=16).digest())),
            title=path,
            content=f"{topic} : rangé sur l'étagère {n} zx{n}",
            at=NOON - n * DAY,
        )
        for n, topic in enumerate(TOPICS)
    )
    return ReadNote(path=path, etag="1", pieces=pieces)


def _tie(start: MemoryId, end: MemoryId) -> Association:
    return Association(start=start, end=end, relation=Relation.RELATED_TO, weight=0.5)


def large_store(small: GrowingStore, folder: Path) -> GrowingStore:
    """A store of twenty times as many rows; its index knows those of the small one."""
    large = small.copied(folder)
    with closing(sqlite3.connect(large.file, isolation_level=None)) as database:
        database.create_function("of_id", 2, _of_id, deterministic=True)
        database.create_function("of_spot", 2, _of_spot, deterministic=True)
        database.create_function("in_other_words", 2, _in_other_words, deterministic=True)
        database.execute("PRAGMA synchronous = OFF")
        database.execute("BEGIN")
        for table in _GROWING:
            database.execute(_growth_of(table, database), {"times": TIMES, "matching": MATCHING})
        database.execute("COMMIT")
        _merge_full_text(database)
    return large


def _merge_full_text(database: sqlite3.Connection) -> None:
    """Let each full-text index be one segment: else some write has to merge them, and pays."""
    for table in ("messages_fts", "memories_fts", "turns_fts", "knowledge_fts"):
        database.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")  # noqa: S608 - ours
    database.commit()


_GROWING: Mapping[str, str] = {
    "people": "c.other",
    "identities": "c.other",
    "rooms": "c.other AND o.kind = 'direct'",
    "sessions": "1",
    "turns": "1",
    "turn_parts": "1",
    "turn_tools": "1",
    "extraction_spans": "1",
    "messages": "1",
    "live_messages": "1",
    "memories": "o.store = 'memory'",
    "memory_subjects": "o.store = 'memory'",
    "memory_sources": "1",
    "aliases": "c.other OR o.memory_id IS NOT NULL",
    "associations": "1",
    "knowledge": "1",
    "summaries": "1",
    "core_facts": "1",
    "notes": "c.other",
    "note_pieces": "c.other",
    "embeddings": "o.collection NOT IN ('self', 'goals')",
    "memory_retrievals": "1",
    "memory_retrieval_items": "1",
    "llm_usage": "1",
    "tombstones": "1",
    "tombstone_stems": "1",
}
"""Tables that grow, in the order of their references, and which rows in which copies: what there is
once only is not there again, and what the pet thinks of itself is not what others say."""

_COPIED: Mapping[str, str] = {
    "of_id({0}, c.n)": """
        sessions.id turns.id memories.id knowledge.id summaries.id core_facts.id session_id turn_id
        memory_id knowledge_id point_id from_id to_id superseded_by rolled_into ref
    """,
    "{0} + c.n * 1000000": """
        seq messages.id memory_retrievals.id llm_usage.id tombstones.id message_id retrieval_id
        tombstone_id first_seq last_seq first_turn last_turn extracted_to compacted_to
    """,
    "{0} - c.back": """
        at since until sent_at received_at edited_at deleted_at created_at updated_at
        last_accessed_at expires_at valid_from valid_until superseded_at forgotten_at retired_at
        started_at last_at tried_at trimmed_at synced_at
    """,
    "coalesce({0}, o.last_at) - c.back": "ended_at",
    "coalesce({0}, iif(c.other, o.expires_at, NULL)) - c.back": "archived_at",
    "iif(c.other, of_id({0}, c.n), {0})": "people.id person_id about_person",
    "iif(c.other AND {0} LIKE 'person:%', of_id({0}, c.n), {0})": "audience",
    "iif(c.other AND {0} LIKE 'chat:dm-%', {0} || '~' || c.n, {0})": "rooms.id room_id",
    "{0} || '~' || c.n": "external_id reply_to",
    "of_spot({0}, c.n)": "spot",
    "iif(c.other, {0} / 2 + c.n, {0})": "stem",
    "iif(c.other, in_other_words({0}, c.n), {0})": """
        people.name identities.name rooms.name aliases.name spelling other author speaker said_by
        subject text search_text memories.content knowledge.content reply slot title value path
    """,
}
"""What a copy has in these columns; in all others it has the same. Rooms of several people, and
what they may know, stay as they are; conversations have ended, and what was due is done."""

_REMEMBERED = 50_000
"""Ids and names that are made once: other tables have the same."""

_OF_COLUMN = {column: made for made, columns in _COPIED.items() for column in columns.split()}


def _growth_of(table: str, database: sqlite3.Connection) -> str:
    """The statement that adds the copies of a table."""
    names = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
    made = [
        _OF_COLUMN.get(f"{table}.{name}", _OF_COLUMN.get(name, "{0}")).format(f"o.{name}")
        for name in names
    ]
    return f"""
        WITH RECURSIVE numbers (n) AS (
            SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :times - 1
        ), c AS MATERIALIZED (
            SELECT n, n >= :matching AS other,
                iif(n >= :matching, n * 10 * 86400000, n * 7000) AS back
            FROM numbers
        )
        INSERT INTO {table} ({", ".join(names)})
        SELECT {", ".join(made)} FROM {table} AS o CROSS JOIN c WHERE {_GROWING[table]}
    """  # noqa: S608 - the schema's names


@lru_cache(maxsize=_REMEMBERED)
def _of_id(id_: str | None, copy: int) -> str | None:
    """The id of the same row in a copy, also as the ledger refers to it."""
    if id_ is None:
        return None
    kind, colon, rest = id_.rpartition(":")
    row, at, revision = rest.partition("@")
    if row.startswith("00000000-"):
        other = str(UUID(int=UUID(row).int + copy * APART))
    else:
        made = UUID(bytes=blake2b(f"{row} {copy}".encode(), digest_size=16).digest())
        other = str(made) if "-" in row else made.hex
    return f"{kind}{colon}{other}{at}{revision}"


def _of_spot(spot: int, copy: int) -> int:
    """Another hash, as of another vector."""
    return int.from_bytes(blake2b(f"{spot} {copy}".encode(), digest_size=8).digest()) >> 1


@lru_cache(maxsize=_REMEMBERED)
def _in_other_words(text: str | None, copy: int) -> str | None:
    """As many words, none of which stands elsewhere."""
    return None if text is None else " ".join(f"{word}q{copy}" for word in text.split())
