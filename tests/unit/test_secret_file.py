"""The secrets that the pet keeps for itself."""

import stat
from pathlib import Path

import pytest

from bot.errors import FolderRefused
from bot.secret_file import LEAST_CHARS, secret_in


def mode(path: Path) -> int:
    """Who may do what with a file."""
    return stat.S_IMODE(path.stat().st_mode)


def test_a_secret_is_made_once_for_its_user_alone(tmp_path: Path) -> None:
    """The second reading finds what the first made, and nothing else lies beside it."""
    path = tmp_path / "web.secret"
    made = secret_in(path)
    assert len(made) >= LEAST_CHARS
    assert secret_in(path) == made
    assert mode(path) == 0o600
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("damaged", ["", "\n", "short", "\x00" * 64, "é" * 64])
def test_a_damaged_secret_is_made_anew(tmp_path: Path, damaged: str) -> None:
    """Cookies that anybody can sign would be worth nothing."""
    path = tmp_path / "web.secret"
    path.write_text(damaged, "utf-8")
    assert len(secret_in(path)) >= LEAST_CHARS
    assert secret_in(path) == path.read_text("utf-8")


def test_a_secret_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    """As after it was copied back from somewhere."""
    path = tmp_path / "web.secret"
    path.write_text("x" * LEAST_CHARS)
    path.chmod(0o644)
    assert secret_in(path) == "x" * LEAST_CHARS
    assert mode(path) == 0o600


def test_a_crash_on_the_way_leaves_no_half_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was written elsewhere first is not taken for the secret."""

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(FolderRefused, match="No space left"):
        secret_in(tmp_path / "web.secret")
    assert list(tmp_path.iterdir()) == []
