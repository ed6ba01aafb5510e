"""What was forgotten and purged is in no file any more, and no file brings it back."""

import asyncio
from pathlib import Path
from typing import Any

from bot.model.events import Inbound
from bot.surfaces.operations import Operations
from bot.wiring.app import App, open_app
from config.sections.conversation import CoalescingSettings
from config.sections.vectors import EmbedderSettings, VectorSettings
from config.settings import Settings
from memory.clock import FrozenClock
from memory.language.text import search_text
from tests.cast import DAVID, LEA, LOBBY, NOON
from tests.storage import statement

CANARY = "zyxaquilopteration"
"""A word that stands nowhere else, and whose stem does not either."""

NEEDLES = (CANARY.encode(), search_text(CANARY).encode())


async def does(app: App, operation: str, **arguments: Any) -> dict[str, Any]:
    """What an operation comes to."""
    events = [event async for event in Operations(app).call(operation, arguments)]
    assert "result" in events[-1], events[-1]
    result: dict[str, Any] = events[-1]["result"]
    return result


def holding(folder: Path) -> list[str]:
    """The files below a folder that hold the word or its stem."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return [path.name for path in files if any(needle in path.read_bytes() for needle in NEEDLES)]


async def test_a_purged_word_is_in_no_file_and_no_import_brings_it_back(tmp_path: Path) -> None:
    """Database, full text, log and vectors, while the pet runs; an older export adds nothing."""
    settings = Settings(
        data_dir=tmp_path / "pet",
        embedder=EmbedderSettings(kind="offline"),
        vectors=VectorSettings(kind="edge"),
        coalescing=CoalescingSettings(debounce_s=0, max_wait_s=0),
    )
    async with open_app(settings, FrozenClock(NOON)) as app:
        said = [(DAVID, f"j'ai un {CANARY} chez moi"), (LEA, "il pleut sur le jardin")]
        inbounds = [
            Inbound(external_id=f"m{n}", room=LOBBY, author=who, text=text, sent_at=NOON)
            for n, (who, text) in enumerate(said)
        ]
        await app.inbox.receive_all(inbounds, recorded=True)
        await app.services.writer.store(statement(f"David a un {CANARY}", subjects=("David",)))
        await does(app, "ask", text=f"mon {CANARY} dort", name="David")
        await app.services.indexer.settle()
        await does(app, "export", path=str(tmp_path / "before.jsonl"))
        assert await asyncio.to_thread(holding, tmp_path / "pet")
        done = await does(app, "forget", topic=CANARY, confirmed=True)
        await does(app, "forget_purge", id=done["receipt"]["id"])
        assert await asyncio.to_thread(holding, tmp_path / "pet") == []
        again = await does(app, "import", path=str(tmp_path / "before.jsonl"))
        assert again["new"].get("memory", 0) == 0
        await app.services.indexer.settle()
        assert await asyncio.to_thread(holding, tmp_path / "pet") == []
        await does(app, "export", path=str(tmp_path / "after.jsonl"))
        after = await asyncio.to_thread((tmp_path / "after.jsonl").read_text, "utf-8")
        assert "jardin" in after
        assert CANARY not in after
    assert await asyncio.to_thread(holding, tmp_path / "pet") == []
