"""The index follows the database through outages, new embedders and losses, and twice is once."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest
from structlog.testing import capture_logs

from memory.model.audience import OPERATOR
from memory.model.errors import EmbeddingFailed, StorageFailed, VectorStoreUnavailable
from memory.model.statements import MemoryId
from memory.model.stores import Collection, Store
from memory.ports import FIRST_ID, Point
from memory.storage.search.outbox import Outbox
from memory.storage.sqlite.database import Transaction
from memory.tasks import background_task
from memory.upkeep.indexer import Indexer
from memory.vectorstores.in_memory import InMemoryIndex
from tests.embedder import HashingEmbedder
from tests.forgotten import forget_one, forgetting_on
from tests.patience import PATIENCE_S
from tests.storage import StorageParts, open_truth, overhear, statement


@pytest.fixture
async def storage(tmp_path: Path) -> AsyncIterator[StorageParts]:
    """New tables."""
    async with open_truth(tmp_path) as opened:
        yield opened


async def remembered(storage: StorageParts, *contents: str) -> list[MemoryId]:
    """Statements that were stored; their ids."""
    return [(await storage.remember.store(statement(content))).id for content in contents]


async def test_everything_that_is_written_reaches_the_index(storage: StorageParts) -> None:
    """Lobby messages and statements, each in its collection, and then nothing waits."""
    messages = await overhear(storage, "un", "deux")
    memories = await remembered(storage, "David habite à Paris", "Léa a un chat")
    assert await storage.indexer.settle() == 4
    assert await storage.index.ids(Collection.LIVE) == {UUID(int=one) for one in messages}
    assert await storage.index.ids(Collection.MEMORY) == set(memories)
    assert await storage.outbox.waiting() == 0
    assert await storage.indexer.settle() == 0


async def test_more_than_one_batch_is_brought_and_a_limit_is_kept(storage: StorageParts) -> None:
    """Hundreds of changes come through; a caller that wants progress gets it."""
    await overhear(storage, *(f"message {number}" for number in range(200)))
    assert await storage.indexer.settle(at_most=64) == 64
    assert await storage.outbox.waiting() == 136
    await storage.indexer.settle()
    assert len(await storage.index.ids(Collection.LIVE)) == 200


async def test_a_statement_stored_is_embedded_once(storage: StorageParts) -> None:
    """Storing compares with the same vector that the index gets."""
    await remembered(storage, "David habite à Paris")
    storage.embedder.available = False
    assert await storage.indexer.settle() == 1


async def test_an_outage_of_the_store_loses_nothing_and_repeats_nothing(
    storage: StorageParts,
) -> None:
    """What was written meanwhile is there afterwards, what was deleted is not."""
    first, *_ = await remembered(storage, "David habite à Paris")
    await storage.indexer.settle()
    storage.index.available = False
    second, *_ = await remembered(storage, "Léa a un chat")
    await forget_one(forgetting_on(storage), first)
    for _ in range(3):
        with pytest.raises(VectorStoreUnavailable):
            await storage.indexer.settle()
    storage.index.available = True
    await storage.indexer.settle()
    assert await storage.index.ids(Collection.MEMORY) == {second}
    assert await storage.outbox.waiting() == 0


async def test_an_outage_of_the_embedder_delays_and_loses_nothing(storage: StorageParts) -> None:
    """Storing goes on without it, and what has no vector yet gets one later."""
    storage.embedder.available = False
    (memory,) = await remembered(storage, "David habite à Paris")
    with pytest.raises(EmbeddingFailed):
        await storage.indexer.settle()
    storage.embedder.available = True
    await storage.indexer.settle()
    assert await storage.index.ids(Collection.MEMORY) == {memory}


async def test_the_worker_waits_an_outage_out(
    storage: StorageParts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It tries again by itself, later and later, and then follows every commit."""
    waits: list[float] = []
    asleep, sleep = asyncio.Event(), asyncio.sleep

    async def recorded(seconds: float) -> None:
        waits.append(seconds)
        assert storage.indexer.paused_s > 0
        storage.index.available = len(waits) == 4
        asleep.set()
        await sleep(0)

    monkeypatch.setattr("memory.upkeep.indexer.asyncio.sleep", recorded)
    storage.index.available = False
    (memory,) = await remembered(storage, "David habite à Paris")
    async with background_task(storage.indexer.run(), name="indexer"):
        await asleep.wait()
        await _until_settled(storage)
        assert await storage.index.ids(Collection.MEMORY) == {memory}
        (other,) = await remembered(storage, "Léa a un chat")
        await _until_settled(storage)
        assert await storage.index.ids(Collection.MEMORY) == {memory, other}
        assert storage.indexer.paused_s == 0
    assert waits == [1.0, 2.0, 4.0, 8.0]


