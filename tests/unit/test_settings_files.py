"""Which files are read: those that were asked for, and those that are seen in the folder."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from config.errors import SettingsRefused
from config.settings import Settings
from config.sources import read_given

DOTENV = Path(".env")


@contextmanager
def as_another_user() -> Iterator[None]:
    """What follows is done without root's rights."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(4242)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def closed_folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A current folder with settings that this user may not enter, as another's home."""
    with TemporaryDirectory() as folder:
        monkeypatch.chdir(folder)
        DOTENV.write_text("EKO_LOCALE=fr\n", "utf-8")
        Path("eko.toml").write_text('locale = "fr"\n', "utf-8")
        Path(folder).chmod(0)
        with as_another_user():
            yield Path(folder)
        Path(folder).chmod(0o700)
        monkeypatch.undo()


def test_a_command_runs_in_a_folder_that_may_not_be_entered(closed_folder: Path) -> None:
    """`sudo -u eko eko login` in one's own home: its settings are not the pet's."""
    del closed_folder
    assert read_given(Settings, None, {}, DOTENV) == ()


def test_a_file_there_that_was_asked_for_is_refused(closed_folder: Path) -> None:
    """Its settings were wanted."""
    asked = closed_folder / "eko.toml"
    with pytest.raises(SettingsRefused, match=r"eko\.toml cannot be read: Permission denied\."):
        read_given(Settings, asked, {}, DOTENV)
    with pytest.raises(SettingsRefused, match=r"eko\.toml cannot be read: Permission denied\."):
        read_given(Settings, None, {"EKO_CONFIG": str(asked)}, DOTENV)


def test_a_file_that_is_seen_and_cannot_be_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keys in it would be missed without a word."""
    with TemporaryDirectory() as folder:
        monkeypatch.chdir(folder)
        Path(folder).chmod(0o755)
        DOTENV.write_text("EKO_LOCALE=fr\n", "utf-8")
        DOTENV.chmod(0)
        with (
            as_another_user(),
            pytest.raises(SettingsRefused, match=r"\.env cannot be read: Permission denied\."),
        ):
            read_given(Settings, None, {}, DOTENV)
        monkeypatch.chdir(tmp_path)
