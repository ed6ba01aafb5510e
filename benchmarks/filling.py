"""Fills a data folder with a town: `python -m benchmarks.filling FOLDER MEMORIES [MESSAGES]`.

Every row goes through the product's own tables and every vector through its own indexer.
"""

import asyncio
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID, uuid4

from benchmarks.bulk import add_memories
from benchmarks.mark import Mark
from benchmarks.settings import bench_settings, prepare_process
from benchmarks.town import RESIDENTS, SPACES, Resident, Talk, direct_room, group_room, placed
from bot.model.events import RoomRef
from bot.wiring.app import App, open_app
from memory.clock import FrozenClock
from memory.model.audience import Origin
from memory.model.conversations import NewTurn
from memory.model.digests import LiveRow
from memory.model.messages import Arrival, Handling, MessageId
from memory.model.people import Person
from memory.model.retrieval import Candidate, Considered, Retrieval, Section
from memory.model.room_excerpts import RoomExcerpt
from memory.model.rooms import RoomRole, Visibility
from memory.model.statements import (
    GoalCategory,
    MemoryId,
    MemoryType,
    NewMemory,
    SelfCategory,
    Source,
)
from memory.model.stores import Collection, Store
from memory.storage.conversations.digests import MOST_CLAIMED
from memory.storage.sqlite.database import Transaction
from memory.upkeep.claim_pass import ClaimPass

APART = timedelta(seconds=15)
"""Between two messages of a busy town: neighbours of one moment would be no conversation."""

PAST = timedelta(days=730)
"""How far back the memories go."""

AT_ONCE = 500
"""Rows of one transaction: its commit costs nothing beside them."""

OF_A_DIGEST = MOST_CLAIMED
"""Messages between two digests, as on a lively day."""

LIVE_SHARE = 0.1
"""Messages since the last digest, for each message that a digest has read."""

TURNS_SHARE = 0.1
"""Answered turns for each memory."""

TURNS_OF_A_TALK = 10
"""Turns of one conversation: with these the window of the model is full."""

SHOWN = 8
"""Lines that were injected in each of them."""


@dataclass(frozen=True, slots=True)
class Town:
    """A running pet, the residents as it knows them, and what they say."""

    app: App
    clock: FrozenClock
    people: dict[str, Person]
    talk: Talk

    def person(self, resident: Resident) -> Person:
        """The resident as the pet knows them."""
        return self.people[resident.account.external_id]


async def fill(folder: Path, memories: int, *, messages: int | None = None, seed: int = 7) -> None:
    """Make a data folder with this many memories, and turns in proportion.

    There are as many digested messages as memories, or `messages`.
    """
    now = datetime.now(UTC)
    clock = FrozenClock(now - PAST)
    async with open_app(bench_settings(folder), clock) as app:
        town = Town(app, clock, await _met(app), Talk(seed))
        await _digested_messages(town, memories if messages is None else messages)
        known = await _memories(town, memories)
        await _conversations(town, int(memories * TURNS_SHARE), known)
        clock.at = now - timedelta(hours=1)
        await _messages(town, int(memories * LIVE_SHARE))
        clock.at = now
        _say("indexing")
        await app.services.indexer.settle()
        _say("reading claims")
        claims = ClaimPass(app.storage.claims)
        while await claims.read_batch():
            pass
    sys.stderr.write("\n")
    Mark(memories=memories, seed=seed).leave(folder)


async def _met(app: App) -> dict[str, Person]:
    """Meet every resident in every room there is."""
    people = app.storage.people
    for room in map(placed, _rooms()):
        await people.keep_room(room)
    return {
        one.account.external_id: await people.person(
            one.account.platform, one.account.external_id, one.name
        )
        for one in RESIDENTS
    }


def _rooms() -> Iterator[RoomRef]:
    yield from map(direct_room, RESIDENTS)
    for space in SPACES:
        yield group_room(space, RoomRole.LOBBY)
        yield group_room(space, RoomRole.PET)


async def _digested_messages(town: Town, count: int) -> None:
    for start in range(0, count, OF_A_DIGEST):
        _say("messages", start, count)
        await _messages(town, min(OF_A_DIGEST, count - start))
        await _digested(town)


async def _messages(town: Town, count: int) -> None:
    for start in range(0, count, AT_ONCE):
        places = range(start, min(start + AT_ONCE, count))
        await town.app.storage.messages.accept(
            [_arrival(town, (count - place) * APART) for place in places]
        )


def _arrival(town: Town, ago: timedelta) -> Arrival:
    resident = town.talk.resident()
    person = town.person(resident)
    space = town.talk.random.choice(resident.spaces or SPACES)
    return Arrival(
        platform=resident.account.platform,
        external_id=uuid4().hex,
        room=placed(group_room(space, RoomRole.LOBBY)),
        author=person.name,
        person=person.id,
        text=town.talk.line(),
        sent_at=town.clock.now() - ago,
        handling=Handling.OBSERVED,
    )


async def _digested(town: Town) -> None:
    """Let a digest have read every message there is, as the digest itself would say it."""
    digests = town.app.storage.digests
    digest = await digests.claim(None, _by_room, await digests.latest())
    if digest is None:
        return
    for chunk in await digests.open_chunks(digest.id):
        await digests.store(chunk, _no_facts)
    await digests.finish(digest.id)


