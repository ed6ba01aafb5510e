"""The benchmarks by name, each in processes of its own and on a data folder made for it."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.checkout import run
from benchmarks.figures import Figures, machine

NAMES = ("recall", "ingest", "start")

RECALL_RUNS = 3
"""The run with the middle 95th percentile is the one that counts."""


def figures(names: Sequence[str], memories: int, said: Callable[[str], None]) -> Figures:
    """The figures of these benchmarks at so many memories; `said` is told what is going on."""
    found: Figures = {"machine": machine(), "memories": memories}
    with TemporaryDirectory(prefix="eko-bench-") as scratch:
        past = Path(scratch) / "past"
        if {"recall", "start"} & set(names):
            said(f"filling a data folder with {memories} memories")
            run("benchmarks.filling", str(past), str(memories))
        for name in names:
            said(f"measuring {name}")
            found[name] = _measured(name, past, memories)
    return found


def _measured(name: str, past: Path, memories: int) -> Any:
    if name == "ingest":
        return run("benchmarks.ingest", str(past.parent), str(max(640, memories // 10)))
    if name == "start":
        return run("benchmarks.start", str(past))
    runs = [run("benchmarks.recall", str(past)) for _ in range(RECALL_RUNS)]
    return sorted(runs, key=lambda one: float(one["p95_ms"]))[RECALL_RUNS // 2]


def lines_of(found: Figures, indent: str = "") -> Iterator[str]:
    """The figures as lines of words."""
    for name, figure in found.items():
        if isinstance(figure, dict):
            yield f"{indent}{name}"
            yield from lines_of(figure, indent + "  ")
        else:
            yield f"{indent}{name}: {figure}"
