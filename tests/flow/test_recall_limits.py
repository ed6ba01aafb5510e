"""What recall costs at worst, and what it takes for said already."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal
from uuid import UUID

import numpy as np
import pytest

from memory.adapters.in_memory import HashingEmbedder
from memory.adapters.sqlite.associations import Associations
from memory.errors import StorageFailed
from memory.evidence import NEUTRAL, EvidenceFinder
from memory.model import Association, Collection, MemoryId, TurnId
from memory.ports import Vectors
from memory.recall import Recall
from memory.retrieval import Candidate, Question
from memory.scope import OPERATOR, Scope
from tests.cast import DAVID, LEA, LOBBY, room_of
from tests.flow.pet import RECALL, Pet, awake, evidence_on, recall_on
from tests.truth import Truth, open_truth, statement

ASKED = Question(
    text="où habite Mickael ?", context="", speaker="David", room=room_of(LOBBY), scope=OPERATOR
)


class NeverReady(EvidenceFinder):
    """An evidence finder whose embeddings take for ever."""

    async def vectors(self, candidates: Sequence[Candidate]) -> Mapping[UUID, Vectors]:
        """Nothing, ever."""
        await asyncio.Event().wait()
        return await super().vectors(candidates)


class NeverTied(Associations):
    """Associations that take for ever to be read."""

    async def around(
        self, ids: Sequence[MemoryId], scope: Scope, limit: int = 400
    ) -> list[Association]:
        """Nothing, ever."""
        await asyncio.Event().wait()
        return await super().around(ids, scope, limit)


class SlowDocuments(HashingEmbedder):
    """An embedder that reads questions at once and documents only while `quick`."""

    quick = True

    async def embed(self, texts: Sequence[str], kind: Literal["query", "document"]) -> Vectors:
        """Vectors, once it is quick enough."""
        if kind == "document" and not self.quick:
            await asyncio.Event().wait()
        return await super().embed(texts, kind)


class CountedTexts(HashingEmbedder):
    """An embedder that remembers what it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    async def embed(self, texts: Sequence[str], kind: Literal["query", "document"]) -> Vectors:
        """The same vectors."""
        self.texts.extend(texts)
        return await super().embed(texts, kind)


def recall(truth: Truth, evidence: EvidenceFinder, **limits: float) -> Recall:
    """Recall on these tables with other limits of time."""
    return recall_on(truth, evidence, replace(RECALL, **limits))  # type: ignore[arg-type]


async def test_judging_that_takes_for_ever_brings_nothing_in_time(tmp_path: Path) -> None:
    """The reason is kept and nothing unjudged is put before the model."""
    async with open_truth(tmp_path) as truth:
        await truth.remember.store(statement("Mickael habite à Athènes"))
        slow = recall(truth, evidence_on(truth, NeverReady), deadline_s=0.05)
        async with asyncio.timeout(5):
            found = await slow.before(ASKED)
    assert (found.reason, found.block, found.items) == ("not judged in time", "", ())
    assert found.query == ASKED.text
    assert found.took_ms >= 50


async def test_a_background_that_takes_for_ever_costs_only_its_evidence(tmp_path: Path) -> None:
    """Words still find."""
    embedder = SlowDocuments()
    async with open_truth(tmp_path, embedder=embedder) as truth:
        await truth.remember.store(statement("Mickael habite à Athènes"))
        embedder.quick = False
        slow = recall(truth, evidence_on(truth), embed_timeout_s=0.05)
        async with asyncio.timeout(5):
            assert "Athènes" in (await slow.before(ASKED)).block


@pytest.mark.parametrize("broken", ["of", "seen"])
async def test_a_read_that_fails_costs_the_injection_and_not_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    """Whether embeddings or word counts cannot be read; the ledger says so, the turn goes on."""

    async def failing(*_: object) -> None:
        raise StorageFailed("The database could not be read (disk I/O error).")

    async with awake(tmp_path) as pet:
        await pet.truth.remember.store(statement("Mickael habite à Athènes"))
        with monkeypatch.context() as outage:
            target = {
                "of": "memory.adapters.sqlite.embeddings.Embeddings.of",
                "seen": "memory.adapters.sqlite.terms.Vocabulary.seen",
            }[broken]
            outage.setattr(target, failing)
            await pet.hears("où habite Mickael ?")
            pet.lets_quiet_pass()
            await pet.conversations.quiet()
        assert pet.channel.texts == ["d'accord"]
        assert pet.model.injected == ""
        assert await pet.truth.count("memory_retrievals", "reason = 'could not be read'") == 1
        await pet.truth.indexer.settle()
        assert "Athènes" in await pet.asked("où habite Mickael, déjà ?")


