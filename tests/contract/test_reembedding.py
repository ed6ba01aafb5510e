"""Another embedder takes over once all that is kept is embedded; until then the one in use is."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from uuid import UUID

import pytest
from structlog.testing import capture_logs

from memory.model.errors import EmbeddingFailed, VectorRefused
from memory.model.stores import Collection
from memory.ports import Embedder, Fingerprint, Point, Vectors
from memory.storage.search.embeddings import Embeddings
from memory.storage.search.outbox import Outbox, announce
from memory.storage.sqlite.database import Transaction
from memory.tasks import background_task
from memory.upkeep.indexer import Indexer
from memory.upkeep.reembedding import BATCH, Reembedding
from memory.vectorstores.in_memory import InMemoryIndex
from memory.vectorstores.in_use import EmbedderOfSpace, IndexOfSpace, SpaceInUse, VectorSpace
from tests.embedder import HashingEmbedder
from tests.forgotten import forget_one, forgetting_on
from tests.patience import PATIENCE_S
from tests.storage import StorageParts, open_truth, overhear, statement


class NewEmbedder(HashingEmbedder):
    """Another embedder, of the same dimension, which counts the texts it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.met: Callable[[], object] = lambda: None

    @property
    def fingerprint(self) -> Fingerprint:
        """Another name."""
        return Fingerprint(name="new", dimension=256, version="1")

    async def embed(self, texts: Sequence[str], kind: Literal["query", "document"]) -> Vectors:
        """Vectors that none of the other embedder's is near."""
        rows = -(await super().embed(texts, kind))
        self.texts += texts
        await asyncio.sleep(0)
        self.met()
        return rows


