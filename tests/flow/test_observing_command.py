"""`eko observe`, `eko pause`, `eko resume`, `eko usage`, and what `eko doctor` says of a pause."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bot.__main__ import app


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of its own, where somebody has spoken in the lobby."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EKO_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("EKO_EMBEDDER__KIND", "none")
    eko("ask", "bonjour", "--room", "lobby")
    return tmp_path


def eko(*words: str) -> Result:
    """What a command prints on both streams."""
    return CliRunner().invoke(app, list(words))


@pytest.mark.usefixtures("folder")
def test_a_role_is_chosen_and_taken_back() -> None:
    """By the room's name; it is listed with what says so, and audited."""
    assert eko("observe", "role", "Lobby", "pet").output.strip() == "lobby: pet, chosen"
    listed = json.loads(eko("observe", "list", "--json").output)["rooms"]
    (lobby,) = [one for one in listed if one["name"] == "lobby"]
    assert (lobby["role"], lobby["source"], lobby["space"]) == ("pet", "chosen", "home")
    assert "chosen" in eko("observe", "list").output
    assert (
        eko("observe", "role", lobby["id"], "default").output.strip() == "lobby: lobby, by default"
    )
    assert eko("audit").output.count("room.chosen") == 2


@pytest.mark.usefixtures("folder")
def test_what_is_not_there_is_refused_in_a_sentence() -> None:
    """A room or a space that nobody has been in."""
    refused = eko("observe", "role", "cuisine", "pet")
    assert refused.exit_code == 1
    assert 'No room of several people is called "cuisine".' in refused.output
    misspelt = eko("pause", "hom")
    assert misspelt.exit_code == 1
    assert 'There is no space "hom", only home.' in misspelt.output


@pytest.mark.usefixtures("folder")
def test_a_pause_is_told_wherever_one_would_look() -> None:
    """By the command itself, with the rooms, and by the doctor."""
    assert eko("pause").output.strip() == "Paused: everywhere"
    assert "It was paused already." in eko("pause").output
    assert "Paused: everywhere, home" in eko("pause", "home").output
    assert "Paused: everywhere, home" in eko("observe", "list").output
    doctor = json.loads(eko("doctor", "--json").output)["checks"]
    (told,) = [one for one in doctor if one["name"] == "pauses"]
    assert told["status"] == "note"
    assert told["detail"].startswith("paused: * (")
    unheard = eko("ask", "tu es là ?")
    assert unheard.exit_code == 1
    assert "It is paused" in unheard.output
    assert "everywhere" in eko("ask", "/help", "--as", "you").output
    assert eko("resume").output.splitlines() == ["Listening again.", "Paused: home"]
    assert eko("resume", "home").output.strip() == "Listening again."
    assert eko("resume", "home").output.strip() == "There was no such pause."


@pytest.mark.usefixtures("folder")
def test_usage_is_shown_for_today_and_a_month() -> None:
    """Answers by rules are no usage, and the caps are for models."""
    told = json.loads(eko("usage", "--json").output)
    assert (told["today"], told["lately"], told["by_rules"]) == ([], [], True)
    shown = eko("usage").output
    assert "In 30 days" in shown
    assert "No language model is chosen. The caps in [budget] hold once one is." in shown


@pytest.mark.usefixtures("folder")
def test_a_dry_run_of_the_seed_says_what_planting_it_does() -> None:
    """Lines that are there, or were forgotten since, are not new."""
    dry = eko("seed", "--dry-run").output.splitlines()[-1]
    planted = eko("seed").output.splitlines()[-1]
    assert dry.replace(" would be new", " new") == planted
    assert " 0 new" not in planted
    (first, *_) = json.loads(eko("seed", "--dry-run", "--json").output)["statements"]
    eko("forget", "--topic", first["content"], "--yes")
    assert eko("seed", "--dry-run").output.endswith(" 0 would be new.\n")
    assert eko("seed").output.endswith(" 0 new.\n")


@pytest.mark.usefixtures("folder")
def test_the_doctor_says_that_discord_is_not_used() -> None:
    """And what to set; nobody is asked for it."""
    checks = json.loads(eko("doctor", "--json").output)["checks"]
    (told,) = [one for one in checks if one["name"] == "discord"]
    assert (told["status"], told["todo"]) == ("note", "Set DISCORD_TOKEN to be on Discord.")