def _by_room(rows: Sequence[LiveRow]) -> list[list[LiveRow]]:
    rooms: dict[str, list[LiveRow]] = {}
    for row in rows:
        rooms.setdefault(row.room, []).append(row)
    return list(rooms.values())


async def _no_facts(transaction: Transaction, still: frozenset[MessageId]) -> int:
    del transaction, still  # the memories are added by themselves
    return 0


async def _memories(town: Town, count: int) -> list[MemoryId]:
    known: list[MemoryId] = []
    for start in range(0, count, AT_ONCE):
        _say("memories", start, count)
        news = [_statement(town) for _ in range(min(AT_ONCE, count - start))]
        known += await _added(town.app, news, town.clock.now())
        town.clock.advance(PAST * len(news) / count)
    return known


async def _added(app: App, news: Sequence[NewMemory], now: datetime) -> list[MemoryId]:
    vectors = await app.embedder.embed([new.content for new in news], "document")
    fingerprint = app.embedder.fingerprint

    async def work(transaction: Transaction) -> list[MemoryId]:
        return await add_memories(transaction, news, now, (fingerprint, vectors))

    return await app.storage.memories.write(work)


def _statement(town: Town) -> NewMemory:
    resident = town.talk.resident()
    content, subjects = town.talk.fact(resident)
    store = town.talk.random.choices((Store.MEMORY, Store.SELF, Store.GOALS), (96, 2, 2))[0]
    return NewMemory(
        store=store,
        content=content,
        origin=_origin(town, resident),
        source=Source.DIGEST,
        memory_type=town.talk.random.choice(list(MemoryType)),
        category=_category(town, store),
        subjects=subjects,
        said_by=town.talk.resident().name,
        about_person=town.person(resident).id,
    )


def _category(town: Town, store: Store) -> str | None:
    if store is Store.MEMORY:
        return None
    kinds = list(SelfCategory) if store is Store.SELF else list(GoalCategory)
    return str(town.talk.random.choice(kinds))


def _origin(town: Town, resident: Resident) -> Origin:
    """Three of four statements were made in a group, one in private."""
    if town.talk.random.random() < 0.25:
        room = placed(direct_room(resident))
        return Origin(visibility=Visibility.PRIVATE, person=town.person(resident).id, room=room.id)
    space = town.talk.random.choice(resident.spaces or SPACES)
    room = placed(group_room(space, RoomRole.LOBBY))
    return Origin(visibility=Visibility.SPACE, room=room.id, space=space)


async def _conversations(town: Town, turns: int, known: Sequence[MemoryId]) -> None:
    """Let residents talk with the pet, some conversations side by side."""
    talks = max(1, turns // TURNS_OF_A_TALK)
    for start in range(0, talks, AT_ONCE // TURNS_OF_A_TALK):
        _say("conversations", start, talks)
        speakers = RESIDENTS[: min(len(RESIDENTS), talks - start)]
        async with asyncio.TaskGroup() as tasks:
            for resident in speakers:
                tasks.create_task(_conversation(town, resident, known))


async def _conversation(town: Town, resident: Resident, known: Sequence[MemoryId]) -> None:
    alone = town.talk.random.random() < 0.5
    space = town.talk.random.choice(resident.spaces or SPACES)
    room = placed(direct_room(resident) if alone else group_room(space, RoomRole.PET))
    store = town.app.storage.turns
    session = await store.session(town.person(resident).id, room.id, timedelta(0))
    for _ in range(TURNS_OF_A_TALK):
        text = town.talk.question().text
        turn = await store.keep(
            NewTurn(
                session=session,
                room=room,
                channel=resident.account.platform,
                speaker=resident.name,
                text=text,
                messages=(),
                recalled=(),
                reply=town.talk.fact(resident)[0],
                expression="neutral",
                searchable=True,
                pet_name="Eko",
                excerpt=RoomExcerpt(at=town.app.clock.now()),
                retrieval=_retrieval(town, text, known),
            )
        )
        await store.delivered(turn.id)


def _retrieval(town: Town, query: str, known: Sequence[MemoryId]) -> Retrieval:
    shown = town.talk.random.sample(known, min(SHOWN, len(known)))
    return Retrieval(
        query=query, reason="looked up", items=tuple(_considered(one, town) for one in shown)
    )


def _considered(memory: UUID, town: Town) -> Considered:
    candidate = Candidate(
        section=Section.MEMORY,
        collection=Collection.MEMORY,
        id=memory,
        revision=1,
        content="",
        at=town.clock.now(),
    )
    return Considered(candidate=candidate, score=0.6, kept=True, reason="rare word")


def _say(doing: str, done: int = 0, of: int = 1) -> None:
    """Tell whoever waits how far it is, on one line of the error stream."""
    sys.stderr.write(f"\rfilling: {doing} {100 * done // of} %   ")


if __name__ == "__main__":
    prepare_process()
    wanted = int(sys.argv[3]) if len(sys.argv) > 3 else None
    asyncio.run(fill(Path(sys.argv[1]), int(sys.argv[2]), messages=wanted))