class NotedIndex(InMemoryIndex):
    """An index that notes whether it was closed and which collections were scrubbed."""

    closed = False
    scrubbed: Sequence[Collection] = ()

    async def scrub(self, collections: Sequence[Collection]) -> bool:
        """Note them."""
        self.scrubbed = collections
        return await super().scrub(collections)

    async def close(self) -> None:
        """Note it."""
        self.closed = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Tables on which another embedder is to take over."""

    storage: StorageParts
    spaces: SpaceInUse
    indexer: Indexer
    new: NewEmbedder
    there: NotedIndex
    former: NotedIndex
    reembedding: Reembedding
    prepared: list[Embedder]

    async def done(self) -> None:
        """Until it has taken over."""
        async with (
            asyncio.timeout(PATIENCE_S),
            background_task(self.reembedding.run(), name="reembedding"),
        ):
            while await kept(self) != {str(self.new.fingerprint)}:
                pass


@asynccontextmanager
async def opened(folder: Path, new: NewEmbedder | None = None) -> AsyncIterator[Change]:
    """The tables of a folder, whose index the other embedder has filled."""
    new = new or NewEmbedder()
    former = NotedIndex(HashingEmbedder().fingerprint)
    async with open_truth(folder, index=former) as storage:
        await storage.outbox.set_fingerprint(storage.embedder.fingerprint)
        there = NotedIndex(new.fingerprint)
        to = VectorSpace(embedder=new, index=there)
        spaces = SpaceInUse(VectorSpace(embedder=storage.embedder, index=former), to)
        made = Embeddings(storage.database, EmbedderOfSpace(SpaceInUse(to)), storage.clock)
        prepared: list[Embedder] = []

        async def prepare(embedder: Embedder) -> None:
            prepared.append(embedder)

        outbox = Outbox(storage.database, made, storage.clock)
        in_use = EmbedderOfSpace(spaces)
        known = Embeddings(storage.database, in_use, storage.clock)
        known_outbox = Outbox(storage.database, known, storage.clock)
        indexer = Indexer(known_outbox, in_use, IndexOfSpace(spaces), storage.claims)
        yield Change(
            storage=storage,
            spaces=spaces,
            indexer=indexer,
            new=new,
            there=there,
            former=former,
            reembedding=Reembedding(spaces, to, outbox, indexer, prepare),
            prepared=prepared,
        )


@pytest.fixture
async def change(tmp_path: Path) -> AsyncIterator[Change]:
    """Two statements and two messages, in the index of the embedder in use."""
    async with opened(tmp_path) as one:
        await one.storage.remember.store(statement("David habite à Paris"))
        await one.storage.remember.store(statement("Léa a un chat"))
        await overhear(one.storage, "un", "deux")
        await one.storage.indexer.settle()
        yield one


async def in_both(change: Change) -> list[frozenset[UUID]]:
    """The ids of statements and messages in the index of either embedder."""
    return [
        frozenset().union(*[await index.ids(each) for each in Collection])
        for index in (change.former, change.there)
    ]


async def kept(change: Change) -> set[str]:
    """The embedders of which embeddings are kept."""
    rows = await change.storage.database.all("SELECT DISTINCT fingerprint FROM embeddings")
    return {row["fingerprint"] for row in rows}


async def test_it_takes_over_once_everything_is_embedded(change: Change) -> None:
    """Then it is in use, noted for the next start, and of the former nothing is left."""
    with capture_logs() as logs:
        await change.done()
    former, there = await in_both(change)
    assert there == former
    assert len(there) == 4
    assert change.spaces.now.embedder is change.new
    assert await change.storage.outbox.fingerprint() == "new/256/1"
    assert await kept(change) == {"new/256/1"}
    assert change.former.closed
    assert change.prepared == [change.new]
    assert [one["event"] for one in logs] == ["embedder.begun", "embedder.changed"]


async def test_the_one_in_use_answers_until_then(change: Change) -> None:
    """Its index, its embeddings and its name stay while the other embeds."""
    seen: list[tuple[str, int]] = []

    def met() -> None:
        known = str(change.spaces.now.embedder.fingerprint)
        seen.append((known, len(change.former._points[Collection.MEMORY])))

    change.new.met = met
    await change.done()
    assert set(seen) == {("hashing/256/1", 2)}


async def test_it_waits_until_nothing_holds_what_is_in_use(change: Change) -> None:
    """A question that was embedded is compared with vectors of the same embedder."""
    with change.spaces.held():
        async with background_task(change.reembedding.run(), name="reembedding"):
            while not change.prepared:
                await change.storage.outbox.waiting()
            await asyncio.sleep(0.05)
            assert change.spaces.now.embedder is change.storage.embedder
            with change.spaces.held():
                pass
            assert change.spaces.now.embedder is change.storage.embedder
    assert change.spaces.now.embedder is change.storage.embedder  # the change ended before the hold
    await change.done()
    assert change.spaces.now.embedder is change.new


async def test_the_last_that_lets_go_puts_the_other_in_use(change: Change) -> None:
    """At that moment, and not a turn of the loop later."""
    with change.spaces.held():
        replacing = asyncio.ensure_future(change.spaces.replace())
        await asyncio.sleep(0)
        assert not replacing.done()
    assert change.spaces.now.embedder is change.new
    assert (await replacing).embedder is change.storage.embedder


async def test_what_is_said_meanwhile_is_in_both(change: Change) -> None:
    """Stored, changed and forgotten while the other embeds."""
    (row,) = await change.storage.database.all(
        "SELECT id FROM memories WHERE content = 'Léa a un chat'"
    )
    first = asyncio.Event()
    change.new.met = first.set
    async with background_task(change.reembedding.run(), name="reembedding"):
        await first.wait()
        stored = await change.storage.remember.store(statement("Tom joue du violon"))
        await forget_one(forgetting_on(change.storage), UUID(row["id"]))
        await change.indexer.settle()
        async with asyncio.timeout(PATIENCE_S):
            while change.reembedding.change is not None:
                await change.storage.outbox.waiting()
        await change.indexer.settle()
    there = await change.there.ids(Collection.MEMORY)
    assert stored.id in there
    assert UUID(row["id"]) not in there
    assert len(there) == 2


async def test_a_new_embedder_that_fails_is_waited_for(
    change: Change, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is written goes on through the one in use; once it answers, nothing is missing."""
    monkeypatch.setattr("memory.upkeep.indexer.LONGEST_WAIT_S", 0.01)
    change.new.available = False
    with capture_logs() as logs:
        async with background_task(change.reembedding.run(), name="reembedding"):
            await asyncio.sleep(0.05)
            await change.storage.remember.store(statement("Tom joue du violon"))
            assert await change.indexer.settle() == 1
            assert len(await change.former.ids(Collection.MEMORY)) == 3
            change.new.available = True
            async with asyncio.timeout(PATIENCE_S):
                while change.reembedding.change is not None:
                    await change.storage.outbox.waiting()
    assert len(await change.there.ids(Collection.MEMORY)) == 3
    assert [one["event"] for one in logs].count("embedder.awaited") == 1


