"""What the daemon has ready before the first question."""

import threading
from pathlib import Path

import pytest

from bot.daemon.daemon import _warm_up
from bot.wiring.app import open_app
from config.sections.vectors import EmbedderSettings, VectorSettings
from config.settings import Settings
from memory.clock import FrozenClock
from memory.language import synonyms
from memory.language.synonyms import Group
from tests.cast import NOON


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
        await _warm_up(app)
    assert readers
    assert threading.main_thread() not in readers
