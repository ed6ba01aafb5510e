"""`python -m benchmarks.locomo`: its tables, its one line of JSON, its file of lines."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.checkout import environment

FILE = Path(__file__).parents[1] / "data" / "lighthouse.json"


def locomo(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The benchmark in a process of its own, without an embedder."""
    return subprocess.run(
        [sys.executable, "-m", "benchmarks.locomo", *arguments, "--embedder", "none"],
        env=environment() | {"EKO_DATA_DIR": str(folder), "EKO_EMBEDDER__KIND": "none"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_one_file_is_told_by_its_kinds_of_questions(tmp_path: Path) -> None:
    """What the model reads first; and each question is a line of the file that was named."""
    rows = tmp_path / "rows.jsonl"
    done = locomo(tmp_path / "data", str(FILE), "--rows", str(rows), "--asked-by", "Ines")
    assert done.returncode == 0, done.stderr
    heads, *lines = done.stdout.splitlines()
    assert heads.split()[:5] == ["kind", "n", "answer", "evidence", "in"]
    assert [line.split()[0] for line in lines[:4]] == [
        "multi-hop", "single-hop", "temporal", "all",
    ]  # fmt: skip
    assert "missed a deadline" not in done.stdout
    assert len(rows.read_text().splitlines()) == 6


def test_several_files_are_told_with_their_mean(tmp_path: Path) -> None:
    """As a table, and as one object of figures by file."""
    other = tmp_path / "other.json"
    shutil.copy(FILE, other)
    done = locomo(tmp_path / "data", str(FILE), str(other), "--in-flow")
    assert [line.split()[0] for line in done.stdout.splitlines()[:4]] == [
        "set", "lighthouse", "other", "mean",
    ]  # fmt: skip
    as_json = locomo(tmp_path / "data", str(FILE), str(other), "--store", "each", "--json")
    found = json.loads(as_json.stdout.splitlines()[-1])
    assert found["sets"]["other"]["stores"] == "each"
    assert found["macro_mean"]["recall@10"] == found["sets"]["other"]["recall@10"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--rows", "/nowhere/rows.jsonl"), "cannot be written"),
        (("--asked-by", "Zoe"), "Zoe says nothing"),
        (("--category", "riddle"), "No question is of the kind riddle"),
    ],
)
def test_what_cannot_be_asked_is_one_sentence(
    tmp_path: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    """On the error stream, and the command fails."""
    done = locomo(tmp_path / "data", str(FILE), *arguments)
    assert done.returncode == 1
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
