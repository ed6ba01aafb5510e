"""What recall costs at worst, and what it takes for said already."""

import asyncio
import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Literal
from uuid import UUID

import numpy as np
import pytest

from memory.model.audience import OPERATOR, Scope
from memory.model.errors import StorageFailed
from memory.model.messages import TurnId
from memory.model.recalled import block_of
from memory.model.retrieval import Candidate, Question
from memory.model.statements import Association, MemoryId
from memory.model.stores import Collection
from memory.ports import Vectors
from memory.retrieval.background import NEUTRAL, Background, SimilarityBackground
from memory.retrieval.recall import Recall
from memory.storage.sqlite.readers import READERS, Snapshot
from memory.storage.statements.associations import Associations
from tests.cast import DAVID, LEA, LOBBY, room_of
from tests.embedder import HashingEmbedder
from tests.flow.pet import RECALL, Pet, awake
from tests.flow.recalling import evidence_on, recall_on
from tests.patience import PATIENCE_S
from tests.storage import ENDLESS, StorageParts, StuckIndex, open_truth, statement

ASKED = Question(
    text="où habite Mickael ?", context="", speaker="David", room=room_of(LOBBY), scope=OPERATOR
)


class NeverReady(SimilarityBackground):
    """An evidence finder whose embeddings take for ever."""

    def vectors(
        self, candidates: Sequence[Candidate], snapshot: Snapshot
    ) -> Mapping[UUID, Vectors]:
        """Nothing, ever."""
        snapshot.all(ENDLESS)
        return super().vectors(candidates, snapshot)


class NeverSampled(SimilarityBackground):
    """An evidence finder whose sample of the store takes for ever."""

    def around(self, vector: Vectors | None, snapshot: Snapshot) -> Background | None:
        """Nothing, ever."""
        snapshot.all(ENDLESS)
        return super().around(vector, snapshot)


class NeverTied(Associations):
    """Associations that take for ever to be read."""

    def read_around(
        self, snapshot: Snapshot, ids: Sequence[MemoryId], scope: Scope, limit: int = 400
    ) -> list[Association]:
        """Nothing, ever."""
        snapshot.all(ENDLESS)
        return super().read_around(snapshot, ids, scope, limit)


class SlowDocuments(HashingEmbedder):
    """An embedder that reads questions at once and documents only while `quick`."""

    quick = True

    def __init__(self) -> None:
        super().__init__()
        self.asked = asyncio.Event()

    async def embed(self, texts: Sequence[str], kind: Literal["query", "document"]) -> Vectors:
        """Vectors, once it is quick enough."""
        if kind == "query":
            self.asked.set()
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


def recall(storage: StorageParts, evidence: SimilarityBackground, **limits: float) -> Recall:
    """Recall on these tables with other limits of time."""
    return recall_on(storage, evidence, replace(RECALL, **limits))  # type: ignore[arg-type]


VECTORS = ["history_vector", "knowledge_vector", "live_vector", "memory_vector"]
"""The look-ups by meaning, as the ledger names them."""


def limit(monkeypatch: pytest.MonkeyPatch, **limits: float) -> None:
    """Wake the next pet with other limits of time."""
    monkeypatch.setattr("tests.flow.pet.RECALL", replace(RECALL, **limits))  # type: ignore[arg-type]


@contextmanager
def hanging(query: str) -> Iterator[None]:
    """A query by its file and its name that nothing but an interruption ends."""
    file, _, name = query.partition("/")
    with pytest.MonkeyPatch.context() as broken:
        module = import_module(f"memory.storage.{file}")
        broken.setitem(module._SQL, name, ENDLESS)
        yield


async def answered(pet: Pet, text: str) -> None:
    """Say one thing and wait for the reply, and for nothing that follows it.

    It comes long before the longest of recall's limits would have passed.
    """
    await pet.hears(text)
    pet.lets_quiet_pass()
    async with asyncio.timeout(0.8 * RECALL.embed_timeout_s):
        await pet.conversations.quiet()


