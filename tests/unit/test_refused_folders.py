"""A folder or file of the settings that cannot be used is one sentence, not a traceback."""

from pathlib import Path

import pytest
import typer

from bot.errors import FolderRefused
from bot.surfaces.terminal.terminal import settings_or_exit
from bot.transfer.backups import BackupRules
from bot.transfer.upgrade_copies import clear_outdated_copies
from tests.cast import NOON


def test_a_backup_folder_that_cannot_be_reached_is_refused_with_a_sentence(tmp_path: Path) -> None:
    """Its parent is a file here; one that this user may not read fails alike."""
    (tmp_path / "file").touch()
    folder = tmp_path / "file" / "backups"
    rules = BackupRules(data_dir=tmp_path, folder=folder, daily=7, weekly=4, recipients=())
    with pytest.raises(FolderRefused, match=r"backups: Not a directory\..*\[backup\] folder"):
        clear_outdated_copies(rules, NOON)


def test_a_backup_folder_that_is_not_there_yet_is_made_later(tmp_path: Path) -> None:
    """The first backup makes it."""
    folder = tmp_path / "later"
    rules = BackupRules(data_dir=tmp_path, folder=folder, daily=7, weekly=4, recipients=())
    clear_outdated_copies(rules, NOON)
    assert not folder.exists()


def test_a_log_file_that_cannot_be_made_is_refused_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A command says so and ends with status 1."""
    (tmp_path / "file").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EKO_LOG__FILE", str(tmp_path / "file" / "eko.log"))
    with pytest.raises(typer.Exit) as left:
        settings_or_exit()
    assert left.value.exit_code == 1
    assert "eko.log cannot hold the log: " in capsys.readouterr().err
