"""Statements that another memory kept come along: each once, with any people known meanwhile."""

import json
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.model.events import AuthorRef
from bot.wiring.app import App
from memory.clock import FrozenClock
from tests.cast import NOON
from tests.flow.brought import brings, contents, does, history, line, pet
from tests.history_samples import SAMPLES

BLOCK = ["Has two cats.", "Has nine hives.", "Has a boat.", "Has a red bicycle."]


@pytest.fixture
def clock() -> FrozenClock:
    """The clock of the pet."""
    return FrozenClock(NOON)


@pytest.fixture
async def app(tmp_path: Path, clock: FrozenClock) -> AsyncIterator[App]:
    """A pet in a folder of its own."""
    async with pet(tmp_path, clock) as born:
        yield born


def block(folder: Path) -> Path:
    """An agent file with a block of several lines."""
    path = folder / "agent.af"
    kept = [{"id": "b1", "label": "human", "value": "\n".join(BLOCK)}]
    path.write_text(json.dumps({"agents": [{"name": "pal", "messages": []}], "blocks": kept}))
    return path


def stated(folder: Path, *texts: str) -> Path:
    """A file of what another memory kept of Nadia."""
    return history(folder, [line("Nadia", text, 1, kind="memory") for text in texts])


async def meets(app: App, name: str, id_: str = "1") -> str:
    """Meet a person of this name; their id."""
    ref = AuthorRef(platform="discord", external_id=id_, name=name)
    return (await app.register.person(ref)).id


async def test_each_line_of_a_block_is_a_statement_of_its_own(app: App) -> None:
    """None of an agent file is lost, and the file again adds nothing."""
    done = await brings(app, SAMPLES / "letta.af")
    assert (done["counts"]["stored"], done["counts"]["known"]) == (4, 0)
    assert "human: Has two cats." in await contents(app)
    again = await brings(app, SAMPLES / "letta.af")
    assert (again["id"], again["counts"]["stored"], again["counts"]["known"]) == (None, 0, 4)


async def test_a_block_of_many_lines_comes_in_one_run(app: App, tmp_path: Path) -> None:
    """Every line, whatever their number."""
    done = await brings(app, block(tmp_path))
    assert (done["counts"]["stored"], done["counts"]["known"]) == (4, 0)
    assert await contents(app) == sorted(f"human: {text}" for text in BLOCK)


@pytest.mark.parametrize("late", [1, 2])
async def test_a_person_met_meanwhile_does_not_make_a_statement_new(
    app: App, tmp_path: Path, late: int
) -> None:
    """Neither one of the name that it is told of, nor a second one of that name."""
    path = stated(tmp_path, "Moved to Ghent", "Has two cats")
    if late == 2:
        await meets(app, "Nadia")
    await brings(app, path)
    before = await contents(app)
    await meets(app, "Nadia", str(late))
    again = await brings(app, path)
    assert (again["id"], again["counts"]["stored"], again["counts"]["known"]) == (None, 0, 2)
    assert await contents(app) == before


async def test_a_file_that_was_touched_is_the_same_file(app: App, tmp_path: Path) -> None:
    """Where a format has no moments they are the file's, and change with it."""
    await meets(app, "Nadia")
    path = tmp_path / "MEMORY.md"
    path.write_text("# Notes\n- Has two cats\n- Lives in Ghent\n", "utf-8")
    await brings(app, path)
    before = await contents(app)
    path.touch()
    again = await brings(app, path)
    assert (again["id"], again["counts"]["known"]) == (None, 2)
    assert await contents(app) == before


async def test_what_is_stated_again_later_is_a_statement_again(app: App, tmp_path: Path) -> None:
    """Of a longer file what is new is taken in, in words that stood there before too."""
    await brings(app, stated(tmp_path, "Moved to Ghent"))
    longer = await brings(app, stated(tmp_path, "Moved to Ghent", "Has two cats"))
    assert (longer["counts"]["stored"], longer["counts"]["known"]) == (1, 1)


async def test_statements_that_were_taken_back_may_come_again(app: App, tmp_path: Path) -> None:
    """As often as that is done; in between the file adds nothing."""
    path = stated(tmp_path, "Moved to Ghent", "Has two cats")
    for _ in range(3):
        done = await brings(app, path)
        assert done["counts"]["stored"] == 2
        assert (await brings(app, path))["id"] is None
        assert await contents(app) == ["Nadia: Has two cats", "Nadia: Moved to Ghent"]
        await does(app, "history_undo", id=done["id"], confirmed=True)
        assert await contents(app) == []


async def test_statements_that_were_forgotten_stay_so(
    app: App, tmp_path: Path, clock: FrozenClock
) -> None:
    """By an undo that comes after a day, whose receipt gives them back."""
    path = stated(tmp_path, "Moved to Ghent", "Has two cats")
    done = await brings(app, path)
    clock.advance(timedelta(hours=25))
    undone = await does(app, "history_undo", id=done["id"], confirmed=True)
    await meets(app, "Nadia")
    again = await brings(app, path)
    assert (again["counts"]["stored"], again["counts"]["forgotten"]) == (0, 2)
    for number in undone["forgettings"]:
        await does(app, "forget_undo", id=number)
    assert (await brings(app, path))["counts"]["known"] == 2
    assert await contents(app) == ["Nadia: Has two cats", "Nadia: Moved to Ghent"]


async def test_statements_of_an_author_who_is_left_out_stay_out(app: App, tmp_path: Path) -> None:
    """As their lines do."""
    done = await brings(app, stated(tmp_path, "Moved to Ghent"), without=["Nadia"])
    assert (done["id"], done["counts"]["left_out"]) == (None, 1)
    assert await contents(app) == []