async def looked_up_last(pet: Pet) -> tuple[str, list[str]]:
    """What the ledger says of the last question: what became of it, and what was late."""
    row = await pet.storage.database.one(
        "SELECT reason, late FROM memory_retrievals ORDER BY id DESC LIMIT 1"
    )
    assert row is not None
    return row["reason"], json.loads(row["late"])


async def test_judging_that_takes_for_ever_brings_nothing_in_time(tmp_path: Path) -> None:
    """The reason is kept and nothing unjudged is put before the model."""
    async with open_truth(tmp_path) as storage:
        await storage.remember.store(statement("Mickael habite à Athènes"))
        slow = recall(storage, evidence_on(storage, NeverReady), deadline_s=0.05)
        async with asyncio.timeout(PATIENCE_S):
            found = await slow.before(ASKED)
    assert (found.reason, found.lines, found.items) == ("not judged in time", (), ())
    assert found.query == ASKED.text
    assert found.took_ms >= 50


async def test_a_background_that_takes_for_ever_costs_only_its_evidence(tmp_path: Path) -> None:
    """Words still find."""
    embedder = SlowDocuments()
    async with open_truth(tmp_path, embedder=embedder) as storage:
        await storage.remember.store(statement("Mickael habite à Athènes"))
        embedder.quick = False
        slow = recall(storage, evidence_on(storage), embed_timeout_s=1)
        async with asyncio.timeout(PATIENCE_S):
            assert "Athènes" in block_of((await slow.before(ASKED)).lines)


async def test_a_sample_that_takes_for_ever_costs_only_its_evidence(tmp_path: Path) -> None:
    """The look-ups have their own time."""
    async with open_truth(tmp_path) as storage:
        await storage.remember.store(statement("Mickael habite à Athènes"))
        await storage.indexer.settle()
        slow = recall(storage, evidence_on(storage, NeverSampled), deadline_s=1)
        async with asyncio.timeout(PATIENCE_S):
            found = await slow.before(ASKED)
    assert "Athènes" in block_of(found.lines)
    assert found.late == ("background",)


async def test_nobody_waits_for_the_background_before_the_question(tmp_path: Path) -> None:
    """Both are embedded at once: one that takes for ever does not double the wait."""
    embedder = SlowDocuments()
    async with open_truth(tmp_path, embedder=embedder) as storage:
        embedder.quick = False
        asking = asyncio.ensure_future(recall(storage, evidence_on(storage)).before(ASKED))
        async with asyncio.timeout(RECALL.embed_timeout_s / 2):
            await embedder.asked.wait()
        asking.cancel()
        await asyncio.wait([asking])


@pytest.mark.parametrize(
    "broken",
    [
        "memory.storage.search.embeddings.Embeddings.read",
        "memory.storage.search.term_counts.Vocabulary.read_seen",
    ],
)
async def test_a_read_that_fails_costs_the_injection_and_not_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    """Whether embeddings or word counts cannot be read; the ledger says so, the turn goes on."""

    def failing(*_: object) -> None:
        raise StorageFailed("The database could not be read (disk I/O error).")

    async with awake(tmp_path) as pet:
        await pet.storage.remember.store(statement("Mickael habite à Athènes"))
        with monkeypatch.context() as outage:
            outage.setattr(broken, failing)
            await answered(pet, "où habite Mickael ?")
        assert pet.channel.texts == ["d'accord"]
        assert pet.model.injected == ""
        assert await pet.storage.count("memory_retrievals", "reason = 'could not be read'") == 1
        await pet.storage.indexer.settle()
        assert "Athènes" in await pet.asked("où habite Mickael, déjà ?")


