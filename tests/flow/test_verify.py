"""`eko verify` calls sound what is sound."""

from datetime import timedelta
from pathlib import Path
from typing import Any

from bot.surfaces.operations import Operations
from bot.wiring.app import App, open_app
from config.sections.vectors import EmbedderSettings, VectorSettings
from config.settings import Settings
from memory.clock import FrozenClock
from tests.cast import NOON
from tests.storage import statement


async def verified(app: App) -> dict[str, Any]:
    """What a check of everything comes to."""
    events = [event async for event in Operations(app).call("verify", {})]
    result: dict[str, Any] = events[-1]["result"]
    return result


async def test_what_expired_since_the_last_sweep_is_no_fault(tmp_path: Path) -> None:
    """The index still has it for an hour at most, and nothing needs repair."""
    clock = FrozenClock(NOON)
    settings = Settings(
        data_dir=tmp_path,
        embedder=EmbedderSettings(kind="offline"),
        vectors=VectorSettings(kind="edge"),
    )
    async with open_app(settings, clock) as app:
        await app.services.writer.store(
            statement("la réunion est reportée", ttl=timedelta(hours=1))
        )
        await app.services.writer.store(statement("David habite à Paris"))
        await app.services.indexer.settle()
        clock.advance(timedelta(hours=2))
        report = await verified(app)
    assert report["vectors"]["memory"] == {"expected": 1, "missing": 0, "surplus": 0}
    assert report["sound"]
