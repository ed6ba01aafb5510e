"""Counts how the product is built: `python -m benchmarks.structure`.

Prints its figures as one JSON object; each is defined where it is computed. The product is the
four packages that are shipped; tests and benchmarks are counted in lines only.
"""

import ast
import asyncio
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

from benchmarks.settings import prepare_process
from benchmarks.structure_walks import files_touched

ROOT = Path(__file__).parent.parent

PACKAGES = ("bot", "memory", "observers", "config")

STORAGE = "memory.storage"
"""The room whose importers are counted."""

FIELD = "met_at"
"""A field of a person: where it is named shows in how many places a field has to be written."""

FIELD_TOPICS = ("people", "person")
"""What a file of people has in its path; the same word elsewhere is another thing's field."""


class ProductSource:
    """The product's modules, parsed once, with the imports between them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.paths = [path for name in PACKAGES for path in sorted((root / name).rglob("*.py"))]
        self.texts = {path: path.read_text("utf-8") for path in self.paths}
        self.trees = {self.module(path): ast.parse(text) for path, text in self.texts.items()}

    def module(self, path: Path) -> str:
        """The dotted name of a file; a package goes by its folder."""
        parts = path.relative_to(self.root).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    def folder(self, module: str) -> str:
        """The dotted name of the folder that a module stands in; a package is its own."""
        is_package = (self.root / Path(*module.split(".")) / "__init__.py").exists()
        return module if is_package else module.rpartition(".")[0]

    @cached_property
    def imports(self) -> Mapping[str, frozenset[str]]:
        """The product's modules that each module imports, wherever in it, itself left out."""
        return {
            name: frozenset(_imported(tree, self.trees)) - {name}
            for name, tree in self.trees.items()
        }


def measure() -> Mapping[str, object]:
    """Every figure of the table, by its name."""
    source = ProductSource(ROOT)
    lines = {path: len(text.splitlines()) for path, text in source.texts.items()}
    folders = Counter(path.parent for path in source.paths if path.name != "__init__.py")
    users = Counter(one for found in source.imports.values() for one in found)
    edges = sum(len(found) for found in source.imports.values())
    executable = sum(len(executable_lines(tree)) for tree in source.trees.values())
    touched = asyncio.run(files_touched())
    return {
        "lines": sum(lines.values()),
        "files": len(lines),
        "folders": len(folders),
        "fullest_folder": max(folders.values()),
        "executable_share": round(executable / sum(lines.values()), 3),
        "import_edges_of_a_file": round(edges / len(lines), 1),
        "most_imports_of_a_file": max(len(found) for found in source.imports.values()),
        "files_with_over_35_imports": sum(len(found) > 35 for found in source.imports.values()),
        "folders_in_circles": len(folders_in_circles(folder_imports(source))),
        "modules_with_one_user": sum(users[module] == 1 for module in source.trees),
        "importers_of_storage": len(_outside(STORAGE, source.imports)),
        "class_names_defined_twice": len(classes_defined_twice(source.trees)),
        "places_of_a_field": len(places_of_field(source)),
        "broad_excepts": sum(map(broad_excepts, source.trees.values())),
        "modules_a_walk_touches": {
            walk: sum(str(path) in files for path in source.paths)
            for walk, files in touched.items()
        },
        "lines_of_tests": _lines_below(ROOT / "tests"),
        "lines_of_benchmarks": _lines_below(ROOT / "benchmarks"),
    }


def executable_lines(tree: ast.Module) -> set[int]:
    """Numbers of the lines in bodies of functions that do something.

    What only says something does not count: imports, signatures, docstrings, comments, blank lines
    and `pass`; nor do constants and fields, which stand outside of functions. Of a statement with
    a body its head counts, and what is in the body for itself.
    """
    return {
        number
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for one in ast.walk(function)
        if isinstance(one, ast.stmt) and not _says_only(one)
        for number in range(one.lineno, _last_line(one) + 1)
    }


def _says_only(one: ast.stmt) -> bool:
    kinds = ast.Import | ast.ImportFrom | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    is_text = isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)
    return is_text or isinstance(one, kinds | ast.Pass)


def _last_line(one: ast.stmt) -> int:
    """The last line of a statement, or of its head if it has a body."""
    inner = [below.lineno for below in ast.walk(one) if isinstance(below, ast.stmt)][1:]
    return max(one.lineno, min(inner) - 1) if inner else one.end_lineno or one.lineno


def folder_imports(source: ProductSource) -> Mapping[str, set[str]]:
    """Which folders a folder imports, counted to the last folder; `__main__` starts, so not it."""
    graph: dict[str, set[str]] = defaultdict(set)
    for module, found in source.imports.items():
        if not module.endswith("__main__"):
            here = source.folder(module)
            graph[here] |= {source.folder(one) for one in found} - {here}
    return graph


def folders_in_circles(graph: Mapping[str, set[str]]) -> set[str]:
    """The folders from which imports lead back to themselves by way of others."""
    return {start for start in graph if start in _reached(start, graph)}


def classes_defined_twice(trees: Mapping[str, ast.Module]) -> Mapping[str, list[str]]:
    """Public class names that more than one module defines, with those modules."""
    homes = defaultdict(list)
    for module, tree in trees.items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(module)
    return {name: found for name, found in homes.items() if len(found) > 1}


def places_of_field(source: ProductSource) -> list[Path]:
    """The product's files on people that name one field of a person, templates included."""
    templates = sorted((ROOT / "bot").rglob("*.html"))
    texts = source.texts | {path: path.read_text("utf-8") for path in templates}
    return [
        path
        for path, text in texts.items()
        if FIELD in text and any(word in str(path.relative_to(ROOT)) for word in FIELD_TOPICS)
    ]


def broad_excepts(tree: ast.Module) -> int:
    """How many handlers catch every exception."""
    return sum(
        isinstance(node, ast.ExceptHandler)
        and (node.type is None or (isinstance(node.type, ast.Name) and node.type.id == "Exception"))
        for node in ast.walk(tree)
    )


def _imported(tree: ast.Module, modules: Mapping[str, ast.Module]) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names if one.name in modules)
        elif isinstance(node, ast.ImportFrom) and node.module:
            below = {f"{node.module}.{one.name}" for one in node.names} & modules.keys()
            yield from below or {node.module} & modules.keys()


def _reached(start: str, graph: Mapping[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for one in graph.get(waiting.pop(), set()) - found:
            found.add(one)
            waiting.append(one)
    return found


def _outside(room: str, imports: Mapping[str, Iterable[str]]) -> list[str]:
    """Modules outside a room that import one of it."""
    return [
        module
        for module, found in imports.items()
        if not f"{module}.".startswith(f"{room}.")
        and any(f"{one}.".startswith(f"{room}.") for one in found)
    ]


def _lines_below(folder: Path) -> int:
    return sum(len(path.read_text("utf-8").splitlines()) for path in folder.rglob("*.py"))


if __name__ == "__main__":
    prepare_process()
    print(json.dumps(measure(), indent=2))
