"""`eko notes`, `eko notes sync` and what `eko doctor` says of notes, on a pet of its own."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.surfaces.operations import Operations
from bot.texts.catalogue import say
from bot.topics.health.findings import finding_json
from bot.topics.notes.notes import OFF
from bot.wiring.app import App, open_app
from config.sections.obsidian import ObsidianSettings
from config.sections.vectors import EmbedderSettings
from config.settings import Settings
from memory.model.people import PersonId
from tests.vault import PIE, write


@asynccontextmanager
async def pet(where: Path, **obsidian: Any) -> AsyncIterator[App]:
    """A pet with these settings about notes."""
    settings = Settings(
        data_dir=where / "data",
        embedder=EmbedderSettings(kind="none"),
        obsidian=ObsidianSettings(**obsidian),
    )
    async with open_app(settings) as app:
        yield app


@pytest.fixture
def chosen(tmp_path: Path) -> dict[str, Any]:
    """A vault of one note, and who may hear of it."""
    write(tmp_path / "vault", "kitchen/pie.md")
    return {"kind": "folder", "folder": str(tmp_path / "vault"), "audience": "space"}


async def does(app: App, operation: str, **arguments: Any) -> dict[str, Any]:
    """What an operation ends with."""
    events = [event async for event in Operations(app).call(operation, arguments)]
    last: dict[str, Any] = events[-1]
    return last


async def doctor(app: App) -> dict[str, Any]:
    """What the doctor says of notes."""
    checks = [finding_json(one) for one in await app.doctor.diagnose()]
    (check,) = [one for one in checks if one["name"] == "notes"]
    return check


def moved(vault: Path, place: Path) -> None:
    """The vault is somewhere else now."""
    vault.rename(place)


async def test_notes_are_listed_with_their_state(tmp_path: Path, chosen: dict[str, Any]) -> None:
    """With what the settings name and the vault does not have."""
    async with pet(tmp_path, **chosen, context_notes=("kitchen/pie", "gone")) as app:
        await does(app, "notes_sync")
        told = (await does(app, "notes"))["result"]
    (note,) = told["notes"]
    assert (note["path"], note["state"], note["always"]) == ("kitchen/pie.md", "kept", True)
    assert (note["pieces"], told["missing"], told["trouble"]) == (2, ["gone.md"], None)


async def test_a_dry_run_says_what_would_be_done(tmp_path: Path, chosen: dict[str, Any]) -> None:
    """And leaves it to a run without."""
    async with pet(tmp_path, **chosen) as app:
        dry = (await does(app, "notes_sync", dry_run=True))["result"]
        before = (await does(app, "notes"))["result"]["notes"]
        done = (await does(app, "notes_sync"))["result"]
    assert dry["read"] == done["read"] == ["kitchen/pie.md"]
    assert (dry["pieces"], done["pieces"], before) == (0, 2, [])


async def test_without_a_vault_the_command_says_what_to_set(tmp_path: Path) -> None:
    """One sentence."""
    async with pet(tmp_path) as app:
        assert await does(app, "notes") == {"error": OFF}


async def test_nothing_is_read_before_somebody_may_hear_of_it(
    tmp_path: Path, chosen: dict[str, Any]
) -> None:
    """The doctor says so, and the command."""
    async with pet(tmp_path, **{**chosen, "audience": None}) as app:
        assert await does(app, "notes_sync") == {"error": say("doctor.todo.notes_for_nobody", "en")}
        check = await doctor(app)
    assert (check["status"], check["todo"]) == ("fail", say("doctor.todo.notes_for_nobody", "en"))


async def test_the_doctor_looks_at_the_vault(tmp_path: Path, chosen: dict[str, Any]) -> None:
    """How many notes, and how many changes are not read yet."""
    async with pet(tmp_path, **chosen) as app:
        check = await doctor(app)
    assert check["status"] == "ok"
    assert check["detail"].endswith("notes: 1, changes waiting: 1")


async def test_the_doctor_says_since_when_a_vault_is_away(
    tmp_path: Path, chosen: dict[str, Any]
) -> None:
    """What was read before stays known."""
    async with pet(tmp_path, **chosen) as app:
        moved(tmp_path / "vault", tmp_path / "away")
        first = await doctor(app)
        moved(tmp_path / "away", tmp_path / "vault")
        await does(app, "notes_sync")
        moved(tmp_path / "vault", tmp_path / "away")
        then = await doctor(app)
        kept = (await does(app, "notes"))["result"]
    assert first["detail"].startswith("never read: ")
    assert then["status"] == "fail"
    assert then["detail"].startswith(f"not refreshed since {kept['refreshed_at'][:16]}")
    assert (len(kept["notes"]), bool(kept["trouble"])) == (1, True)


async def test_the_owner_of_private_notes_need_not_have_spoken(
    tmp_path: Path, chosen: dict[str, Any]
) -> None:
    """And keeps the name that they spoke under."""
    private = {**chosen, "audience": "person", "owner": "console:me"}
    async with pet(tmp_path, **private) as app:
        await does(app, "notes_sync")
        owner = await app.storage.people.known("console", "me")
        await app.storage.people.person("console", "me", "Mélanie")
        write(tmp_path / "vault", "kitchen/pie.md", PIE + "\nMore.")
        await does(app, "notes_sync")
        person = await app.storage.people.person("console", "me", "Mélanie")
    assert owner == person.id == PersonId(person.id)
    assert person.name == "Mélanie"
