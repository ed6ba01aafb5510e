"""Which files are read: those that were asked for, and those that are seen in the folder."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from config.errors import SettingsRefused
from config.settings import Settings
from config.sources import read_given
from tests.another_user import as_another_user, closed_folder

DOTENV = Path(".env")
REFUSED = r"cannot be read: Permission denied\."


def test_a_command_runs_in_a_folder_that_may_not_be_entered() -> None:
    """`sudo -u eko eko login` in one's own home: its settings are not the pet's."""
    with closed_folder(), as_another_user():
        assert read_given(Settings, None, {}, DOTENV) == ()


def test_a_file_there_that_was_asked_for_is_refused() -> None:
    """Its settings were wanted."""
    with closed_folder() as folder, as_another_user():
        asked = folder / "eko.toml"
        with pytest.raises(SettingsRefused, match=REFUSED):
            read_given(Settings, asked, {}, DOTENV)
        with pytest.raises(SettingsRefused, match=REFUSED):
            read_given(Settings, None, {"EKO_CONFIG": str(asked)}, DOTENV)


def test_a_file_that_is_seen_and_cannot_be_read_is_refused() -> None:
    """Keys in it would be missed without a word."""
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        dotenv = Path(folder, ".env")
        dotenv.write_text("EKO_LOCALE=fr\n", "utf-8")
        dotenv.chmod(0)
        with as_another_user(), pytest.raises(SettingsRefused, match=REFUSED):
            read_given(Settings, None, {}, dotenv)
