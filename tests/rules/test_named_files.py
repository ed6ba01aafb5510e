"""A file that a document or a docstring names is there, under that name."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

DOCUMENTS = ("README.md", "docs/*.md", "benchmarks/README.md", "tests/README.md")

ROOMS = ("bot", "memory", "observers", "config", "tests", "benchmarks", "docs")
"""A path that begins with one of these is meant from the folder of the project."""

PATH = re.compile(rf"(?<![\w./-])(?:{'|'.join(ROOMS)})/[\w*.-]+(?:/[\w*.-]+)*(?<![.])/?")

NAME = re.compile(r"(?<![\w./*-])(?:[\w-]+/)*[\w-]+\.(?:py|sql)\b")
"""A module or its queries by a name alone, or by the end of its path."""

QUOTED = re.compile(r"`([^`\n]+)`")
"""What the source names, it names in backquotes."""


def named_in(text: str) -> Iterator[str]:
    """The files and folders that a text names."""
    yield from (found[0] for found in PATH.finditer(text))
    yield from (found[0] for found in NAME.finditer(text) if not PATH.match(found[0]))


def _is_there(root: Path, name: str) -> bool:
    if PATH.match(name):
        return any(root.glob(name.rstrip("/")))
    return any(next(root.glob(f"{room}/**/{name}"), None) for room in ROOMS)


@pytest.fixture(scope="module")
def documents(root: Path) -> list[Path]:
    """What is read without looking at the source."""
    return sorted(path for pattern in DOCUMENTS for path in root.glob(pattern))


def test_files_in_documents_are_there(root: Path, documents: list[Path]) -> None:
    """Also those that are called by their name alone."""
    lost = {
        f"{page.name}: {name}"
        for page in documents
        for name in named_in(page.read_text("utf-8"))
        if not _is_there(root, name)
    }
    assert sorted(lost) == []


def test_files_in_the_source_are_there(root: Path) -> None:
    """A docstring or a comment sends nobody to a file that was moved."""
    lost = {
        f"{path.relative_to(root)}: {name}"
        for room in ROOMS
        for path in (root / room).rglob("*.py")
        for quoted in QUOTED.findall(path.read_text("utf-8"))
        for name in named_in(quoted)
        if path != Path(__file__) and not _is_there(root, name)
    }
    assert sorted(lost) == []


def test_the_sign_of_a_room_names_its_own_files(root: Path) -> None:
    """By their names in it; those of another room by their whole path."""
    lost = [
        f"{sign.relative_to(root)}: {name}"
        for room in ROOMS
        for sign in (root / room).rglob("__init__.py")
        for name in named_in(sign.read_text("utf-8"))
        if not (sign.parent / name).exists() and not (root / name).exists()
    ]
    assert lost == []


def test_the_rule_sees_files(root: Path) -> None:
    """In running text, with a folder or a pattern, and at the end of a sentence."""
    text = "See `memory/clock.py`, clock.py, model/ttl.py and `config/prompts/*.md` in bot/texts/."
    assert list(named_in(text)) == [
        "memory/clock.py",
        "config/prompts/*.md",
        "bot/texts/",
        "clock.py",
        "model/ttl.py",
    ]
    assert all(_is_there(root, name) for name in named_in(text))
    gone = "`memory/clocks.py`, clocks.py, bot/no/, `config/*.nothing`, ttl/model.py"
    assert not any(_is_there(root, name) for name in named_in(gone))
