"""Counts how the house is built: `python -m benchmarks.structure`.

Prints its figures as one JSON object. What one message touches is watched while the pet without a
key answers a question that it has an answer to: every module of which a line runs, from the inbox
to the delivered reply and what follows it.
"""

import ast
import asyncio
import json
import sys
import threading
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

from benchmarks.settings import bench_settings, prepare_process
from bot.channels.local.hub import LocalHub, direct_room
from bot.channels.local.ports import Shown
from bot.model.events import AuthorRef
from bot.wiring.app import open_app
from memory.model.messages import AuthorKind

ROOT = Path(__file__).parent.parent

PACKAGES = ("bot", "memory", "observers", "config")
"""What is shipped; tests and benchmarks are no rooms of the house."""

STORAGE = "memory.storage"
"""The room whose importers are counted."""

PATIENCE_S = 60.0
"""An answer that has not come by then never will."""

ASKER = AuthorRef(platform="console", external_id="structure", name="Alice")


def measure() -> Mapping[str, object]:
    """Every figure of the table, by its name."""
    trees = {path: ast.parse(path.read_text("utf-8")) for path in _sources()}
    modules = {_module(path): tree for path, tree in trees.items()}
    imports = {name: frozenset(_imported(tree, modules)) for name, tree in modules.items()}
    folders = Counter(path.parent for path in trees if path.name != "__init__.py")
    lines = {path: len(path.read_text("utf-8").splitlines()) for path in trees}
    touched = asyncio.run(_touched())
    return {
        "folders": len(folders),
        "fullest_folder": max(folders.values()),
        "mean_lines_of_a_folder": round(sum(lines.values()) / len(folders)),
        "folders_in_cycles": len(_in_cycles(_between_folders(imports))),
        "importers_of_storage": len(_outside(STORAGE, imports)),
        "class_names_defined_twice": len(classes_defined_twice(modules)),
        "modules_a_message_touches": len(touched),
        "lines": sum(lines.values()),
    }


def classes_defined_twice(modules: Mapping[str, ast.Module]) -> Mapping[str, list[str]]:
    """Public class names that more than one module defines, with those modules."""
    homes = defaultdict(list)
    for module, tree in modules.items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(module)
    return {name: found for name, found in homes.items() if len(found) > 1}


def _sources() -> Iterator[Path]:
    for package in PACKAGES:
        yield from sorted((ROOT / package).rglob("*.py"))


def _module(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(tree: ast.Module, modules: Mapping[str, ast.Module]) -> Iterator[str]:
    """Modules of ours that a module imports, wherever in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names if one.name in modules)
        elif isinstance(node, ast.ImportFrom) and node.module:
            below = {f"{node.module}.{one.name}" for one in node.names} & modules.keys()
            yield from below or {node.module} & modules.keys()


def _between_folders(imports: Mapping[str, Iterable[str]]) -> Mapping[str, set[str]]:
    """Which rooms a room imports: a room is a folder of a package, with all that is below it."""
    graph: dict[str, set[str]] = defaultdict(set)
    for module, found in imports.items():
        if module.endswith("__main__"):  # where everything is started from is in no room
            continue
        graph[_room(module)] |= {_room(one) for one in found} - {_room(module)}
    return graph


def _room(module: str) -> str:
    """The room of a module: its folder below the package.

    What stands flat in a package is one room with `model`, as in the contract on layers.
    """
    parts = module.split(".")
    folder = len(parts) > 1 and (ROOT / parts[0] / parts[1]).is_dir()
    return ".".join(parts[:2]) if folder and parts[1] != "model" else parts[0]


def _in_cycles(graph: Mapping[str, set[str]]) -> set[str]:
    """Rooms from which imports lead back to themselves."""
    return {start for start in graph if start in _reached(start, graph)}


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


async def _touched() -> set[str]:
    """Modules of ours of which something runs while a question is answered."""
    found: set[str] = set()
    watching = threading.Event()

    def watch(frame: FrameType, _event: str, _argument: Any) -> None:
        if watching.is_set():
            found.add(frame.f_code.co_filename)

    sys.setprofile(watch)
    threading.setprofile(watch)
    try:
        with TemporaryDirectory() as folder:
            async with open_app(bench_settings(Path(folder))) as app:
                await _asked(app.hub, "J'habite à Lyon et je travaille comme infirmière.")
                watching.set()
                await _asked(app.hub, "Tu te souviens où j'habite ?")
                watching.clear()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    ours = {str(path): _module(path) for path in _sources()}
    return {ours[name] for name in found if name in ours}


async def _asked(hub: LocalHub, text: str) -> None:
    room = direct_room(ASKER)
    talk = hub.talk(ASKER, room)
    async with asyncio.timeout(PATIENCE_S), talk.events() as events:
        await talk.say(text)
        async for event in events:
            if isinstance(event, Shown) and event.kind is AuthorKind.PET:
                break
    await asyncio.sleep(1)


if __name__ == "__main__":
    prepare_process()
    print(json.dumps(measure(), indent=2))
