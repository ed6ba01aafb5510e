"""The benchmarks by name, each in processes of its own and on a data folder made for it."""

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.checkout import run
from benchmarks.figures import Figures, machine
from benchmarks.mark import Mark, NotFilled
from benchmarks.repetition import times

NAMES = ("recall", "vectors", "ingest", "start")

RECALL_RUNS = times(3, 1)
"""The run with the middle 95th percentile is the one that counts."""

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to measure, and on how much.

    `folder` is kept filled for the next time. `busy` has recall asked during other work.
    """

    names: Sequence[str]
    memories: int
    folder: Path | None = None
    busy: bool = False


def figures(plan: Plan, said: Say) -> Figures:
    """The figures of the plan's benchmarks; `said` is told what is going on.

    Raises:
        NotFilled: the folder holds something else.
        subprocess.CalledProcessError: a benchmark failed.

    """
    about: Figures = {"machine": machine(), "memories": plan.memories}
    found: dict[str, Any] = {}
    with TemporaryDirectory(prefix="eko-bench-") as scratch:
        past = plan.folder or Path(scratch) / "past"
        if {"recall", "start"} & set(plan.names):
            _fill(past, plan.memories, said)
        for name in plan.names:
            said(f"measuring {name}")
            found[name] = _measured(name, plan, past, Path(scratch))
    return about | (found if len(found) > 1 else found[plan.names[0]])


def _fill(past: Path, memories: int, said: Say) -> None:
    """Fill the folder unless it is."""
    mark = Mark.on(past)
    if mark is None:
        said(f"filling a data folder with {memories} memories")
        run("benchmarks.filling", str(past), str(memories))
    elif mark.memories != memories:
        raise NotFilled(f"{past} was filled with {mark.memories} memories, not with {memories}.")


def _measured(name: str, plan: Plan, past: Path, scratch: Path) -> Any:
    if name == "ingest":
        return run("benchmarks.ingest", str(scratch), str(max(640, plan.memories // 10)))
    if name == "vectors":
        return run("benchmarks.vectors", str(plan.memories))
    if name == "start":
        return run("benchmarks.start", str(_spare(past, scratch)))
    if plan.busy:
        return run("benchmarks.recall", str(_spare(past, scratch)), "busy")
    runs = [run("benchmarks.recall", str(past)) for _ in range(RECALL_RUNS)]
    return sorted(runs, key=lambda one: float(one["p95_ms"]))[RECALL_RUNS // 2]


def _spare(past: Path, scratch: Path) -> Path:
    """A folder that may be written to: what is kept for the next time stays as it was filled."""
    if past.parent == scratch:
        return past
    spare = scratch / "spare"
    shutil.rmtree(spare, ignore_errors=True)
    shutil.copytree(past, spare)
    return spare


def lines_of(found: Figures, indent: str = "") -> Iterator[str]:
    """The figures as lines of words."""
    for name, figure in found.items():
        if isinstance(figure, dict):
            yield f"{indent}{name}"
            yield from lines_of(figure, indent + "  ")
        else:
            yield f"{indent}{name}: {figure}"