async def test_a_dropped_injection_is_recalled_again_in_the_next_turn(tmp_path: Path) -> None:
    """With `persist = "turn"` the model no longer has it, whatever the ledger knows."""
    async with awake(tmp_path, persist=False) as pet:
        await pet.storage.remember.store(statement("Mickael habite à Athènes"))
        assert "Athènes" in await pet.asked("où habite Mickael ?")
        second = await pet.asked("où habite Mickael, déjà ?")
        assert "• Mickael habite à Athènes" in second
        assert "d'accord" not in second, "the exchange itself is still in the window"


async def test_neighbours_that_take_for_ever_are_done_without(tmp_path: Path) -> None:
    """What was found is judged by itself, and the ledger says what was late."""
    async with open_truth(tmp_path) as storage:
        await storage.remember.store(statement("Mickael habite à Athènes"))
        await storage.indexer.settle()
        endless = replace(storage, associations=NeverTied(storage.database, storage.clock))
        found = await recall(endless, evidence_on(storage), deadline_s=2).before(ASKED)
    assert "Athènes" in block_of(found.lines)
    assert found.late == ("company",)


async def test_vectors_that_never_come_are_late_and_the_words_still_find(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reply comes, and the ledger says what was done without."""
    limit(monkeypatch, deadline_s=1)
    embedder = HashingEmbedder()
    index = StuckIndex(embedder.fingerprint)
    async with awake(tmp_path, embedder=embedder, index=index) as pet:
        await pet.storage.remember.store(statement("Mickael habite à Athènes"))
        await pet.storage.indexer.settle()
        index.works = False
        await answered(pet, "où habite Mickael ?")
        assert pet.channel.texts == ["d'accord"]
        assert "Athènes" in pet.model.injected
        assert await looked_up_last(pet) == ("looked up", VECTORS)


LATE = {
    "search.candidates/overheard_by_text": sorted(["live_text", *VECTORS]),
    "search.candidates/statements": VECTORS,
    "statements.associations/around": ["company"],
}
"""Queries that may hang, with what is done without then."""


@pytest.mark.parametrize("query", LATE)
async def test_a_look_up_that_hangs_is_interrupted_and_costs_what_it_would_have_brought(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, query: str
) -> None:
    """The reply comes with what was found before."""
    limit(monkeypatch, deadline_s=1)
    async with awake(tmp_path) as pet:
        await pet.storage.remember.store(statement("Mickael habite à Athènes"))
        await pet.overhears("Mickael est parti tôt", LEA, LOBBY)
        with hanging(query):
            await answered(pet, "où habite Mickael ?")
        assert pet.channel.texts == ["d'accord"]
        assert "Athènes" in pet.model.injected
        assert await looked_up_last(pet) == ("looked up", LATE[query])
        await pet.asked("et où habite Mickael, déjà ?")
        assert await looked_up_last(pet) == ("looked up", [])


@pytest.mark.parametrize(
    ("query", "limits"),
    [
        ("people.aliases/touching", {"embed_timeout_s": 0.5}),
        ("search.embeddings/embeddings_of", {"deadline_s": 0.5}),
        ("statements.associations/outdated", {"deadline_s": 0.5}),
    ],
)
async def test_reading_or_judging_that_hangs_is_interrupted_and_costs_the_injection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, query: str, limits: dict[str, float]
) -> None:
    """The reply comes without, and so does the next one with it."""
    async with awake(tmp_path) as pet:
        await pet.storage.remember.store(statement("Mickael habite à Athènes"))
        await pet.storage.indexer.settle()
    limit(monkeypatch, **limits)
    async with awake(tmp_path) as pet:
        with hanging(query):
            await answered(pet, "où habite Mickael ?")
        assert pet.channel.texts == ["d'accord"]
        assert pet.model.injected == ""
        assert await looked_up_last(pet) == ("not judged in time", [])
    monkeypatch.undo()
    async with awake(tmp_path) as pet:
        assert "Athènes" in await pet.asked("où habite Mickael, déjà ?")


async def test_when_every_reader_is_taken_the_question_is_answered_without(tmp_path: Path) -> None:
    """As when four long look-ups are under way."""
    free = threading.Event()
    async with open_truth(tmp_path) as storage:
        await storage.remember.store(statement("Mickael habite à Athènes"))
        reading = asyncio.gather(
            *(storage.database.read(lambda _: free.wait(20)) for _ in range(READERS))
        )
        await asyncio.sleep(0)
        found = await recall(storage, evidence_on(storage), embed_timeout_s=0.05).before(ASKED)
        free.set()
        await reading
        again = await recall(storage, evidence_on(storage)).before(ASKED)
    assert (found.reason, found.lines) == ("not judged in time", ())
    assert "Athènes" in block_of(again.lines)


async def test_of_an_endless_question_the_beginning_is_looked_up(tmp_path: Path) -> None:
    """A batch may hold fifty messages of 200,000 characters, and others wait meanwhile."""
    embedder = CountedTexts()
    async with awake(tmp_path, embedder=embedder) as pet:
        await pet.storage.remember.store(statement("Mickael habite à Athènes"))
        await pet.storage.indexer.settle()
        found = await pet.recall.before(replace(ASKED, text=f"{ASKED.text} {'blabla ' * 30_000}"))
    assert any(text.startswith(ASKED.text) for text in embedder.texts)
    assert max(map(len, embedder.texts)) <= 12_000
    assert [one.candidate.content for one in found.items] == ["Mickael habite à Athènes"]


async def test_a_replayed_injection_is_not_repeated(tmp_path: Path) -> None:
    """It stands in the window already."""
    async with awake(tmp_path) as pet:
        await pet.storage.remember.store(statement("Mickael habite à Athènes"))
        assert "Athènes" in await pet.asked("où habite Mickael ?")
        assert await pet.asked("où habite Mickael, déjà ?") == ""


async def test_the_buffer_keeps_what_was_injected_last(tmp_path: Path) -> None:
    """Whatever collection it is of; a buffer of nothing keeps nothing."""
    async with awake(tmp_path) as pet:
        memory = (await pet.storage.remember.store(statement("Mickael habite à Athènes"))).id
        await pet.overhears("le train de Lyon a du retard", LEA, LOBBY)
        await pet.asked("où habite Mickael ?", DAVID)
        await pet.asked("le train de Lyon a du retard ?", DAVID)
        window = await _turns(pet)
        kept = {
            id_: vector
            for collection in (Collection.MEMORY, Collection.LIVE)
            for id_, vector in (
                await pet.storage.embeddings.of(
                    collection, list(await pet.storage.index.ids(collection))
                )
            ).items()
        }
        message = next(id_ for id_ in kept if id_ != memory)
        for buffer, expected in ((0, []), (1, [message]), (2, [memory, message])):
            refs, vectors = await _shown(pet, window, buffer)
            assert len(refs) == 2
            assert list(vectors) == expected
            assert all(np.array_equal(vectors[id_], kept[id_]) for id_ in expected)


async def test_everyday_lines_are_embedded_once(tmp_path: Path) -> None:
    """A new background is of new statements only; a service is paid for each text."""
    embedder = CountedTexts()
    async with open_truth(tmp_path, embedder=embedder) as storage:
        evidence = evidence_on(storage)
        for _ in range(3):
            await evidence.prepare()
    assert embedder.texts == list(NEUTRAL)


async def _shown(
    pet: Pet, window: Sequence[TurnId], buffer: int
) -> tuple[frozenset[str], Mapping[UUID, Vectors]]:
    evidence = evidence_on(pet.storage)
    return await pet.storage.database.read(
        lambda snapshot: evidence.shown(window, buffer, snapshot)
    )


async def _turns(pet: Pet) -> list[TurnId]:
    rows = await pet.storage.database.all("SELECT id FROM turns ORDER BY at")
    return [TurnId(UUID(row["id"])) for row in rows]