async def test_an_entry_that_changed_while_nothing_embeds_is_brought_anew(change: Change) -> None:
    """Its old words are not left in the index that is being filled."""
    for collection in (Collection.MEMORY, Collection.LIVE):
        ids = sorted(await change.former.ids(collection))
        await change.reembedding._filler.bring(collection, ids)
    (changed, _) = sorted(await change.there.ids(Collection.MEMORY))
    change.new.available = False

    async def work(transaction: Transaction) -> None:
        await transaction.run(
            "UPDATE memories SET content = 'Tom joue du violon' WHERE id = :id",
            {"id": str(changed)},
        )
        await announce(transaction, Collection.MEMORY, [changed], changed=True)

    await change.storage.database.write(work)
    await change.indexer.settle()
    assert changed not in await change.there.ids(Collection.MEMORY)
    change.new.available = True
    await change.done()
    assert change.there._points[Collection.MEMORY][changed].payload["content"] == (
        "Tom joue du violon"
    )


async def test_a_restart_goes_on(tmp_path: Path) -> None:
    """What was embedded and kept before it is not embedded again."""
    texts = [f"message {n}" for n in range(3 * BATCH)]
    first = NewEmbedder()
    async with opened(tmp_path, first) as change:
        await overhear(change.storage, *texts)
        await change.storage.indexer.settle()
        twice = asyncio.Event()
        first.met = lambda: twice.set() if len(first.texts) > BATCH else None
        async with background_task(change.reembedding.run(), name="reembedding"):
            await twice.wait()
        assert change.spaces.now.embedder is change.storage.embedder
        assert len(first.texts) < len(texts)
    second = NewEmbedder()
    async with opened(tmp_path, second) as again:
        await again.done()
        assert len(await again.there.ids(Collection.LIVE)) == len(texts)
    assert len(second.texts) < len(texts)
    assert set(first.texts) | set(second.texts) == set(texts)


async def test_a_point_that_is_refused_holds_nothing_up(change: Change) -> None:
    """It is missing in the new index, as `eko verify` says."""
    upsert = change.there.upsert

    async def refused(collection: Collection, points: Sequence[Point]) -> None:
        if any("chat" in str(point.payload["content"]) for point in points):
            raise VectorRefused("Never.")
        await upsert(collection, points)

    change.there.upsert = refused  # type: ignore[method-assign]
    await change.done()
    assert change.spaces.now.embedder is change.new
    assert len(await change.there.ids(Collection.MEMORY)) == 1


async def test_the_proxies_follow_and_both_indexes_are_scrubbed(change: Change) -> None:
    """What must leave the files leaves those that are being filled, too."""
    embedder, index = EmbedderOfSpace(change.spaces), IndexOfSpace(change.spaces)
    assert await index.scrub([Collection.MEMORY])
    assert list(change.former.scrubbed) == list(change.there.scrubbed) == [Collection.MEMORY]
    await change.done()
    assert embedder.fingerprint == change.new.fingerprint
    (vector,) = await embedder.embed(["Léa a un chat"], "query")
    (own,) = await change.new.embed(["Léa a un chat"], "query")
    assert vector == pytest.approx(own)
    assert len(await index.ids(Collection.MEMORY)) == 2
    change.new.available = False
    with pytest.raises(EmbeddingFailed):
        await embedder.embed(["x"], "query")
