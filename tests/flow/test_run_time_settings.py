"""Settings that change while the pet runs: they hold at once, last, and are audited."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.surfaces.operations import Operations
from bot.topics.settings.command import settings_commands
from bot.wiring.app import App, open_app
from config.sections.conversation import CoalescingSettings
from config.sections.recall import RecallSettings
from config.sections.ttl import TtlSettings
from config.sections.vectors import EmbedderSettings
from config.settings import Settings
from memory.model.people import Signature
from tests.flow.calling import answered
from tests.flow.pet import awake, calls, responds
from tests.storage import statement


def settings_of(folder: Path, **given: Any) -> Settings:
    """A pet without a key and without an embedder, which answers at once."""
    return Settings(
        data_dir=folder,
        embedder=EmbedderSettings(kind="none"),
        coalescing=CoalescingSettings(debounce_s=0, max_wait_s=0),
        recall=RecallSettings(deadline_ms=10_000, embed_timeout_ms=10_000),
        **given,
    )


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    """A pet that knows one thing."""
    async with open_app(settings_of(tmp_path)) as opened:
        await opened.services.writer.store(statement("David joue du violoncelle"))
        yield opened


async def does(app: App, operation: str, **arguments: Any) -> dict[str, Any]:
    """What an operation ends with."""
    events = [event async for event in Operations(app).call(operation, arguments)]
    last: dict[str, Any] = events[-1]
    return last


async def asked(app: App) -> dict[str, Any]:
    """What was injected for a question about it, and why."""
    told = await does(app, "ask", text="qui joue du violoncelle ?", name="Zoé", room="lobby")
    recall: dict[str, Any] = told["result"]["recall"]
    return recall


async def test_recall_heeds_a_change_at_the_next_question(app: App) -> None:
    """Off, too strict, and back to what the settings file says; no restart between."""
    assert len((await asked(app))["lines"]) == 1
    await does(app, "set", key="auto_retrieve_enabled", value="off")
    assert (await asked(app))["reason"] == "switched off"
    await does(app, "set", key="auto_retrieve_enabled", value="on")
    await does(app, "set", key="auto_retrieve_min_score", value="1")
    assert (await asked(app))["lines"] == []
    await does(app, "reset", key="auto_retrieve_min_score")
    found = await asked(app)
    assert found["reason"] == "looked up"
    assert len(found["lines"]) + len(found["standing"]) == 1


async def test_a_change_lasts_and_is_audited_with_who_and_what(tmp_path: Path) -> None:
    """It is there after a restart, with its old and new value in the log."""
    async with open_app(settings_of(tmp_path)) as app:
        await does(app, "set", key="auto_retrieve_max_results", value="8")
        await does(app, "set", key="auto_retrieve_max_results", value="8")
        await does(app, "set", key="auto_retrieve_max_results", value="99")
    async with open_app(settings_of(tmp_path)) as app:
        assert app.live_settings.current().auto_retrieve_max_results == 8
        await does(app, "reset", key="auto_retrieve_max_results")
        await does(app, "reset", key="auto_retrieve_max_results")
        told = (await does(app, "audit"))["result"]["entries"]
    assert [(one["actor"], one["action"], one["detail"]) for one in told] == [
        ("operator", "setting.reset", "8 -> 20"),
        ("operator", "setting.changed", "20 -> 8"),
    ]


async def test_a_wrong_change_is_refused_in_a_sentence(app: App) -> None:
    """And nothing is changed by it."""
    wrong = await does(app, "set", key="auto_retrieve_max_results", value="99")
    assert wrong["error"].startswith("auto_retrieve_max_results must be a whole number")
    unknown = await does(app, "set", key="auto_retreive_enabled", value="on")
    assert "did you mean auto_retrieve_enabled?" in unknown["error"]
    assert (await does(app, "audit"))["result"]["entries"] == []


async def test_what_another_version_kept_is_left_alone(tmp_path: Path) -> None:
    """A setting that is none any more, or a value that cannot be read, stops nobody."""
    async with open_app(settings_of(tmp_path)) as app:
        kept = app.storage.settings
        await kept.keep("auto_retrieve_moods", "9", was="", by=Signature("operator"))
        await kept.keep("auto_retrieve_min_score", "much", was="", by=Signature("operator"))
        await kept.keep("auto_retrieve_max_results", "9", was="", by=Signature("operator"))
    async with open_app(settings_of(tmp_path)) as app:
        tuning = app.live_settings.current()
        assert (tuning.auto_retrieve_min_score, tuning.auto_retrieve_max_results) == (0.5, 9)


async def test_the_settings_file_says_how_long_a_kind_lasts(tmp_path: Path) -> None:
    """Unless the source says otherwise; none is for ever."""
    given = settings_of(tmp_path, ttl=TtlSettings(event="7d"))
    async with open_app(given) as app:
        event = {"memory_type": "event"}
        await does(app, "remember", text="Le marché a lieu samedi", **event)
        await does(app, "remember", text="Léa arrive bientôt", ttl="1h", **event)
        await does(app, "remember", text="David a couru un marathon", ttl="none", **event)
        await does(app, "remember", text="La piscine est grande")
        rows = (await does(app, "memories"))["result"]["memories"]
    lasting = {one["content"]: one["expires_at"] is not None for one in rows}
    assert lasting == {
        "Le marché a lieu samedi": True,
        "Léa arrive bientôt": True,
        "David a couru un marathon": False,
        "La piscine est grande": False,
    }


async def test_a_model_that_says_nothing_of_time_takes_the_default(tmp_path: Path) -> None:
    """One that says null means for ever."""
    async with awake(tmp_path) as pet:
        await pet.live_settings.set("ttl_default_event", "2d", Signature("operator"))
        event = {"memory_type": "event"}
        pet.model.will(
            calls(
                ("store_memory", {"content": "David court demain matin", **event}),
                ("store_memory", {"content": "Léa a fini sa thèse", "ttl": None, **event}),
            ),
            responds("Noté."),
        )
        await pet.asked("Eko, je cours demain matin et Léa a fini sa thèse")
        rows = await pet.storage.database.all("SELECT * FROM memories ORDER BY seq")
    lasting = [row["expires_at"] and row["expires_at"] - row["created_at"] for row in rows]
    assert lasting == [timedelta(days=2) / timedelta(milliseconds=1), None]


@pytest.mark.parametrize("locale", ["fr", "en"])
async def test_the_chat_command_shows_changes_and_resets(tmp_path: Path, locale: str) -> None:
    """In both languages, with who changed it; other words are explained."""
    async with awake(tmp_path) as pet:
        table = {one.name: one for one in settings_commands(pet.live_settings, pet.storage.clock)}

        async def told(text: str) -> str:
            return (await answered(table, text, locale=locale)).text

        assert "auto_retrieve_enabled = true" in await told("/settings get")
        done = await told("/settings set obsidian_context_notes A b.md, c.md")
        assert done.startswith('obsidian_context_notes = ["A b.md", "c.md"] (')
        assert "chat:david" in done
        assert await told("/settings get obsidian_context_tag") == "obsidian_context_tag = "
        assert await told("/settings reset obsidian_context_notes") == "obsidian_context_notes = []"
        assert "0 to 1" in await told("/settings set auto_retrieve_min_score 7")
        assert "did you mean" in await told("/settings get auto_retrieve")
        usage = {"en": "/settings set NAME VALUE", "fr": "/settings set NOM VALEUR"}[locale]
        assert usage in await told("/settings set lonely")
        assert await pet.storage.count("audit_log", "actor = 'chat:david'") == 2