async def test_a_dropped_injection_is_recalled_again_in_the_next_turn(tmp_path: Path) -> None:
    """With `persist = "turn"` the model no longer has it, whatever the ledger knows."""
    async with awake(tmp_path, persist=False) as pet:
        await pet.truth.remember.store(statement("Mickael habite à Athènes"))
        assert "Athènes" in await pet.asked("où habite Mickael ?")
        second = await pet.asked("où habite Mickael, déjà ?")
        assert "• Mickael habite à Athènes" in second
        assert "d'accord" not in second, "the exchange itself is still in the window"


async def test_neighbours_that_take_for_ever_are_done_without(tmp_path: Path) -> None:
    """What was found is judged by itself, and the ledger says what was late."""
    async with open_truth(tmp_path) as truth:
        await truth.remember.store(statement("Mickael habite à Athènes"))
        await truth.indexer.settle()
        endless = replace(truth, associations=NeverTied(truth.database, truth.clock))
        found = await recall(endless, evidence_on(truth), deadline_s=2).before(ASKED)
    assert "Athènes" in found.block
    assert found.late == ("company",)


async def test_of_an_endless_question_the_beginning_is_looked_up(tmp_path: Path) -> None:
    """A batch may hold fifty messages of 200,000 characters, and others wait meanwhile."""
    embedder = CountedTexts()
    async with awake(tmp_path, embedder=embedder) as pet:
        await pet.truth.remember.store(statement("Mickael habite à Athènes"))
        await pet.truth.indexer.settle()
        found = await pet.recall.before(replace(ASKED, text=f"{ASKED.text} {'blabla ' * 30_000}"))
    assert any(text.startswith(ASKED.text) for text in embedder.texts)
    assert max(map(len, embedder.texts)) <= 12_000
    assert [one.candidate.content for one in found.items] == ["Mickael habite à Athènes"]


async def test_a_replayed_injection_is_not_repeated(tmp_path: Path) -> None:
    """It stands in the window already."""
    async with awake(tmp_path) as pet:
        await pet.truth.remember.store(statement("Mickael habite à Athènes"))
        assert "Athènes" in await pet.asked("où habite Mickael ?")
        assert await pet.asked("où habite Mickael, déjà ?") == ""


async def test_the_buffer_keeps_what_was_injected_last(tmp_path: Path) -> None:
    """Whatever collection it is of; a buffer of nothing keeps nothing."""
    async with awake(tmp_path) as pet:
        memory = (await pet.truth.remember.store(statement("Mickael habite à Athènes"))).id
        await pet.overhears("le train de Lyon a du retard", LEA, LOBBY)
        await pet.asked("où habite Mickael ?", DAVID)
        await pet.asked("le train de Lyon a du retard ?", DAVID)
        window = await _turns(pet)
        kept = {
            id_: vector
            for collection in (Collection.MEMORY, Collection.LIVE)
            for id_, vector in (
                await pet.truth.embeddings.of(
                    collection, list(await pet.truth.index.ids(collection))
                )
            ).items()
        }
        message = next(id_ for id_ in kept if id_ != memory)
        for buffer, expected in ((0, []), (1, [message]), (2, [memory, message])):
            refs, vectors = await evidence_on(pet.truth).shown(window, buffer)
            assert len(refs) == 2
            assert len(vectors) == len(expected)
            for vector, id_ in zip(vectors, expected, strict=True):
                assert np.array_equal(vector, kept[id_])


async def test_everyday_lines_are_embedded_once(tmp_path: Path) -> None:
    """A new background is of new statements only; a service is paid for each text."""
    embedder = CountedTexts()
    async with open_truth(tmp_path, embedder=embedder) as truth:
        evidence = evidence_on(truth)
        for _ in range(3):
            await evidence.refresh()
    assert embedder.texts == list(NEUTRAL)


async def _turns(pet: Pet) -> list[TurnId]:
    rows = await pet.truth.database.all("SELECT id FROM turns ORDER BY at")
    return [TurnId(UUID(row["id"])) for row in rows]
