"""`eko memories --as-of` and `--history`, `eko self`, `eko goals`: what held when, for a person."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.surfaces.operations import Operations
from bot.wiring.app import App, open_app
from config.sections.vectors import EmbedderSettings
from config.settings import Settings
from memory.clock import FrozenClock
from memory.model.authority import BY_OPERATOR
from memory.model.stores import Store
from tests.cast import NOON
from tests.storage import statement

PARIS, LYON = "David habite à Paris", "David habite à Lyon"


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    """A pet, on the 17th of April, whose David moved in March and that learnt to see since."""
    clock = FrozenClock(NOON)
    settings = Settings(data_dir=tmp_path, embedder=EmbedderSettings(kind="none"))
    async with open_app(settings, clock) as opened:
        remember = opened.services.writer
        await remember.store(statement(PARIS), BY_OPERATOR)
        await remember.store(own("I cannot see images", "limitation"), BY_OPERATOR)
        clock.advance(timedelta(days=45))
        await remember.store(statement(LYON), BY_OPERATOR)
        await remember.store(own("I can see images", "capability"), BY_OPERATOR)
        clock.advance(timedelta(days=45))
        yield opened


def own(content: str, category: str) -> Any:
    """Something the pet noticed of itself."""
    return statement(content, store=Store.SELF, category=category)


async def does(app: App, operation: str, **arguments: Any) -> dict[str, Any]:
    """What an operation ends with."""
    events = [event async for event in Operations(app).call(operation, arguments)]
    last: dict[str, Any] = events[-1]
    return last


async def listed(app: App, **arguments: Any) -> list[str]:
    """The statements of a list."""
    told = await does(app, "memories", store="memory", **arguments)
    return [row["content"] for row in told["result"]["memories"]]


@pytest.mark.parametrize(
    ("moment", "held"),
    [
        *(("2026-01-16", []), ("2026-01-17", [PARIS]), ("2026-01-17T10:00", [])),
        *(("2026-02-20", [PARIS]), ("february 2026", [PARIS]), ("il y a deux mois", [PARIS])),
        *(("2026-03-02", [PARIS]), ("2026-03-03", [LYON]), ("hier", [LYON])),
        ("2030-01-01", [LYON]),
    ],
)
async def test_what_held_at_a_moment_is_listed(app: App, moment: str, held: list[str]) -> None:
    """A day means its end, words mean the end of what they name, and nothing is to come."""
    assert await listed(app, as_of=moment) == held


@pytest.mark.parametrize("moment", ["soon", "2026-13-01", "avant 2020", "hier et demain"])
async def test_a_moment_that_cannot_be_read_is_refused_in_a_sentence(app: App, moment: str) -> None:
    """With how to write one."""
    error = (await does(app, "memories", as_of=moment))["error"]
    assert error.startswith(f'"{moment}" is no time')


async def test_the_history_of_one_statement_is_told_from_either_end(app: App) -> None:
    """Each with its time, and what took its place."""
    (row,) = (await does(app, "memories", store="memory"))["result"]["memories"]
    assert (row["content"], row["validity"]) == (LYON, "since 2026-03-03")
    told = (await does(app, "memories", history=row["id"][:8]))["result"]["memories"]
    assert [(one["content"], one["validity"], one["relation"]) for one in told] == [
        (PARIS, "from 2026-01-17 to 2026-03-03", "updates"),
        (LYON, "since 2026-03-03", None),
    ]
    assert told[0]["superseded_by"] == row["id"]
    again = (await does(app, "memories", history=told[0]["id"]))["result"]["memories"]
    assert again == told


async def test_an_id_that_is_nobodys_is_refused(app: App) -> None:
    """In a sentence."""
    told = await does(app, "memories", history="ffffffff")
    assert told == {"error": 'No statement has an id that begins with "ffffffff".'}


async def test_who_the_pet_is_is_told_with_what_changed(app: App) -> None:
    """Counts by month, the latest of each category, and what took whose place."""
    told = (await does(app, "self_and_goals", store="self"))["result"]
    counts = {one["category"]: (one["said"], one["holds"]) for one in told["categories"]}
    assert counts == {"limitation": (1, 0), "capability": (1, 1)}
    by_name = {one["category"]: one for one in told["categories"]}
    assert by_name["capability"]["months"] == {"2026-03": {"said": 1, "holds": 1}}
    assert by_name["capability"]["latest"]["content"] == "I can see images"
    assert by_name["limitation"]["latest"] is None
    (old,) = told["replaced"]
    assert (old["content"], old["replaced_by"]) == ("I cannot see images", "I can see images")
    assert (await does(app, "self_and_goals", store="goals"))["result"] == {
        "categories": [],
        "replaced": [],
    }
