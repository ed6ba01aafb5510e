"""What the daemon has ready before the first question."""

import asyncio
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal
from uuid import UUID

import pytest

from bot.daemon.clockwork import warm_up
from bot.wiring.app import App, open_app
from config.sections.vectors import EmbedderSettings, VectorSettings
from config.settings import Settings
from memory.clock import FrozenClock
from memory.language import synonyms
from memory.language.synonyms import Group
from memory.model.errors import EkoMemoryError, VectorStoreUnavailable
from memory.model.stores import Collection
from memory.ports import Vectors
from memory.tasks import background_task
from memory.vectorstores.in_use import IndexOfSpace
from tests.cast import NOON
from tests.embedder import HashingEmbedder
from tests.flow.pet import RECALL
from tests.flow.recalling import evidence_on, recall_on
from tests.patience import PATIENCE_S
from tests.storage import open_truth, statement


async def test_the_lexicons_are_read_beside_the_event_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one piece it made heartbeats late on a busy machine."""
    real, readers = synonyms.groups, list[threading.Thread]()

    def groups() -> list[Group]:
        readers.append(threading.current_thread())
        return real()

    monkeypatch.setattr(synonyms, "groups", groups)
    synonyms._near.cache_clear()
    settings = Settings(
        data_dir=tmp_path,
        embedder=EmbedderSettings(kind="none"),
        vectors=VectorSettings(kind="edge"),
    )
    async with open_app(settings, FrozenClock(NOON)) as app:
        await warm_up(app)
    assert readers
    assert threading.main_thread() not in readers


@dataclass(frozen=True, slots=True, kw_only=True)
class Starting:
    """A pet whose vector store lost an entry and does not answer comparisons until it is `back`."""

    app: App
    back: asyncio.Event
    rest_done: asyncio.Event
    """Set once all else that a start makes up for is done."""


@pytest.fixture
async def starting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Starting]:
    """Such a pet, not yet warmed up."""
    settings = Settings(
        data_dir=tmp_path,
        embedder=EmbedderSettings(kind="offline"),
        vectors=VectorSettings(kind="edge"),
    )
    async with open_app(settings, FrozenClock(NOON)) as app:
        stored = await app.services.writer.store(statement("David habite à Paris"))
        await app.services.indexer.settle()
        await app.index.delete(Collection.MEMORY, [stored.id])
        found = Starting(app=app, back=asyncio.Event(), rest_done=asyncio.Event())
        ids = app.index.ids

        async def answered(_: object, collection: Collection, **page: Any) -> frozenset[UUID]:
            if not found.back.is_set():
                raise VectorStoreUnavailable("The store is away.")
            return await ids(collection, **page)

        async def backed_up(_app: App) -> None:
            found.rest_done.set()

        monkeypatch.setattr(IndexOfSpace, "ids", answered)
        monkeypatch.setattr("bot.daemon.clockwork._make_up_for_backup", backed_up)
        yield found


async def test_mending_waits_for_the_store_and_nothing_waits_for_it(
    starting: Starting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What else a start makes up for is done meanwhile; once the store is back, all is there."""
    monkeypatch.setattr("memory.upkeep.indexer.LONGEST_WAIT_S", 0.01)
    async with (
        asyncio.timeout(PATIENCE_S),
        background_task(warm_up(starting.app), name="warm-up") as warming,
    ):
        await starting.rest_done.wait()
        assert not warming.done()
        starting.back.set()
        await warming
    assert len(await starting.app.index.ids(Collection.MEMORY)) == 1


async def test_a_stop_does_not_wait_for_a_store_that_is_away(starting: Starting) -> None:
    """The next start looks again."""
    async with (
        asyncio.timeout(PATIENCE_S),
        background_task(warm_up(starting.app), name="warm-up") as warming,
    ):
        await starting.rest_done.wait()
    assert warming.cancelled()


class SlowToLoad(HashingEmbedder):
    """An embedder whose first texts take longer than a question waits for one."""

    loaded = False

    async def embed(self, texts: Sequence[str], kind: Literal["query", "document"]) -> Vectors:
        """Vectors, after a while."""
        if not self.loaded:
            await asyncio.sleep(2 * IN_HASTE.embed_timeout_s)
            self.loaded = True
        return await super().embed(texts, kind)


IN_HASTE = replace(RECALL, embed_timeout_s=0.2)


async def test_loading_takes_as_long_as_a_crowded_machine_needs(tmp_path: Path) -> None:
    """Nothing waits for it; what it gave up half way, the first question waited for."""
    embedder = SlowToLoad()
    async with open_truth(tmp_path, embedder=embedder) as storage:
        recall = recall_on(storage, evidence_on(storage), IN_HASTE)
        with suppress(EkoMemoryError):  # the look-ups after it have a limit of their own
            await recall.warm_up()
    assert embedder.loaded
