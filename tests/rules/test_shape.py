import ast
from collections.abc import Iterable, Mapping
from pathlib import Path

LONGEST = 400
"""Lines of a file; past 300 somebody should have asked why already."""

LONGEST_TEST = 500
"""Lines of a file of tests: scenarios of one thing in a row read well, and none needs another."""

LONG: Mapping[str, str] = {}
"""Longer files, with the reason."""

MOST_COLLABORATORS = 5
"""A sixth in a constructor means that a noun is missing."""

CROWDED: Mapping[str, str] = {}
"""Constructors (`path:Class`) with more, with the reason."""

NO_NOUNS = frozenset(
    {"utils", "util", "helpers", "helper", "common", "base", "manager", "core", "misc"}
)
"""Names that say nothing about the domain."""


def crowded(path: str, tree: ast.Module) -> list[str]:
    """Classes whose constructor takes too many collaborators."""
    return [
        f"{path}:{cls.name}"
        for cls in ast.walk(tree)
        if isinstance(cls, ast.ClassDef)
        for node in cls.body
        if isinstance(node, ast.FunctionDef) and node.name == "__init__"
        if len(node.args.args) - 1 + len(node.args.kwonlyargs) > MOST_COLLABORATORS
    ]


def _lengths(root: Path, paths: Iterable[str]) -> dict[str, int]:
    return {path: len((root / path).read_text(encoding="utf-8").splitlines()) for path in paths}


def test_no_file_is_longer_than_can_be_read(
    sources: dict[str, ast.Module], tests: dict[str, ast.Module], root: Path
) -> None:
    """A long file is several things."""
    code, scenarios = _lengths(root, sources), _lengths(root, tests)
    assert {path: n for path, n in code.items() if n > LONGEST and path not in LONG} == {}
    assert {path: n for path, n in scenarios.items() if n > LONGEST_TEST} == {}


def test_no_permission_for_length_is_left_over(root: Path) -> None:
    """A file that was cut leaves the table."""
    assert [path for path, n in _lengths(root, LONG).items() if n <= LONGEST] == []


def test_constructors_take_few_collaborators(sources: dict[str, ast.Module]) -> None:
    """Decay begins in constructors."""
    found = {name for path, tree in sources.items() for name in crowded(path, tree)}
    assert found - set(CROWDED) == set()


def test_the_rule_counts_collaborators() -> None:
    """Positional and keyword ones, and not `self`."""
    code = "class A:\n    def __init__(self, a, b, c, d, e): ...\n"
    code += "class B:\n    def __init__(self, a, b, c, *, d, e, f): ...\n"
    assert crowded("x", ast.parse(code)) == ["x:B"]


def test_files_are_nouns_of_the_domain(
    sources: dict[str, ast.Module], tests: dict[str, ast.Module]
) -> None:
    """A name that could be anywhere says nothing."""
    paths = [*sources, *tests]
    assert [path for path in paths if NO_NOUNS & set(Path(path).with_suffix("").parts)] == []
