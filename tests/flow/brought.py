"""A pet that histories of other programs are brought to, and such histories."""

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bot.surfaces.operations import Operations
from bot.wiring.app import App, open_app
from config.sections.conversation import CoalescingSettings
from config.sections.vectors import EmbedderSettings
from config.settings import Settings
from memory.clock import FrozenClock
from memory.model.audience import OPERATOR
from tests.cast import NOON

LONG_AGO = datetime(2021, 3, 4, 18, 0, tzinfo=UTC)


@asynccontextmanager
async def pet(folder: Path, clock: FrozenClock | None = None, **chosen: Any) -> AsyncIterator[App]:
    """A pet without a key in a folder."""
    usual = {"embedder": EmbedderSettings(kind="none"), "locale": "fr"}
    settings = Settings(
        data_dir=folder / "pet",
        coalescing=CoalescingSettings(debounce_s=0, max_wait_s=0),
        **(usual | chosen),
    )
    async with open_app(settings, clock or FrozenClock(NOON)) as app:
        yield app


def line(author: str, text: str, minute: int = 0, **more: Any) -> dict[str, Any]:
    """One line of a history."""
    at = LONG_AGO + timedelta(minutes=minute)
    return {"author": author, "text": text, "at": at.isoformat(), **more}


TALK = [
    line("Zoé", "j'habite à Nantes", 1),
    line("Bastien", "moi je suis allergique aux kiwis", 2),
    line("Zoé", "on se voit samedi ?", 3),
    line("", "Bastien a changé le sujet", 4, kind="system"),
    line("GroupBot", "Bienvenue !", 5, kind="bot"),
    line("Bastien", "mon code est framboise", 6),
]


def history(folder: Path, lines: Sequence[dict[str, Any]], name: str = "Famille.jsonl") -> Path:
    """A file with these lines."""
    path = folder / name
    text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines)
    path.write_text(text, "utf-8")
    return path


async def ends(app: App, operation: str, **arguments: Any) -> dict[str, Any]:
    """What an operation ends with."""
    events = [event async for event in Operations(app).call(operation, arguments)]
    last: dict[str, Any] = events[-1]
    return last


async def does(app: App, operation: str, **arguments: Any) -> dict[str, Any]:
    """The result of an operation."""
    last = await ends(app, operation, **arguments)
    assert "result" in last, last
    result: dict[str, Any] = last["result"]
    return result


async def brings(app: App, path: Path, **arguments: Any) -> dict[str, Any]:
    """The result of an import, once all was learnt from it."""
    done = await does(app, "history_import", path=str(path), **arguments)
    await app.services.history_learning.settle()
    return done


async def contents(app: App) -> list[str]:
    """Every statement that is recalled."""
    return sorted(one.content for one in await app.storage.memories.latest(None, OPERATOR, 500))


async def said(app: App) -> list[str]:
    """Every message of a person, in order."""
    rows = await app.storage.database.all(
        "SELECT text FROM messages WHERE text <> '' ORDER BY sent_at, id"
    )
    return [row["text"] for row in rows]
