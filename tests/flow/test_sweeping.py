"""What is recalled depends on what is kept and on the time, not on how often it was swept."""

from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

from memory.adapters.in_memory import HashingEmbedder
from memory.asked import Asked
from memory.model import Collection, Store
from memory.scope import OPERATOR
from memory.sources import Sources
from tests.cast import DAVID, LOBBY
from tests.flow.pet import RECALL, awake, evidence_on
from tests.truth import open_truth, overhear, statement


async def test_sweeping_more_often_changes_nothing_of_what_is_recalled(tmp_path: Path) -> None:
    """The same days, swept once or at every step, inject the same lines in the same order."""
    blocks = []
    for often in (True, False):
        async with awake(tmp_path / str(often)) as pet:
            for number in range(40):
                content = f"Le phare numéro {number} est gardé par Zoé {number}"
                ttl = timedelta(days=1 + number % 7) if number % 2 else None
                await pet.truth.remember.store(statement(content, ttl=ttl))
                await pet.overhears(f"Encore un phare, le numéro {number}", DAVID, LOBBY)
                pet.truth.clock.advance(timedelta(hours=6))
                if often:
                    await pet.truth.memories.sweep()
                    await pet.truth.indexer.settle()
            block = await pet.asked("Eko, qui garde le phare numéro 8 ?", DAVID, LOBBY)
            rows = await pet.truth.database.all(
                "SELECT section, score, kept FROM memory_retrieval_items ORDER BY position"
            )
            blocks.append((block, [tuple(row) for row in rows]))
    assert blocks[0] == blocks[1]


async def test_what_has_expired_crowds_nobody_out(tmp_path: Path) -> None:
    """A hundred nearer statements that no sweep has taken away yet do not hide one that holds."""
    async with open_truth(tmp_path) as truth:
        for number in range(100):
            content = f"phare phare phare {number}"
            await truth.remember.store(statement(content, ttl=timedelta(hours=1)))
        (kept,) = [(await truth.remember.store(statement("Le phare de Zoé veille"))).id]
        await truth.indexer.settle()
        truth.clock.advance(timedelta(hours=2))
        vector = (await truth.embedder.embed(["phare"], "query"))[0]
        sources = Sources(truth.kept, truth.index)
        asked = Asked(text="phare", vector=vector)
        looked_up = sources.of_stores(asked, [Store.MEMORY], OPERATOR, RECALL.reach)
        found = {name: await lookup for name, lookup in looked_up.items()}
        assert [one.id for one in found["memory_vector"]] == [kept]


async def test_a_sample_depends_on_what_is_kept_only(tmp_path: Path) -> None:
    """Neither on the order in which it came, nor on ids, nor on chance; each text is in it once."""
    texts = [f"La marée numéro {number}" for number in range(300)]
    samples = []
    for name, order in (("one", texts), ("other", texts[::-1] + texts)):
        async with open_truth(tmp_path / name) as truth:
            await overhear(truth, *order)
            await truth.indexer.settle()
            samples.append(await truth.embeddings.sample(Collection.LIVE, 50))
    one, other = samples
    assert one is not None
    assert one.shape == (50, HashingEmbedder().fingerprint.dimension)
    assert other is not None
    assert np.array_equal(one, other)


async def test_a_background_follows_the_store_at_once(tmp_path: Path) -> None:
    """Without waiting for a sweep, also when something expires; what is the same is not read."""
    async with open_truth(tmp_path) as truth:
        evidence = evidence_on(truth)
        question = (await truth.embedder.embed(["la marée"], "query"))[0]
        means = []
        await truth.remember.store(statement("La marée est haute", ttl=timedelta(hours=1)))
        await truth.remember.store(statement("La marée monte encore"))
        for hours in (0, 2):
            truth.clock.advance(timedelta(hours=hours))
            await evidence.refresh()
            around = evidence.around(question)
            assert around is not None
            means.append(around.mean)
        assert means[1] < means[0]
        await truth.memories.sweep()
        await evidence.refresh()
        swept = evidence.around(question)
        assert swept is not None
        assert swept.mean == pytest.approx(means[1], abs=0)
