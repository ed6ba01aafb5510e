"""Files that were damaged behind the pet's back: it starts, says so, and mends what it can."""

import random
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.daemon.clockwork import warm_up
from bot.surfaces.operations import Operations
from bot.wiring.app import App, open_app
from config.sections.recall import RecallSettings
from config.sections.vectors import EmbedderSettings, VectorSettings
from config.settings import Settings
from memory.clock import FrozenClock
from memory.model.audience import OPERATOR
from memory.model.errors import DatabaseRefused
from memory.model.stores import Collection, Store
from tests.cast import NOON
from tests.storage import statement

SENTENCES = tuple(f"La chambre {number} donne sur le jardin {number}" for number in range(40))

RANDOM_BYTES = 4096

PATIENT_MS = 30_000
"""For a search: a busy machine must not change what is found."""


@asynccontextmanager
async def pet(folder: Path) -> AsyncIterator[App]:
    """A pet with its vectors in the data folder."""
    settings = Settings(
        data_dir=folder,
        embedder=EmbedderSettings(kind="offline"),
        vectors=VectorSettings(kind="edge"),
        recall=RecallSettings(embed_timeout_ms=PATIENT_MS),
    )
    async with open_app(settings, FrozenClock(NOON)) as app:
        yield app


async def filled(folder: Path) -> None:
    """Remember forty sentences, with their vectors."""
    async with pet(folder) as app:
        for sentence in SENTENCES:
            await app.services.writer.store(statement(sentence))
        await app.services.indexer.settle()


def damage(folder: Path, seed: int) -> None:
    """Fill a quarter of the vector store's files with random bytes and empty another quarter."""
    drawn = random.Random(seed)
    for path in sorted(path for path in (folder / "vectors").rglob("*") if path.is_file()):
        share = drawn.random()
        if share < 1 / 4:
            path.write_bytes(drawn.randbytes(RANDOM_BYTES))
        elif share < 1 / 2:
            path.write_bytes(b"")


async def verified(app: App, *, repair: bool) -> dict[str, Any]:
    """What a check of everything comes to."""
    events = [event async for event in Operations(app).call("verify", {"repair": repair})]
    result: dict[str, Any] = events[-1]["result"]
    return result


@pytest.mark.parametrize("seed", range(4))
async def test_a_damaged_vector_folder_is_named_and_mended(tmp_path: Path, seed: int) -> None:
    """Verify and doctor say what cannot be read; --repair fills it anew, and all is found."""
    await filled(tmp_path)
    damage(tmp_path, seed)
    async with pet(tmp_path) as app:
        (finding,) = [one for one in await app.doctor.diagnose() if one.part == "vector store"]
        assert finding.said == "vectors_damaged"
        found = await verified(app, repair=False)
        assert not found["sound"]
        assert any("cannot read its files of memory" in one for one in found["problems"])
        mended = await verified(app, repair=True)
        assert mended["problems"] == []
        assert mended["sound"]
        assert len(await app.index.ids(Collection.MEMORY)) == len(SENTENCES)
    async with pet(tmp_path) as app:
        assert (await verified(app, repair=False))["sound"]


DAMAGES = ("random bytes", "missing", "cut off", "empty folders")


def spoil(folder: Path, how: str) -> None:
    """Damage half of the vector store's files, or empty its folders."""
    drawn, vectors = random.Random(how), folder / "vectors"
    for path in sorted(path for path in vectors.rglob("*") if path.is_file()):
        size = path.stat().st_size
        if how != "empty folders" and drawn.random() < 1 / 2:
            continue
        if how in {"missing", "empty folders"}:
            path.unlink()
        else:
            path.write_bytes(drawn.randbytes(size) if how == "random bytes" else b"")
    if how == "empty folders":
        for each in vectors.glob("*/*/*"):
            shutil.rmtree(each)


