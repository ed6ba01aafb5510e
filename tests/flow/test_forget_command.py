"""`eko forget` as it is typed: what it refuses, and what it shows first."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bot.__main__ import app


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of its own, where nothing is configured."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EKO_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("EKO_EMBEDDER__KIND", "none")
    return tmp_path


def eko(*words: str) -> Result:
    """What a command prints on both streams."""
    return CliRunner().invoke(app, list(words))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--topic", "vélo", "--about"], "--about and --erase go with --person"),
        (["--undo", "1", "--topic", "vélo"], "One thing at a time"),
        (["--undo", "1", "--purge-now", "2", "--yes"], "One thing at a time"),
        (["--person", "Zoé"], 'Nobody goes by "Zoé".'),
        (["--room", "cuisine"], 'No room is called "cuisine".'),
        (["--id", "zz"], 'No id begins with "zz".'),
    ],
)
@pytest.mark.usefixtures("folder")
def test_what_is_not_clear_is_refused_in_a_sentence(words: list[str], sentence: str) -> None:
    """Nothing that was asked for is left aside in silence."""
    refused = eko("forget", *words)
    assert refused.exit_code == 1
    assert sentence in refused.output


@pytest.mark.usefixtures("folder")
def test_a_purge_before_its_day_stands_in_the_audit() -> None:
    """It cannot be undone, so who did it is written down; the preview names what goes."""
    eko("remember", "David nourrit un levain", "--about", "David")
    shown = eko("forget", "--topic", "levain").output
    assert re.search(r"^  memory, .*: David nourrit un levain$", shown, re.MULTILINE)
    assert "It is number 1" in eko("forget", "--topic", "levain", "--yes").output
    assert "is purged" in eko("forget", "--purge-now", "1", "--yes").output
    assert "forgetting.purged" in eko("audit").output


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["find", ""], "query takes at least 1 character."),
        (["memories", "--history", "a"], "history takes at least 4 characters."),
        (["export", "a" * 250], "cannot be written: File name too long."),
        (["export", "e.jsonl", "--since", "soon"], '"soon" is no date: write 2026-01-17 or'),
    ],
)
@pytest.mark.usefixtures("folder")
def test_what_a_command_cannot_take_is_said_plainly(words: list[str], sentence: str) -> None:
    """In words for whoever typed it, not those of the library that checked it."""
    refused = eko(*words)
    assert refused.exit_code == 1
    assert sentence in refused.output


def test_a_receipt_is_handed_out_and_checked_without_the_pet(folder: Path) -> None:
    """Its file is written once, and a changed one is said to be changed."""
    eko("remember", "David nourrit un levain chaque dimanche", "--about", "David")
    assert "eko forget --receipt 1" in eko("forget", "--topic", "levain", "--yes").output
    file = folder / "receipt.json"
    assert "Written. To check it" in eko("forget", "--receipt", "1", "--out", str(file)).output
    assert "cannot be written" in eko("forget", "--receipt", "1", "--out", str(file)).output
    checked = eko("forget", "--check", str(file))
    assert "Unchanged. Eko" in checked.output
    assert "1 memory" in checked.output
    assert eko("forget", "--key").output.strip() in checked.output
    file.write_bytes(file.read_bytes().replace(b'"found": 0', b'"found": 1', 1))
    changed = eko("forget", "--check", str(file))
    assert changed.exit_code == 1
    assert "not as a pet signed it" in changed.output


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--receipt", "9"], "There is no forgetting 9."),
        (["--check", "/nowhere/at-all"], "cannot be read"),
        (["--out", "file"], "--out goes with --receipt."),
        (["--key", "--list"], "One thing at a time"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_a_receipt_that_cannot_be_had_is_refused_in_a_sentence(
    words: list[str], sentence: str
) -> None:
    """With status 1."""
    refused = eko("forget", *words)
    assert refused.exit_code == 1
    assert sentence in refused.output