@pytest.mark.parametrize("first_start", [True, False])
async def test_the_worker_waits_until_a_full_disk_has_room_again(
    storage: StorageParts, monkeypatch: pytest.MonkeyPatch, *, first_start: bool
) -> None:
    """Whether it cannot note its embedder or cannot strike off what it has done."""
    (memory,) = await remembered(storage, "David habite à Paris")
    if not first_start:
        await storage.outbox.set_fingerprint(storage.embedder.fingerprint)
    waits: list[float] = []
    asleep, sleep = asyncio.Event(), asyncio.sleep

    async def recorded(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 3:
            storage.database.write = write  # type: ignore[method-assign]
            asleep.set()
        await sleep(0)

    async def full(_work: object) -> None:
        raise StorageFailed("The disk is full: nothing was stored; free some space.")

    write = storage.database.write
    monkeypatch.setattr("memory.upkeep.indexer.asyncio.sleep", recorded)
    storage.database.write = full  # type: ignore[method-assign, assignment]
    async with background_task(storage.indexer.run(), name="indexer") as worker:
        await asleep.wait()
        await _until_settled(storage)
        assert not worker.done()
        assert await storage.index.ids(Collection.MEMORY) == {memory}
    assert waits == [1.0, 2.0, 4.0]


async def _until_settled(storage: StorageParts) -> None:
    """Until the worker has struck everything off."""
    async with asyncio.timeout(PATIENCE_S):
        while await storage.outbox.waiting():
            await storage.outbox.waiting()


async def test_a_crash_between_index_and_outbox_repeats_harmlessly(tmp_path: Path) -> None:
    """The index has it, the outbox does not know: the next start brings it again, once."""
    embedder = HashingEmbedder()
    index = InMemoryIndex(embedder.fingerprint)
    async with open_truth(tmp_path, index=index) as storage:
        memories = await remembered(storage, "David habite à Paris", "Léa a un chat")
        changes = await storage.outbox.head(10)
        await storage.indexer.settle()

        async def again(transaction: Transaction) -> None:
            for change in changes:
                await transaction.run(
                    "INSERT INTO index_outbox (collection, point_id) VALUES (:c, :id)",
                    {"c": change.collection, "id": str(change.id)},
                )

        await storage.database.write(again)
    async with open_truth(tmp_path, index=index) as storage:
        assert await storage.indexer.settle() == 2
        assert await index.ids(Collection.MEMORY) == set(memories)


async def test_a_new_embedder_embeds_everything_anew(tmp_path: Path) -> None:
    """Statements, lobby messages; and the vectors of the old one are as if they were not there."""
    async with open_truth(tmp_path) as storage:
        (message,) = await overhear(storage, "je pars demain")
        (memory,) = await remembered(storage, "David habite à Paris")
        async with background_task(storage.indexer.run(), name="indexer"):
            await _until_settled(storage)
    async with open_truth(tmp_path, embedder=HashingEmbedder(64)) as storage:
        assert await storage.embeddings.of(Collection.MEMORY, [memory]) == {}
        async with background_task(storage.indexer.run(), name="indexer"):
            await _announced(storage)
            await _until_settled(storage)
        assert await storage.index.ids(Collection.MEMORY) == {memory}
        assert await storage.index.ids(Collection.LIVE) == {UUID(int=message)}
        (vector,) = (await storage.embeddings.of(Collection.MEMORY, [memory])).values()
        assert vector.shape == (64,)
        assert await storage.outbox.fingerprint() == str(storage.embedder.fingerprint)


class Reluctant(InMemoryIndex):
    """An index that notes when it is asked to drop what is outdated, and refuses."""

    def __init__(self, outbox: Outbox, embedder: HashingEmbedder) -> None:
        super().__init__(embedder.fingerprint)
        self.outbox = outbox
        self.waiting_then: list[int] = []
        self.asked = asyncio.Event()

    async def drop_outdated(self) -> None:
        """Refuse, as a server does that lets nobody list its collections."""
        self.waiting_then.append(await self.outbox.waiting())
        self.asked.set()
        raise VectorStoreUnavailable("The server answered 403.")


async def test_outdated_vectors_go_once_the_new_ones_are_there(storage: StorageParts) -> None:
    """Not before everything is indexed anew, once, and a refusal holds up nothing."""
    index = Reluctant(storage.outbox, storage.embedder)
    indexer = Indexer(storage.outbox, storage.embedder, index, storage.claims)
    await remembered(storage, "David habite à Paris", "Léa a un chat")
    async with background_task(indexer.run(), name="indexer"):
        await index.asked.wait()
        await remembered(storage, "Léa a un chien")
        await _until_settled(storage)
    assert index.waiting_then == [0]
    assert len(await index.ids(Collection.MEMORY)) == 3


async def _announced(storage: StorageParts) -> None:
    """Until the worker has noticed the new embedder."""
    async with asyncio.timeout(PATIENCE_S):
        while await storage.outbox.fingerprint() != str(storage.embedder.fingerprint):
            await storage.outbox.waiting()


async def test_the_same_embedder_announces_nothing(tmp_path: Path) -> None:
    """A restart costs no work."""
    for _ in range(2):
        async with open_truth(tmp_path) as storage:
            async with background_task(storage.indexer.run(), name="indexer"):
                await _announced(storage)
                await _until_settled(storage)
            assert await storage.outbox.waiting() == 0


class Interrupted(InMemoryIndex):
    """An index in whose comparing somebody tells the pet something each time."""

    def __init__(self, storage: StorageParts) -> None:
        super().__init__(storage.embedder.fingerprint)
        self._storage = storage
        self.told = 0

    async def ids(
        self, collection: Collection, *, start: UUID = FIRST_ID, limit: int | None = None
    ) -> frozenset[UUID]:
        """What is there, once a statement and a message more were stored."""
        self.told += 1
        await remembered(self._storage, f"David a la clé numéro {self.told}")
        await overhear(self._storage, f"message {self.told}")
        return await super().ids(collection, start=start, limit=limit)


async def test_what_is_said_while_it_compares_is_no_difference(storage: StorageParts) -> None:
    """It waits in the outbox, and is not missing."""
    index = Interrupted(storage)
    indexer = Indexer(storage.outbox, storage.embedder, index, storage.claims)
    await remembered(storage, "David habite à Paris")
    differences = await indexer.differences()
    assert index.told > 1
    assert [one.missing + one.surplus for one in differences] == [0] * len(Collection)


async def test_differences_are_seen_and_repaired(storage: StorageParts) -> None:
    """An entry too few and one too many, in whichever collection; afterwards there are none."""
    messages = await overhear(storage, "un", "deux")
    memories = await remembered(storage, "David habite à Paris", "Léa a un chat")
    await storage.indexer.settle()
    (vector,) = await storage.embedder.embed(["x"], "document")
    stray = Point(id=UUID(int=99), vector=vector, payload={"audience": "everyone"})
    await storage.index.upsert(Collection.LIVE, [stray])
    await storage.index.delete(Collection.MEMORY, memories[:1])
    found = {one.collection: one for one in await storage.indexer.differences()}
    assert found[Collection.LIVE].expected == len(messages)
    assert (found[Collection.LIVE].missing, found[Collection.LIVE].surplus) == (0, 1)
    assert (found[Collection.MEMORY].missing, found[Collection.MEMORY].surplus) == (1, 0)
    assert await storage.indexer.repair() == 2
    assert UUID(int=99) not in await storage.index.ids(Collection.LIVE)
    assert memories[0] in await storage.index.ids(Collection.MEMORY)
    assert not any(one.missing or one.surplus for one in await storage.indexer.differences())


class Counting(InMemoryIndex):
    """An index that notes how many ids it is asked for at once."""

    most = 0

    async def ids(
        self, collection: Collection, *, start: UUID = FIRST_ID, limit: int | None = None
    ) -> frozenset[UUID]:
        """The ids."""
        found = await super().ids(collection, start=start, limit=limit)
        self.most = max(self.most, len(found))
        return found


async def test_many_ids_are_compared_a_part_at_a_time(
    storage: StorageParts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever side has too many or too few, and wherever: each is found, in small memory."""
    monkeypatch.setattr("memory.upkeep.comparing.COMPARED", 7)
    index = Counting(storage.embedder.fingerprint)
    indexer = Indexer(storage.outbox, storage.embedder, index, storage.claims)
    memories = await remembered(storage, *(f"David a la clé numéro {n}" for n in range(60)))
    await indexer.settle()
    (vector,) = await storage.embedder.embed(["x"], "document")
    strays = frozenset(UUID(int=n << 121) for n in range(40))
    for id_ in strays:
        await index.upsert(
            Collection.MEMORY, [Point(id=id_, vector=vector, payload={"audience": "everyone"})]
        )
    lost = sorted(memories)[10:40]
    await index.delete(Collection.MEMORY, lost)
    found = {one.collection: one for one in await indexer.differences()}[Collection.MEMORY]
    assert found.expected == 60
    assert (found.missing, found.surplus) == (len(lost), len(strays))
    await indexer.mend()
    assert index.most == 7
    assert await index.ids(Collection.MEMORY) == set(memories)


async def lost_while_away(storage: StorageParts) -> list[MemoryId]:
    """Statements that the store lost, which is away now."""
    memories = await remembered(storage, "David habite à Paris", "Léa a un chat")
    await storage.indexer.settle()
    await storage.index.delete(Collection.MEMORY, memories[:1])
    storage.index.available = False
    return memories


async def test_mending_is_tried_until_the_store_is_back(
    storage: StorageParts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Later and later, with one line when it is put off and one when it is done."""
    memories = await lost_while_away(storage)
    waits: list[float] = []

    async def recorded(seconds: float) -> None:
        waits.append(seconds)
        storage.index.available = len(waits) == 7

    monkeypatch.setattr("memory.upkeep.indexer.asyncio.sleep", recorded)
    with capture_logs() as logged:
        assert not await storage.indexer.try_mending()
        await storage.indexer.mend_after_outage()
    assert await storage.index.ids(Collection.MEMORY) == set(memories)
    assert waits == [1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0]
    events = [one["event"] for one in logged]
    assert events == ["mending.postponed", "index.mended", "mending.finished"]


async def test_mending_that_nothing_hinders_is_done_at_once(storage: StorageParts) -> None:
    """Then nothing is left to wait for."""
    memories = await lost_while_away(storage)
    storage.index.available = True
    assert await storage.indexer.try_mending()
    assert await storage.index.ids(Collection.MEMORY) == set(memories)


async def test_what_has_expired_leaves_the_index_with_the_sweep(storage: StorageParts) -> None:
    """It is not recalled from the moment it expires, and swept once."""
    new = statement("il pleut", ttl=timedelta(hours=1))
    stored = await storage.remember.store(new)
    await storage.indexer.settle()
    storage.clock.advance(timedelta(hours=1))
    assert await storage.memories.visible([stored.id], OPERATOR) == []
    assert await storage.memories.alike("pleut", Store.MEMORY, OPERATOR, 5) == []
    assert await storage.memories.sweep() == 1
    await storage.indexer.settle()
    assert await storage.index.ids(Collection.MEMORY) == frozenset()
    assert await storage.memories.sweep() == 0


async def test_what_was_said_again_after_it_expired_is_kept_anew(storage: StorageParts) -> None:
    """The old row neither hides nor swallows it."""
    new = statement("il pleut à Paris", ttl=timedelta(hours=1))
    first = await storage.remember.store(new)
    storage.clock.advance(timedelta(hours=2))
    again = await storage.remember.store(new)
    assert again.is_new
    assert again.id != first.id


@pytest.mark.parametrize("table", ["messages", "memories", "turns"])
async def test_a_checkup_of_sound_tables_finds_nothing(storage: StorageParts, table: str) -> None:
    """Full text agrees with its table through inserts, edits and removals."""
    await overhear(storage, "un chat", "deux chiens")
    await storage.messages.edit("chat", "m1", "trois souris")
    await storage.messages.withdraw("chat", "m2")
    await remembered(storage, "David habite à Paris")
    checkup = await storage.health.checkup()
    assert checkup.problems == ()
    assert checkup.counts[table] == checkup.counts[f"{table}_fts"]


@pytest.mark.parametrize("damage", ["lost", "stale", "surplus"])
async def test_full_text_that_differs_is_seen_and_made_anew(tmp_path: Path, damage: str) -> None:
    """A row it lacks, one with other words, one that is no more: said in a sentence, and mended."""
    async with open_truth(tmp_path) as storage:
        await remembered(storage, "David habite à Paris", "Léa a un chat")
    with closing(sqlite3.connect(tmp_path / "eko.sqlite3")) as raw, raw:
        triggers = raw.execute(
            "SELECT name, sql FROM sqlite_schema"
            " WHERE name LIKE 'memories_fts_%' AND type = 'trigger'"
        ).fetchall()
        for name, _ in triggers:
            raw.execute(f"DROP TRIGGER {name}")
        raw.execute(
            {
                "lost": "INSERT INTO memories_fts (memories_fts, rowid, search_text) "
                "SELECT 'delete', seq, search_text FROM memories LIMIT 1",
                "stale": "UPDATE memories SET search_text = 'entirely other words' WHERE seq = 1",
                "surplus": "INSERT INTO memories_fts (rowid, search_text) VALUES (99, 'ghost')",
            }[damage]
        )
        for _, sql in triggers:
            raw.execute(sql)
    async with open_truth(tmp_path) as storage:
        checkup = await storage.health.checkup()
        assert checkup.broken_text == ("memories",)
        assert "memories differs" in checkup.problems[0]
        await storage.health.rebuild_text(checkup.broken_text)
        assert (await storage.health.checkup()).problems == ()
