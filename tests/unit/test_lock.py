"""One process per data folder, and everybody else is told which."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from bot.errors import AlreadyRunning, FolderRefused
from bot.lock import held, holder_of, this_process
from tests.cast import NOON


def test_a_second_holder_is_refused_with_the_first_ones_name(tmp_path: Path) -> None:
    """The sentence says who, what, since when, and what to do."""
    first = this_process("running", NOON, page="http://127.0.0.1:8080")
    with (
        held(tmp_path, first),
        pytest.raises(AlreadyRunning) as refused,
        held(tmp_path, this_process("running", NOON)),
    ):
        raise AssertionError("two processes hold one folder")
    sentence = str(refused.value)
    for part in (str(os.getpid()), "running since 2026-01-17T12:00:00", "http://127.0.0.1:8080"):
        assert part in sentence
    assert "EKO_DATA_DIR" in sentence


def test_who_holds_it_is_known_while_it_is_held_only(tmp_path: Path) -> None:
    """A note that a crash left behind holds nothing."""
    assert holder_of(tmp_path / "nowhere") is None
    mine = this_process("eko digest", NOON, socket="/tmp/eko.sock")  # noqa: S108 - never opened
    with held(tmp_path, mine):
        assert holder_of(tmp_path) == mine
    assert holder_of(tmp_path) is None
    (tmp_path / "eko.lock").write_text('{"pid": 1}', "utf-8")
    assert holder_of(tmp_path) is None
    with held(tmp_path, mine):
        assert holder_of(tmp_path) == mine


def test_a_body_that_fails_lets_go(tmp_path: Path) -> None:
    """The next one may have it."""
    with pytest.raises(ValueError, match="boom"), held(tmp_path, this_process("a", NOON)):
        raise ValueError("boom")
    with held(tmp_path, this_process("b", NOON)):
        pass


def test_the_folder_is_made(tmp_path: Path) -> None:
    """A first start needs no preparation."""
    with held(tmp_path / "a" / "b", this_process("running", NOON)):
        assert (tmp_path / "a" / "b").is_dir()


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    """Where a file is in the way, as where nothing may be written."""
    (tmp_path / "taken").touch()
    with (
        pytest.raises(FolderRefused, match=r"taken cannot hold .* EKO_DATA_DIR"),
        held(tmp_path / "taken", this_process("running", NOON)),
    ):
        raise AssertionError("a file held the data")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes another user")
@pytest.mark.parametrize(
    ("owner", "way_out"),
    [(0, "4242:0)"), (1000, "4242:0), run the pet as its owner (in a container: --user 1000:0)")],
)
def test_another_users_folder_is_refused_with_both_users(owner: int, way_out: str) -> None:
    """As a volume of another owner is in a container; nobody is sent to be root."""
    with TemporaryDirectory() as folder:
        os.chown(folder, owner, 0)
        os.seteuid(4242)
        try:
            with (
                pytest.raises(FolderRefused) as refused,
                held(Path(folder), this_process("running", NOON)),
            ):
                raise AssertionError("it was written to")
        finally:
            os.seteuid(0)
    assert str(refused.value) == (
        f"{folder} cannot hold the pet's data: Permission denied. It belongs to user {owner}, and "
        f"the pet runs as user 4242: give it to the pet (chown -R {way_out}, or choose another "
        "folder with EKO_DATA_DIR."
    )


@pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes another user")
def test_a_folder_of_everybody_whose_pet_was_another_users_is_refused() -> None:
    """The files in it are their owner's alone, as after a container was given another user."""
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o1777)
        lock = Path(folder, "eko.lock")
        lock.touch(mode=0o600)
        os.chown(lock, 10001, 10001)
        os.seteuid(4242)
        try:
            with (
                pytest.raises(FolderRefused, match="belongs to user 10001"),
                held(Path(folder), this_process("running", NOON)),
            ):
                raise AssertionError("it was written to")
        finally:
            os.seteuid(0)
