"""Lines that a history brought are found by what they mean, from when facts were looked for."""

from collections.abc import AsyncIterator
from pathlib import Path
from sqlite3 import connect

import pytest

from bot.wiring.app import App
from config.sections.recall import RecallSettings
from config.sections.vectors import EmbedderSettings
from memory.model.audience import OPERATOR
from memory.model.stores import Collection
from tests.flow.brought import brings, does, history, line, pet

FILE = [
    line("Zoé", "alice c'est les cacahuètes, même des traces", 1),
    line("Bastien", "le vélo est rangé dans la cave", 2),
    line("Zoé", "on se voit samedi ?", 3),
]


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    """A pet that embeds."""
    patient = RecallSettings(deadline_ms=10_000, embed_timeout_ms=10_000)
    async with pet(tmp_path, embedder=EmbedderSettings(), recall=patient) as born:
        yield born


async def by_meaning(app: App, question: str) -> list[str]:
    """The lines of the lobby that a question finds by meaning, the nearest first."""
    await app.services.indexer.settle()
    found = await app.services.meanings.find(question, [Collection.LIVE], OPERATOR, 10)
    return [one.content for one in found]


async def test_a_line_is_found_in_other_words(app: App, tmp_path: Path) -> None:
    """And no more once it is undone; the index is sound before and after."""
    done = await brings(app, history(tmp_path, FILE), room="lobby")
    first, *_ = await by_meaning(app, "qui est allergique aux arachides ?")
    assert "cacahuètes" in first
    assert (await does(app, "verify"))["sound"]
    assert (await app.storage.digests.live()).waiting == 0
    await does(app, "history_undo", id=done["id"], confirmed=True)
    assert await by_meaning(app, "qui est allergique aux arachides ?") == []
    assert (await does(app, "verify"))["sound"]


async def test_an_index_that_is_made_anew_has_them(app: App, tmp_path: Path) -> None:
    """As it has what was heard."""
    await brings(app, history(tmp_path, FILE), room="lobby")
    await does(app, "reindex")
    assert len(await by_meaning(app, "où est la bicyclette ?")) == len(FILE)
    assert (await does(app, "verify"))["sound"]


async def test_what_an_earlier_version_brought_is_found_too(tmp_path: Path) -> None:
    """By the migration: its folder has the lines, and no entry of the index for them."""
    async with pet(tmp_path) as app:
        await brings(app, history(tmp_path, FILE), room="lobby")
    with connect(tmp_path / "pet" / "eko.sqlite3") as database:
        database.execute("DELETE FROM index_outbox")
        database.execute("DROP INDEX messages_brought_along")
        database.execute("DELETE FROM schema_migrations WHERE number = 15")
    async with pet(tmp_path, embedder=EmbedderSettings()) as app:
        assert len(await by_meaning(app, "où est la bicyclette ?")) == len(FILE)
