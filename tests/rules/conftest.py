"""The source tree, read once, for the rules about it."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("bot", "memory", "observers", "config")


def _parsed(*folders: str) -> dict[str, ast.Module]:
    files = sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return {
        path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in files
        if "node_modules" not in path.parts
    }


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the project."""
    return ROOT


@pytest.fixture(scope="session")
def sources() -> dict[str, ast.Module]:
    """Every module of the four packages by its path, such as `bot/conversation/turn.py`."""
    return _parsed(*PACKAGES)


@pytest.fixture(scope="session")
def tests() -> dict[str, ast.Module]:
    """Every test module by its path."""
    return _parsed("tests")
