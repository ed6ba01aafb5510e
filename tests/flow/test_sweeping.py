"""What is recalled depends on what is kept and on the time, not on how often it was swept."""

from datetime import timedelta
from pathlib import Path
from uuid import UUID

import numpy as np
import pytest

from memory.model.audience import OPERATOR
from memory.model.recalled import block_of
from memory.model.stores import Collection, Store
from memory.ports import Vectors
from memory.retrieval.background import Background, SimilarityBackground
from memory.retrieval.query import Query
from memory.retrieval.read_views import ReadView
from memory.retrieval.sources import Sources
from tests.cast import DAVID, LOBBY
from tests.embedder import HashingEmbedder
from tests.flow.pet import RECALL, awake
from tests.flow.recalling import evidence_on
from tests.storage import StorageParts, open_truth, overhear, read_views_on, statement


async def test_sweeping_more_often_changes_nothing_of_what_is_recalled(tmp_path: Path) -> None:
    """The same days, swept once or at every step, inject the same lines in the same order."""
    blocks = []
    for often in (True, False):
        async with awake(tmp_path / str(often)) as pet:
            for number in range(40):
                content = f"Le phare numéro {number} est gardé par Zoé {number}"
                ttl = timedelta(days=1 + number % 7) if number % 2 else None
                await pet.storage.remember.store(statement(content, ttl=ttl))
                await pet.overhears(f"Encore un phare, le numéro {number}", DAVID, LOBBY)
                pet.storage.clock.advance(timedelta(hours=6))
                if often:
                    await pet.storage.memories.sweep()
                    await pet.storage.indexer.settle()
            await pet.asked("Eko, qui garde le phare numéro 8 ?", DAVID, LOBBY)
            block = block_of(pet.model.last.recalled)
            rows = await pet.storage.database.all(
                "SELECT section, score, kept FROM memory_retrieval_items ORDER BY position"
            )
            blocks.append((block, [tuple(row) for row in rows]))
    assert blocks[0] == blocks[1]


async def test_what_has_expired_crowds_nobody_out(tmp_path: Path) -> None:
    """A hundred nearer statements that no sweep has taken away yet do not hide one that holds."""
    async with open_truth(tmp_path) as storage:
        for number in range(100):
            content = f"phare phare phare {number}"
            await storage.remember.store(statement(content, ttl=timedelta(hours=1)))
        (kept,) = [(await storage.remember.store(statement("Le phare de Zoé veille"))).id]
        await storage.indexer.settle()
        storage.clock.advance(timedelta(hours=2))
        vector = (await storage.embedder.embed(["phare"], "query"))[0]
        sources = Sources(storage.associations)
        asked = Query(text="phare", vector=vector)

        def near(view: ReadView) -> list[UUID]:
            lookups = sources.of_stores(asked, view, RECALL.reach, [Store.MEMORY])
            return [one.id for one in lookups["memory_vector"]()]

        assert await read_views_on(storage).make(near, OPERATOR, vector=vector) == [kept]


async def test_a_sample_depends_on_what_is_kept_only(tmp_path: Path) -> None:
    """Neither on the order in which it came, nor on ids, nor on chance; each text is in it once."""
    texts = [f"La marée numéro {number}" for number in range(300)]
    samples = []
    for name, order in (("one", texts), ("other", texts[::-1] + texts)):
        async with open_truth(tmp_path / name) as storage:
            await overhear(storage, *order)
            await storage.indexer.settle()
            samples.append(await storage.embeddings.sample(Collection.LIVE, 50))
    one, other = samples
    assert one is not None
    assert one.shape == (50, HashingEmbedder().fingerprint.dimension)
    assert other is not None
    assert np.array_equal(one, other)


async def test_a_background_follows_the_store_at_once(tmp_path: Path) -> None:
    """Without waiting for a sweep, also when something expires; what is the same is not read."""
    async with open_truth(tmp_path) as storage:
        evidence = evidence_on(storage)
        question = (await storage.embedder.embed(["la marée"], "query"))[0]
        means = []
        await storage.remember.store(statement("La marée est haute", ttl=timedelta(hours=1)))
        await storage.remember.store(statement("La marée monte encore"))
        for hours in (0, 2):
            storage.clock.advance(timedelta(hours=hours))
            means.append((await background_of(question, evidence, storage)).mean)
        assert means[1] < means[0]
        await storage.memories.sweep()
        swept = await background_of(question, evidence, storage)
        assert swept.mean == pytest.approx(means[1], abs=0)


async def background_of(
    question: Vectors, evidence: SimilarityBackground, storage: StorageParts
) -> Background:
    """What a question is compared with now."""
    await evidence.prepare()
    found = await storage.database.read(lambda snapshot: evidence.around(question, snapshot))
    assert found is not None
    return found
