"""Times the daemon's start, and weighs it after some talk: `python -m benchmarks.start FOLDER`.

Prints its figures as one JSON object. Linux only: it reads /proc.
"""

import asyncio
import json
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

import httpx2

from benchmarks.checkout import environment
from benchmarks.figures import Figures, middle
from benchmarks.mark import asked_of
from benchmarks.repetition import times
from benchmarks.settings import RATES
from benchmarks.town import RESIDENTS, Talk
from bot.lock import Holder, holder_of
from bot.surfaces.terminal.connection import RemoteOperations

RUNS = times(5, 1)
"""Starts; the figure is the middle one."""

ASKED = times(300, 10)
"""Questions answered before the daemon is weighed, each with a recall."""

PATIENCE_S = 60.0
"""A daemon that has not answered by then never will."""

POLL_S = 0.005
"""How often a starting daemon is looked at: the error of the figure, and little work for it."""


async def measure(folder: Path) -> Figures:
    """Start the daemon a few times, then talk with it and weigh it."""
    took_s = [await _started_and_stopped(folder) for _ in range(RUNS)]
    async with _daemon(folder) as (process, _):
        fresh = _weight(process.pid)
        async with _operations(folder) as operations:
            recalls = await _talk(operations, asked_of(folder, ASKED))
        after = _weight(process.pid)
    return {
        "start_s": round(middle(took_s), 2),
        "slowest_start_s": round(max(took_s), 2),
        "memory_at_start": fresh,
        "recalls": recalls,
        "memory_after": after,
    }


async def _started_and_stopped(folder: Path) -> float:
    async with _daemon(folder) as (_, took_s):
        return took_s


@asynccontextmanager
async def _daemon(folder: Path) -> AsyncIterator[tuple[asyncio.subprocess.Process, float]]:
    """A running daemon, and how many seconds it took until it answered."""
    started = perf_counter()
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "run", cwd=folder, env=_settings(folder),
        stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    try:
        async with asyncio.timeout(PATIENCE_S), _operations(folder) as operations:
            await _result(operations, "memories", {"limit": 1})
        yield process, perf_counter() - started
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        await process.wait()


def _settings(folder: Path) -> dict[str, str]:
    rates = {f"EKO_RATES__{name.upper()}": str(most) for name, most in RATES.items()}
    return (
        environment()
        | rates
        | {
            "EKO_DATA_DIR": str(folder),
            "EKO_WEB__PORT": "0",
            "EKO_DIGEST__ENABLED": "false",
            "EKO_BUDGET__PER_PERSON_TURNS": "100000",
            "EKO_COALESCING__DEBOUNCE_S": "0.05",
            "EKO_LOG__LEVEL": "error",
        }
    )


@asynccontextmanager
async def _operations(folder: Path) -> AsyncIterator[RemoteOperations]:
    """The daemon's operations, as soon as it takes any."""
    holder = await _listening(folder)
    transport = httpx2.AsyncHTTPTransport(uds=holder.socket)
    async with httpx2.AsyncClient(
        transport=transport, base_url="http://eko", timeout=None
    ) as client:
        yield RemoteOperations(client, holder)


async def _listening(folder: Path) -> Holder:
    while True:
        holder = holder_of(folder)
        if holder is not None and holder.socket is not None:
            return holder
        await asyncio.sleep(POLL_S)


async def _talk(operations: RemoteOperations, questions: int) -> int:
    """Have every resident ask in turn, all of them at once; how many recalls that made."""
    each = -(-questions // len(RESIDENTS))
    async with asyncio.TaskGroup() as tasks:
        talks = [
            tasks.create_task(_questions_of(operations, resident.name, number, each))
            for number, resident in enumerate(RESIDENTS)
        ]
    return sum(talk.result() for talk in talks)


async def _questions_of(operations: RemoteOperations, name: str, seed: int, count: int) -> int:
    talk, recalled = Talk(seed), 0
    for _ in range(count):
        arguments = {"text": talk.question().text, "name": name, "room": None}
        told = await _result(operations, "ask", arguments)
        recalled += told["recall"]["reason"] == "looked up"
    return recalled


async def _result(operations: RemoteOperations, name: str, arguments: Mapping[str, object]) -> Any:
    async for event in operations.call(name, arguments):
        if "error" in event:
            raise RuntimeError(event["error"])
        if "result" in event:
            return event["result"]
    raise RuntimeError(f"The daemon had no result for {name}.")


def _weight(pid: int) -> Figures:
    """Megabytes of the daemon and of its children, from smaps_rollup (proc_pid_smaps(5)).

    RSS counts every page a process has mapped, PSS divides shared ones among who shares them;
    both count pages of files, which the kernel takes back when it needs them. Private is the rest.
    """
    weights = {"daemon": [pid], "vectors": _children(pid)}
    return {
        f"{name}_{kind}_mb": round(sum(_kilobytes(one, field) for one in pids) / 1024)
        for name, pids in weights.items()
        for kind, field in (("rss", "Rss"), ("pss", "Pss"), ("private", "Pss_Anon"))
    }


def _children(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return [int(child) for task in tasks for child in (task / "children").read_text().split()]


def _kilobytes(pid: int, field: str) -> int:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text("utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{field}:"))


if __name__ == "__main__":
    print(json.dumps(asyncio.run(measure(Path(sys.argv[1])))))