@pytest.mark.parametrize("how", DAMAGES)
async def test_reindex_mends_a_damaged_vector_folder(tmp_path: Path, how: str) -> None:
    """It fills anew what cannot be read, as repairing does, without embedding anything."""
    await filled(tmp_path)
    spoil(tmp_path, how)
    async with pet(tmp_path) as app:
        events = [event async for event in Operations(app).call("reindex", {})]
        assert events[-1] == {"result": {"indexed": len(SENTENCES)}}
        assert (await verified(app, repair=False))["sound"]
        assert await app.index.count(Collection.MEMORY) == len(SENTENCES)


async def test_nobody_is_sent_to_a_server_that_is_not_used(tmp_path: Path) -> None:
    """Where the vectors are in the folder, the way out is there too."""
    async with pet(tmp_path) as app:
        await app.index.close()
        (finding,) = [one for one in await app.doctor.diagnose() if one.part == "vector store"]
        assert (finding.said, finding.todo) == ("vectors_failed", "repair_vectors")


async def test_the_daemon_answers_meanwhile_and_mends_by_itself(tmp_path: Path) -> None:
    """What a start warms up fills the store anew; before it, words find what vectors do not."""
    await filled(tmp_path)
    damage(tmp_path, seed=1)
    async with pet(tmp_path) as app:
        found = await app.services.recall.search("chambre 7", [Store.MEMORY], OPERATOR, 5)
        assert any("chambre 7" in one.content for one in found)
        await warm_up(app)
        assert (await verified(app, repair=False))["sound"]


async def test_vectors_of_random_bytes_are_seen_by_a_check(tmp_path: Path) -> None:
    """The engine reads them without complaint, so each is looked at: it must be of unit length."""
    await filled(tmp_path)
    drawn = random.Random(7)
    for path in (tmp_path / "vectors").rglob("vectors/chunk_0.mmap"):
        path.write_bytes(drawn.randbytes(path.stat().st_size // 64))
    async with pet(tmp_path) as app:
        assert not (await verified(app, repair=False))["sound"]
        assert (await verified(app, repair=True))["sound"]


async def test_a_collection_that_became_a_file_is_made_anew(tmp_path: Path) -> None:
    """Whatever stands in the place of a folder is in the way."""
    await filled(tmp_path)
    for path in (tmp_path / "vectors").iterdir():
        path.rename(path.with_name("aside"))
        path.write_text("not a folder", "utf-8")
        break
    async with pet(tmp_path) as app:
        assert (await verified(app, repair=True))["sound"]


@pytest.mark.parametrize("left", [None, b"", b"S"])
async def test_a_lost_database_begins_no_new_pet(tmp_path: Path, left: bytes | None) -> None:
    """Beside vectors of a pet an empty or missing database is refused, and nothing is written."""
    await filled(tmp_path)
    database = tmp_path / "eko.sqlite3"
    database.unlink()
    if left is not None:
        database.write_bytes(left)
    with pytest.raises(DatabaseRefused, match=r"is no new folder \(vectors\).*eko restore FILE"):
        async with pet(tmp_path):
            pass
    assert (database.read_bytes() if database.exists() else None) == left


@pytest.mark.parametrize("share", [0.01, 0.5, 0.999])
async def test_a_database_that_was_cut_off_is_refused(tmp_path: Path, share: float) -> None:
    """It is never taken for a new one, and the sentence says the way out."""
    await filled(tmp_path)
    database = tmp_path / "eko.sqlite3"
    whole = database.read_bytes()
    database.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(DatabaseRefused, match="eko restore FILE"):
        async with pet(tmp_path):
            pass


async def test_an_empty_folder_begins_a_new_pet(tmp_path: Path) -> None:
    """Also one whose first start was killed before there was anything in its database."""
    (tmp_path / "eko.lock").touch()
    (tmp_path / "eko.sqlite3").touch()
    async with pet(tmp_path) as app:
        assert (await verified(app, repair=False))["sound"]
