"""The mark that keeps a benchmark from writing into anybody's data."""

from pathlib import Path

import pytest

from benchmarks.mark import Mark, NotFilled


def test_a_filled_folder_is_known_again(tmp_path: Path) -> None:
    """What was left on a folder is what is found on it."""
    mark = Mark(memories=300, seed=7)
    mark.leave(tmp_path)
    assert Mark.on(tmp_path) == mark


def test_a_new_or_empty_folder_may_be_filled(tmp_path: Path) -> None:
    """Nothing there is no mark, and no reason to refuse."""
    assert Mark.on(tmp_path) is None
    assert Mark.on(tmp_path / "new") is None


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    """Somebody's pet, or a filling that was interrupted, is neither filled nor measured."""
    (tmp_path / "eko.sqlite3").write_bytes(b"")
    with pytest.raises(NotFilled):
        Mark.on(tmp_path)
