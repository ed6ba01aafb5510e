"""A household with something in every store, for tests that forget, and what its tables hold."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

import pytest

from memory.forgetting import finding
from memory.forgetting.elsewhere import ForgettingReach
from memory.forgetting.finding import ForgettingFinder
from memory.forgetting.service import Forgetting
from memory.model.audience import OPERATOR, Origin, Scope, scope_of
from memory.model.authority import BY_OPERATOR, Actor, Mandate
from memory.model.conversations import NewTurn, Turn
from memory.model.forgetting import Kind
from memory.model.knowledge import KnowledgeId, KnowledgeKind, NewKnowledge
from memory.model.messages import Arrival, Handling, MessageId
from memory.model.people import Person, PersonId
from memory.model.retrieval import Candidate, Considered, Retrieval, Section
from memory.model.room_excerpts import RoomExcerpt
from memory.model.rooms import Room, Visibility
from memory.model.statements import MemoryId
from memory.model.stores import Collection
from memory.retrieval.rendering import Wording, lines_of
from memory.rules.forgetting.plain_words.choosing import MeantRows
from memory.rules.forgetting.selector import Requester, Selector
from memory.storage.forgetting.candidates import ForgettingCandidates
from memory.storage.forgetting.requests import Forgettings
from memory.storage.people.aliases import Aliases
from memory.storage.sqlite.database import Database
from memory.storage.statements.knowledge import keep_knowledge
from tests.cast import CORNER, LOBBY, NOON, PLATFORM, room_of
from tests.storage import StorageParts, statement

RUNNER = Requester(scope=OPERATOR, actor=BY_OPERATOR)
"""Whoever runs the pet."""

UNCOMPARED = frozenset(
    {
        "audit_log",
        "claims",
        "claims_waiting",
        "erasures",
        "forgetting_rows",
        "forgettings",
        "index_outbox",
        "meta",
        "tombstone_stems",
        "tombstones",
        "value_marks",
    }
)
"""Tables that keep a trace of a forgetting that was undone, and what is read of messages anew."""


def forgetting_on(storage: StorageParts) -> Forgetting:
    """Forgetting on these tables."""
    return Forgetting(
        forgettings_on(storage),
        Aliases(storage.database, storage.clock),
        storage.people,
        ForgettingReach(
            finder=ForgettingFinder(ForgettingCandidates(storage.database), storage.embedder)
        ),
        storage.reminders,
    )


def forgettings_on(storage: StorageParts) -> Forgettings:
    """The table of forgettings."""
    return Forgettings(storage.database, storage.clock)


async def forget_one(forgetting: Forgetting, memory: UUID, scope: Scope = OPERATOR) -> None:
    """Have one statement forgotten by command."""
    asker = Requester(scope=scope, actor=BY_OPERATOR)
    receipt = await forgetting.at_once(Selector(memories=(MemoryId(memory),)), asker)
    assert receipt.counts[Kind.STATEMENTS] == 1


async def dump(database: Database) -> dict[str, list[str]]:
    """Every row of every table as text, but for those that only keep a trace."""
    tables = await database.all(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
        " AND name NOT LIKE 'sqlite_%' ORDER BY name"
    )
    return {
        name: await _rows(database, name)
        for name in (row["name"] for row in tables)
        if name not in UNCOMPARED
    }


async def _rows(database: Database, table: str) -> list[str]:
    rows = await database.all(f'SELECT * FROM "{table}"')  # noqa: S608 - the schema's name
    return sorted(repr(tuple(row)) for row in rows)


async def holding(storage: StorageParts, word: str) -> list[str]:
    """The tables and full-text indexes in which a word stands anywhere."""
    found = [
        name for name, rows in (await dump(storage.database)).items() if word in "\n".join(rows)
    ]
    for table in ("messages", "turns", "memories", "knowledge"):
        query = f"SELECT 1 FROM {table}_terms WHERE term = :word"  # noqa: S608 - our own names
        if await storage.database.one(query, {"word": word}):
            found.append(f"{table}_fts")
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Household:
    """People who talk in a lobby, in a group and in private; `forget` is what they can use."""

    storage: StorageParts
    forget: Forgetting
    people: dict[str, Person]

    def asks(self, name: str, room: Room | None = None) -> Requester:
        """Somebody who asks for what is theirs."""
        person = self.people[name].id
        return Requester(
            scope=scope_of(room or room_of(CORNER), person), actor=Actor(person=person)
        )

    def commands(self, name: str, room: Room | None = None) -> Requester:
        """Somebody who asks for everybody, by a command that they may give."""
        asker = self.asks(name, room)
        return replace(asker, actor=replace(asker.actor, mandate=Mandate.PET))

    async def calls_themselves(self, name: str, other: str) -> None:
        """Somebody changes what they are called on their platform."""
        await self.storage.people.person(PLATFORM, _id(name), other)

    async def says(
        self,
        name: str,
        text: str,
        *,
        handling: Handling = Handling.OBSERVED,
        room: Room | None = None,
        at: datetime | None = None,
        external_id: str | None = None,
    ) -> MessageId:
        """Somebody says something in the lobby."""
        count = await self.storage.count("messages")
        (accepted,) = await self.storage.messages.accept(
            [
                Arrival(
                    platform=PLATFORM,
                    external_id=external_id or f"h{count + 1}",
                    room=room or room_of(LOBBY),
                    author=name,
                    person=self.people[name].id,
                    text=text,
                    sent_at=at or self.storage.clock.now(),
                    handling=handling,
                )
            ]
        )
        assert accepted is not None
        return accepted

    async def learns(self, content: str, *messages: MessageId, **fields: Any) -> UUID:
        """A statement is stored that rests on these messages."""
        stored = await self.storage.remember.store(statement(content, messages=messages, **fields))
        return stored.id

    async def talks(
        self,
        name: str,
        text: str,
        reply: str,
        *recalled: tuple[Collection, UUID, str],
        room: Room | None = None,
    ) -> Turn:
        """Somebody says something to the pet, which had these rows before it and answers."""
        room, injected = room or room_of(CORNER), tuple(map(_injected, recalled))
        message = await self.says(name, text, handling=Handling.PENDING, room=room)
        person = self.people[name]
        session = await self.storage.turns.session(person.id, room.id, timedelta(minutes=15))
        turn = await self.storage.turns.keep(
            NewTurn(
                session=session,
                room=room,
                channel=PLATFORM,
                speaker=name,
                text=text,
                messages=(message,),
                recalled=lines_of(
                    [one.candidate for one in injected], NOON, Wording(locale="fr", zone=UTC)
                ),
                reply=reply,
                expression="happy",
                searchable=True,
                pet_name="Eko",
                excerpt=RoomExcerpt(at=NOON),
                retrieval=Retrieval(query=text, reason="looked up", items=injected),
            )
        )
        await self.storage.turns.delivered(turn.id)
        return turn

    async def notes(
        self,
        content: str,
        kind: KnowledgeKind = KnowledgeKind.NOTE,
        about: PersonId | None = None,
        origin: Origin | None = None,
    ) -> KnowledgeId:
        """A note, a summary or a core fact is kept."""
        row = KnowledgeId(uuid5(NAMESPACE_URL, content))
        new = NewKnowledge(
            id=row,
            kind=kind,
            title="note.md",
            content=content,
            origin=origin or Origin(visibility=Visibility.SPACE),
            at=self.storage.clock.now(),
            about=about,
        )
        await self.storage.knowledge.write(
            lambda transaction: keep_knowledge(transaction, [new], self.storage.clock.now())
        )
        return row

    async def contents(self) -> list[str]:
        """Every statement that is recalled; the index says the same."""
        await self.storage.indexer.settle()
        rows = await self.storage.memories.latest(None, OPERATOR, 500)
        assert {row.id for row in rows} == await self.storage.index.ids(Collection.MEMORY)
        return sorted(row.content for row in rows)


async def household(storage: StorageParts, *names: str) -> Household:
    """People who have been met, and the rooms they talk in."""
    people = {name: await storage.people.person(PLATFORM, _id(name), name) for name in names}
    for ref in (LOBBY, CORNER):
        await storage.people.keep_room(room_of(ref))
    return Household(storage=storage, forget=forgetting_on(storage), people=people)


def _id(name: str) -> str:
    """An account's id as platforms give them: it says nothing of the name."""
    return uuid5(NAMESPACE_URL, name).hex


def _injected(row: tuple[Collection, UUID, str]) -> Considered:
    collection, id_, content = row
    candidate = Candidate(
        section=Section.LIVE if collection is Collection.LIVE else Section.MEMORY,
        collection=collection,
        id=id_,
        revision=1,
        content=content,
        at=NOON,
    )
    return Considered(candidate=candidate, score=1.0, kept=True, reason="fits")


def memory_ids(*ids: UUID) -> tuple[MemoryId, ...]:
    """Ids as a selector takes them."""
    return tuple(map(MemoryId, ids))


def words_of(samples: Sequence[Any]) -> list[str]:
    """What the samples of a preview say."""
    return [one.text for one in samples]


def is_unsure_of(patched: pytest.MonkeyPatch, *perhaps: int) -> None:
    """Have the reader take the first row for meant, and these places for perhaps meant."""
    near = MeantRows(places=(0,), perhaps=perhaps, odds=5.0)
    patched.setattr(finding, "meant", lambda *_: near)
