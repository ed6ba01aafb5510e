"""`eko backup` and `eko restore`, typed where no daemon runs: what they print."""

from pathlib import Path

from tests.processes import eko


def run(folder: Path, *command: str, status: int = 0) -> str:
    """What a command prints on a data folder."""
    done = eko(folder, *command, COLUMNS="200", EKO_EMBEDDER__KIND="none")
    assert done.returncode == status, done.stderr
    return done.stdout + done.stderr


def test_a_backup_and_a_restore_say_what_to_keep_and_what_to_do_next(tmp_path: Path) -> None:
    """The journal beside the file, the folder that is restored, and how the pet is started."""
    here, there, file = tmp_path / "here", tmp_path / "there", tmp_path / "kept" / "eko.tar.gz"
    told = run(here, "backup", str(file))
    (journal,) = file.parent.glob("*.forgotten.jsonl")
    assert f"Keep {journal} beside it" in told
    restored = run(there, "restore", str(file), "--yes")
    assert f"Restored into {there}." in restored
    assert f"{there} is ready. Start the pet with: " in restored


def test_a_backup_needs_the_name_of_a_file(tmp_path: Path) -> None:
    """A folder is refused, also one that is not there and that its slash alone tells."""
    for folder in (f"{tmp_path}/later/", str(tmp_path)):
        refused = run(tmp_path / "data", "backup", folder, status=1)
        assert f"{folder} is a folder: name a file in it" in refused
    assert not (tmp_path / "later").exists()
