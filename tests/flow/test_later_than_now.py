"""Words that are dated later than now count as said now, whichever way they come in."""

import json
from datetime import timedelta
from pathlib import Path

from bot.model.events import Inbound
from bot.surfaces.operations import Operations
from bot.wiring.app import App, open_app
from config.sections.conversation import CoalescingSettings
from config.sections.obsidian import ObsidianSettings
from config.sections.vectors import EmbedderSettings
from config.settings import Settings
from memory.clock import FrozenClock
from memory.storage.sqlite.rows import millis
from tests.cast import DAVID, LOBBY, NOON

LATER = NOON + timedelta(days=3650)


async def latest(app: App, column: str, table: str) -> int:
    """The latest moment of a column."""
    row = await app.storage.messages._database.one(f"SELECT max({column}) AS at FROM {table}")  # noqa: S608 - tests name tables
    assert row is not None
    return int(row["at"])


def settings_of(folder: Path) -> Settings:
    """A pet without an embedder that knows the notes beside its data."""
    vault = folder / "vault"
    vault.mkdir(exist_ok=True, parents=True)
    dated = f"---\ntags: [eko]\ndate: {LATER:%Y-%m-%d}\n---\n# Crêpes\n\nDeux œufs.\n"
    (vault / "note.md").write_text(dated, "utf-8")
    return Settings(
        data_dir=folder / "data",
        embedder=EmbedderSettings(kind="none"),
        coalescing=CoalescingSettings(debounce_s=0, max_wait_s=0),
        obsidian=ObsidianSettings(kind="folder", folder=str(vault), audience="space"),
    )


async def test_a_message_of_a_channel_is_of_now_at_the_latest(tmp_path: Path) -> None:
    """A platform's clock may be wrong, and a member's page says what it likes."""
    async with open_app(settings_of(tmp_path), FrozenClock(NOON)) as app:
        said = Inbound(external_id="m", room=LOBBY, author=DAVID, text="demain", sent_at=LATER)
        await app.inbox.receive(said)
        assert await latest(app, "sent_at", "messages") == millis(NOON)


async def test_a_recording_is_of_now_at_the_latest(tmp_path: Path) -> None:
    """Each of its lines."""
    path = tmp_path / "room.jsonl"
    path.write_text(json.dumps({"author": "a", "text": "oui", "at": LATER.isoformat()}), "utf-8")
    async with open_app(settings_of(tmp_path), FrozenClock(NOON)) as app:
        assert (await Operations(app).result("replay", {"path": str(path)}))["stored"] == 1
        assert await latest(app, "sent_at", "messages") == millis(NOON)


async def test_a_note_is_of_now_at_the_latest(tmp_path: Path) -> None:
    """Whatever its front matter says."""
    async with open_app(settings_of(tmp_path), FrozenClock(NOON)) as app:
        await Operations(app).result("notes_sync")
        assert await latest(app, "at", "knowledge") == millis(NOON)


async def test_an_import_is_of_now_at_the_latest(tmp_path: Path) -> None:
    """All that says when something was; until when it holds stays."""
    path = tmp_path / "all.jsonl"
    settings = settings_of(tmp_path / "there")
    async with open_app(settings, FrozenClock(LATER)) as app:
        operations = Operations(app)
        await operations.result("remember", {"text": "Le marché a lieu le lundi.", "ttl": "30d"})
        await operations.result("ask", {"text": "j'habite à Lyon", "name": "David"})
        await operations.result("export", {"path": str(path)})
    async with open_app(settings_of(tmp_path / "here"), FrozenClock(NOON)) as app:
        assert not (await Operations(app).result("import", {"path": str(path)}))["refused"]
        for table, column in (
            ("messages", "sent_at"),
            ("turns", "at"),
            ("memories", "created_at"),
            ("memories", "valid_from"),
            ("core_facts", "valid_from"),
            ("people", "created_at"),
            ("rooms", "created_at"),
        ):
            assert await latest(app, column, table) <= millis(NOON), (table, column)
        assert await latest(app, "expires_at", "memories") > millis(LATER)
