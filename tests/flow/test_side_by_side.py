"""`python -m benchmarks.peers`, whole, with a double in mem0's place."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.mem0_process import Mem0Failed, Mem0Missing
from benchmarks.peers import Setup, measure, setup_of
from benchmarks.side_by_side import COMPARED

TESTS = Path(__file__).parents[1]
FILE = TESTS / "data" / "lighthouse.json"


def program(folder: Path, script: str) -> Path:
    """A program that can be named as a Python."""
    path = folder / "python"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def with_double(folder: Path) -> Path:
    """A Python that finds the double as `mem0`; it drops the flag that would hide it."""
    double = (TESTS / "edge" / "mem0_double.py").read_text()
    (folder / "mem0.py").write_text(double)
    return program(folder, f'shift; PYTHONPATH="{folder}" exec "{sys.executable}" -P "$@"')


async def figures(python: Path, **options: Any) -> dict[str, Any]:
    """What is measured on our own file."""
    found: dict[str, Any] = await measure(Setup(file=FILE, python=python, **options))
    return found


def scores(found: dict[str, Any], side: str) -> list[float]:
    """What a side found, without the time it took."""
    return [found[side][name] for name in COMPARED]


async def test_both_sides_are_asked_the_same_questions(tmp_path: Path) -> None:
    """And both are scored, with every ratio that is promised."""
    found = await figures(with_double(tmp_path))
    assert found["questions"] == 6
    assert found["texts"] == 20
    assert found["mem0_version"] == "0-double"
    for side in ("eko", "mem0"):
        assert 0.3 < found[side]["recall@10"] <= 1
        assert 0 < found[side]["search_p50_ms"] <= found[side]["search_p95_ms"]
        assert found[side]["ingestion_ms_per_1000"] > 0
    assert set(found["ratios"]) == set(found["eko"]) == set(found["mem0"])


async def test_the_speakers_name_may_go_before_the_texts_of_mem0(tmp_path: Path) -> None:
    """So that it has what Eko knows of a turn; Eko's side stays as it is."""
    python = with_double(tmp_path)
    named, plain = await figures(python), await figures(python, named=False)
    assert named["mem0_texts_named"]
    assert not plain["mem0_texts_named"]
    assert scores(named, "mem0") != scores(plain, "mem0")
    assert scores(named, "eko") == scores(plain, "eko")


async def test_a_python_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    """With what to do about it."""
    with pytest.raises(Mem0Missing, match="pip install mem0ai"):
        await figures(tmp_path / "nothing")


async def test_a_python_without_mem0_is_one_sentence(tmp_path: Path) -> None:
    """The same; the flag that isolates it keeps our own environment's packages out of reach."""
    (tmp_path / "mem0.py").write_text("raise ImportError('no mem0 here')")
    python = program(tmp_path, f'shift; PYTHONPATH="{tmp_path}" exec "{sys.executable}" -P "$@"')
    with pytest.raises(Mem0Missing, match="no mem0 here") as raised:
        await figures(python)
    assert "pip install mem0ai" in str(raised.value)


@pytest.mark.parametrize(
    ("script", "sentence"),
    [("exit 3", "it said nothing"), ("echo one >&2; echo two >&2; exit 3", "answered: two")],
)
async def test_a_process_that_ends_too_soon_is_told_with_its_last_words(
    tmp_path: Path, script: str, sentence: str
) -> None:
    """Rather than waited for."""
    with pytest.raises(Mem0Failed, match=sentence):
        await figures(program(tmp_path, script))


def test_a_command_line_says_what_is_compared() -> None:
    """With every option."""
    named = ["talks.json", "--mem0", "bin/python"]
    plain, as_json = setup_of(named)
    assert not as_json
    assert plain == Setup(file=Path("talks.json"), python=Path("bin/python"))
    words = ["--conversations", "1-5", "--verbatim", "--top-k", "80", "--json"]
    setup, as_json = setup_of([*named, *words])
    assert as_json
    assert setup == replace(plain, conversations="1-5", named=False, top_k=80)


def test_a_command_line_without_mem0_says_how_to_get_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """In an environment of its own, since it is no part of Eko."""
    with pytest.raises(SystemExit):
        setup_of(["talks.json"])
    assert "python -m venv mem0" in capsys.readouterr().err
