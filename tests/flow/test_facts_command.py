"""`eko facts`: what people said of themselves, since when, and what it took the place of."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot.surfaces.operations import Operations
from bot.wiring.app import App, open_app
from config.sections.conversation import CoalescingSettings
from config.sections.learning import ExtractionSettings
from config.sections.vectors import EmbedderSettings
from config.settings import Settings
from tests.processes import eko
from tests.storage import statement


def settings(folder: Path) -> Settings:
    """A pet without a key that learns nothing by itself."""
    return Settings(
        data_dir=folder,
        embedder=EmbedderSettings(kind="none"),
        coalescing=CoalescingSettings(debounce_s=0, max_wait_s=0),
        extraction=ExtractionSettings(enabled=False),
    )


async def told(app: App) -> None:
    """David moves, Léa has a job; both have spoken before."""
    for name in ("David", "Léa"):
        await does(app, "ask", text="bonjour", name=name, room="lobby")
    said = (
        ("David habite à Paris", "David", datetime(2026, 1, 3, tzinfo=UTC)),
        ("David habite à Lyon", "David", datetime(2026, 3, 1, tzinfo=UTC)),
        ("Léa est infirmière", "Léa", datetime(2026, 2, 1, tzinfo=UTC)),
    )
    for content, by, at in said:
        await states(app, content, by, at)


async def states(app: App, content: str, by: str, at: datetime) -> None:
    """Keep what a person says of themselves."""
    (person,) = await app.storage.people.named(by)
    await app.services.writer.store(statement(content, said_by=by, author=person, said_at=at))


async def does(app: App, operation: str, **arguments: Any) -> dict[str, Any]:
    """What an operation ends with."""
    events = [event async for event in Operations(app).call(operation, arguments)]
    last: dict[str, Any] = events[-1]
    return last


async def listed(app: App, **arguments: Any) -> list[tuple[str, str, str]]:
    """Who, what, and its value."""
    facts = (await does(app, "facts", **arguments))["result"]["facts"]
    return [(one["person"], one["key"], one["value"]) for one in facts]


async def test_what_is_in_force_is_listed_by_person(tmp_path: Path) -> None:
    """The value that was said last, of everybody or of one."""
    async with open_app(settings(tmp_path)) as app:
        await told(app)
        david, lea = ("David", "city", "Lyon"), ("Léa", "job", "infirmière")
        assert await listed(app) == [david, lea]
        assert await listed(app, person="david") == [david]
        assert await listed(app, person="Nobody") == []


async def test_history_says_what_held_and_until_when(tmp_path: Path) -> None:
    """The latest first; a value that was learnt late takes its place among them."""
    async with open_app(settings(tmp_path)) as app:
        await told(app)
        late = datetime(2026, 2, 1, tzinfo=UTC)
        await states(app, "David habite à Nantes", "David", late)
        assert await listed(app, person="David") == [("David", "city", "Lyon")]
        rows = (await does(app, "facts", person="David", history=True))["result"]["facts"]
        assert [(one["value"], one["since"][:10], one["until"]) for one in rows] == [
            ("Lyon", "2026-03-01", None),
            ("Nantes", "2026-02-01", "2026-03-01T00:00:00+00:00"),
            ("Paris", "2026-01-03", "2026-02-01T00:00:00+00:00"),
        ]


async def test_the_command_prints_a_table_or_json(tmp_path: Path) -> None:
    """And a sentence when there is nothing."""
    async with open_app(settings(tmp_path)) as app:
        await told(app)
    assert "Lyon" in run(tmp_path, "facts", "--person", "David")
    assert "Paris" in run(tmp_path, "facts", "--history")
    assert [one["value"] for one in json.loads(run(tmp_path, "facts", "--json"))["facts"]] == [
        "Lyon",
        "infirmière",
    ]
    assert run(tmp_path, "facts", "--person", "Zoé").strip() == "Nothing of Zoé."


def run(folder: Path, *command: str) -> str:
    """What a command prints on a data folder."""
    done = eko(folder, *command, COLUMNS="120")
    assert done.returncode == 0, done.stderr
    return done.stdout
