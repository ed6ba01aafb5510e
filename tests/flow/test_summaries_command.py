"""`eko summaries`: every stretch that left a window, with what became of it."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

from bot.surfaces.operations import Operations
from bot.wiring.app import App, open_app
from config.sections.conversation import CoalescingSettings
from config.sections.vectors import EmbedderSettings
from config.settings import Settings
from memory.clock import FrozenClock
from tests.cast import NOON
from tests.processes import eko


async def does(app: App, operation: str, **arguments: Any) -> dict[str, Any]:
    """What an operation ends with."""
    events = [event async for event in Operations(app).call(operation, arguments)]
    result: dict[str, Any] = events[-1]["result"]
    return result


async def talked(folder: Path) -> None:
    """A pet without a key that had two conversations, which have ended."""
    settings = Settings(
        data_dir=folder,
        embedder=EmbedderSettings(kind="none"),
        coalescing=CoalescingSettings(debounce_s=0, max_wait_s=0),
    )
    clock = FrozenClock(NOON)
    async with open_app(settings, clock) as app:
        for name in ("David", "Zoé"):
            for text in (
                "je taille les rosiers du jardin",
                "et je plante des tulipes rouges",
                "la haie attendra le printemps",
                "le potager est sous la paille",
            ):
                await does(app, "ask", text=text, name=name)
        clock.advance(timedelta(hours=1))
        await app.contexts.end_idle()
        app.services.after_reply.look_around()
        await app.services.after_reply.quiet()


def listed(folder: Path, *arguments: str) -> str:
    """What the command prints."""
    done = eko(folder, "summaries", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


async def test_summaries_are_listed_of_everybody_of_one_person_and_of_one_session(
    tmp_path: Path,
) -> None:
    """The rules wrote them, the pet has no model; the names' case does not matter."""
    await talked(tmp_path)
    rows = json.loads(listed(tmp_path, "--json"))["summaries"]
    assert {row["person"] for row in rows} == {"David", "Zoé"}
    (mine,) = json.loads(listed(tmp_path, "--person", "david", "--json"))["summaries"]
    assert (mine["state"], mine["level"], mine["where"]) == ("summarised", 0, "console, private")
    assert mine["content"].startswith("David (console, 17 janv. 2026) : je taille les rosiers")
    one = json.loads(listed(tmp_path, "--session", mine["session"], "--json"))["summaries"]
    assert one == [mine]
    table = " ".join(listed(tmp_path, "--person", "David").split())
    assert "tulipes" in table
    assert "Zoé" not in table


def test_where_nothing_was_summarised_it_says_so(tmp_path: Path) -> None:
    """In one sentence."""
    assert listed(tmp_path) == "Nothing was summarised yet.\n"
