"""Two pets on one Qdrant server, and copies of one: nothing of another is found or touched."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from qdrant_client import models

from bot.surfaces.operations import Operations
from bot.wiring.app import App, open_app
from config.sections.recall import RecallSettings
from config.sections.vectors import EmbedderSettings, VectorSettings
from config.settings import Settings
from memory.clock import FrozenClock
from memory.embedders.usem3 import OfflineEmbedder
from memory.model.audience import OPERATOR
from memory.model.errors import HeldElsewhere
from memory.model.stores import Collection, Store
from memory.vectors import collection_name
from tests.cast import NOON
from tests.edge.loopback import LoopbackServer
from tests.edge.qdrant_stand_in import QdrantStandIn
from tests.harness.services import EmbeddingService
from tests.patience import PATIENCE_S
from tests.storage import statement

MEMORY = Collection.MEMORY

Points = dict[str, dict[str, dict[str, Any]]]


class Home:
    """A server, and the folders of pets that use it."""

    def __init__(self, folder: Path, server: QdrantStandIn, url: str, embedder_url: str) -> None:
        self.folder = folder
        self.server = server
        self._url = url
        self._embedder_url = embedder_url

    @asynccontextmanager
    async def pet(self, name: str, *, embedder: str = "offline") -> AsyncIterator[App]:
        """The pet of a folder."""
        chosen = EmbedderSettings.model_validate(
            {
                "kind": embedder,
                "api_key": "test",
                "base_url": self._embedder_url,
                "dimension": EmbeddingService.dimension,
            }
        )
        settings = Settings(
            data_dir=self.folder / name,
            embedder=chosen,
            vectors=VectorSettings(url=self._url, timeout_s=PATIENCE_S),
            recall=RecallSettings(embed_timeout_ms=30_000, deadline_ms=10_000),
        )
        async with open_app(settings, FrozenClock(NOON)) as app:
            yield app

    def of(self, app_pet: str) -> Points:
        """What the server has of a pet, records of who holds it aside."""
        everything = self.server.everything()
        del everything["eko_pets"]
        return {
            name: found
            for name, points in everything.items()
            if (found := {id_: one for id_, one in points.items() if one.get("pet") == app_pet})
        }


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[Home]:
    """An empty server."""
    server = QdrantStandIn()
    async with (
        LoopbackServer(server.answer) as vectors,
        LoopbackServer(EmbeddingService().answer) as embedder,
    ):
        yield Home(tmp_path, server, vectors.url, embedder.url)


async def knows(app: App, *sentences: str) -> str:
    """Remember these, and have them indexed; the id of the pet."""
    for one in sentences:
        await app.services.writer.store(statement(one))
    await app.services.indexer.mend()
    return await pet_of(app)


async def pet_of(app: App) -> str:
    """The id of a pet."""
    assert app.services.lease is not None
    return (await app.services.lease.pet()).hex


async def does(app: App, operation: str, **arguments: Any) -> Any:
    """The result of an operation."""
    return await Operations(app).result(operation, arguments)


async def found(app: App, text: str) -> list[UUID]:
    """What a search by meaning finds."""
    (vector,) = await app.embedder.embed([text], "query")
    hits = await app.index.search(MEMORY, vector, limit=50, scope=OPERATOR)
    return [hit.id for hit in hits]


async def test_nothing_that_one_pet_does_touches_the_other(home: Home) -> None:
    """Starts, learning, reindex, repair, another embedder, a forgetting and its purge."""
    async with home.pet("a") as a:
        of_a = await knows(a, "Léa habite à Lyon", "Léa a deux chats")
    before = home.of(of_a)
    assert sum(map(len, before.values())) == 2
    async with home.pet("b") as b:
        of_b = await knows(b, "Bob habite à Brest", "Bob a un chien")
        assert len(await found(b, "où habite Léa")) == 2  # Bob's, however far
        await does(b, "reindex")
        assert (await does(b, "verify", repair=True))["sound"]
        forgotten = await does(b, "forget", topic="Brest", confirmed=True)
        await does(b, "forget_purge", id=forgotten.receipt.id)
    async with home.pet("b", embedder="voyage") as b:
        async with asyncio.timeout(PATIENCE_S):
            while any("usem3" in one for one in home.of(of_b)):  # noqa: ASYNC110 - it is polled
                await asyncio.sleep(0.05)
        await does(b, "reindex")
        await knows(b, "Bob a vendu son vélo")
        assert (await does(b, "verify", repair=True))["sound"]
    assert home.of(of_a) == before
    assert sum(map(len, home.of(of_b).values())) == 2
    async with home.pet("a") as a:
        assert (await does(a, "verify"))["sound"]
        assert len(await found(a, "Bob a un chien")) == 2


async def test_a_copy_is_told_apart_before_it_touches_anything(home: Home) -> None:
    """Beside its original it is refused with one sentence, and words are still found."""
    async with home.pet("a") as a:
        of_a = await knows(a, "Léa habite à Lyon", "Léa a deux chats")
    shutil.copytree(home.folder / "a", home.folder / "copy")
    before = home.server.everything()
    async with home.pet("copy") as copy:
        with pytest.raises(HeldElsewhere, match="eko identity --new"):
            await copy.services.indexer.mend()
        (finding,) = [one for one in await copy.doctor.diagnose() if one.part == "vector store"]
        assert finding.said == "vectors_elsewhere"
        rows = await copy.services.recall.search("Lyon", [Store.MEMORY], OPERATOR, 5)
        assert [row.content for row in rows] == ["Léa habite à Lyon"]
    assert home.server.everything() == before
    async with home.pet("a") as a:
        assert (await does(a, "verify"))["sound"]
    before = home.of(of_a)
    async with home.pet("copy") as copy:
        other = (await does(copy, "identity", choice="new"))["pet"]
        assert other != of_a
        await copy.services.writer.store(statement("Zoé a un poney"))
        assert (await does(copy, "verify", repair=True))["sound"]
        assert len(await found(copy, "poney")) == 3
    assert home.of(of_a) == before
    async with home.pet("copy") as copy:
        assert await pet_of(copy) == other


async def test_a_folder_that_was_moved_stays_the_pet(home: Home) -> None:
    """Renamed, or copied elsewhere and removed here."""
    async with home.pet("a") as a:
        of_a = await knows(a, "Léa habite à Lyon")
    (home.folder / "a").rename(home.folder / "b")
    async with home.pet("b") as b:
        assert (await does(b, "verify"))["sound"]
    shutil.copytree(home.folder / "b", home.folder / "c")
    shutil.rmtree(home.folder / "b")
    async with home.pet("c") as c:
        assert await pet_of(c) == of_a
        assert (await does(c, "verify"))["sound"]


async def test_a_copy_elsewhere_waits_while_the_original_is_at_work(home: Home) -> None:
    """Its folder cannot be seen from another machine, its beats can; later the other is asked."""
    async with home.pet("a") as a:
        of_a = await knows(a, "Léa habite à Lyon")
        shutil.copytree(home.folder / "a", home.folder / "elsewhere")
        away = home.folder / "not visible"
        (home.folder / "a").rename(away)
        async with home.pet("elsewhere") as copy:
            with pytest.raises(HeldElsewhere):
                await pet_of(copy)
    async with home.pet("elsewhere") as copy:
        assert await pet_of(copy) == of_a
        async with home.pet("not visible") as a:
            with pytest.raises(HeldElsewhere):
                await pet_of(a)
            assert (await does(a, "identity", choice="keep"))["pet"] == of_a
            assert copy.services.lease is not None
            await copy.services.lease.beat()  # type: ignore[attr-defined]
            with pytest.raises(HeldElsewhere):
                await pet_of(copy)


async def test_a_backup_in_the_place_of_its_pet_stays_the_pet(home: Home) -> None:
    """Its database is older than what the server knows, but the folder is the one."""
    async with home.pet("a") as a:
        of_a = await knows(a, "Léa habite à Lyon")
    backup = home.folder / "backup"
    shutil.copy(home.folder / "a" / "eko.sqlite3", backup)
    async with home.pet("a") as a:
        await knows(a, "Léa a deux chats")
    shutil.copy(backup, home.folder / "a" / "eko.sqlite3")
    async with home.pet("a") as a:
        assert await pet_of(a) == of_a
        assert (await does(a, "verify", repair=True))["sound"]
        assert len(await found(a, "Lyon")) == 1


async def test_a_backup_beside_its_pet_is_asked(home: Home) -> None:
    """Also where the folder of the original cannot be seen: the server knows of a later claim."""
    async with home.pet("a") as a:
        await knows(a, "Léa habite à Lyon")
    (home.folder / "restored").mkdir()
    shutil.copy(home.folder / "a" / "eko.sqlite3", home.folder / "restored" / "eko.sqlite3")
    async with home.pet("a") as a:
        await knows(a, "Léa a deux chats")
    (home.folder / "a").rename(home.folder / "not visible")
    before = home.server.everything()
    async with home.pet("restored") as restored:
        with pytest.raises(HeldElsewhere):
            await restored.services.indexer.mend()
    assert home.server.everything() == before


async def test_points_of_former_versions_are_taken_over_without_embedding(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each pet takes its own, found by its ids; what neither knows stays where it is."""
    embedder = OfflineEmbedder()
    former = collection_name("eko_", MEMORY, embedder.fingerprint)
    server = home.server.client
    server.create_collection(former, models.VectorParams(size=256, distance=models.Distance.COSINE))
    ids: dict[str, list[str]] = {}
    for name, sentence in (("a", "Léa habite à Lyon"), ("b", "Bob habite à Brest")):
        async with home.pet(name) as app:
            pet = await knows(app, sentence)
            ids[name] = [str(one) for one in await app.index.ids(MEMORY)]
        (points,) = home.of(pet).values()
        (payload,) = points.values()
        del payload["pet"]
        shared = collection_name("eko_shared-", MEMORY, embedder.fingerprint)
        server.delete(shared, models.PointIdsList(points=list(points)))
        server.upsert(
            former,
            [models.PointStruct(id=ids[name][0], vector=[1.0] * 256, payload=payload)],
        )
    stray = str(UUID(int=7 << 100))
    server.upsert(former, [models.PointStruct(id=stray, vector=[1.0] * 256, payload={})])

    async def refused(*_: object) -> None:
        raise AssertionError("it was embedded again")

    monkeypatch.setattr(OfflineEmbedder, "embed", refused)
    async with home.pet("a") as a:
        await a.services.indexer.mend()
        assert await a.index.ids(MEMORY) == {UUID(ids["a"][0])}
    assert set(home.server.points(former)) == {stray, ids["b"][0]}
    async with home.pet("b") as b:
        await b.services.indexer.mend()
        assert await b.index.ids(MEMORY) == {UUID(ids["b"][0])}
    assert set(home.server.points(former)) == {stray}
