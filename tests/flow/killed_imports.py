"""Kills an import ten times on its way: python -m tests.flow.killed_imports FOLDER SEED.

A child is forked each time that goes on with the same file, and is killed with -9 somewhere. What
the last one leaves is brought to its end and printed: the import, and how often a line is there.
"""

import asyncio
import json
import logging
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import structlog

from bot.surfaces.operations import Operations
from bot.wiring.app import App
from tests.flow.brought import brings, does, history, line, pet

KILLS = 10
LINES = 1_200
EQUAL = 300
"""Lines of one minute with the same words, more than one transaction takes."""

_MOST_BATCHES, _LATEST_S = 1, 0.03
"""A child is killed so many batches on at most, and so long after that."""


def main() -> None:
    """Kill it again and again, then let it end."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    folder, random = Path(sys.argv[1]), Random(sys.argv[2])
    same = [line("Zoé", "ok", 1) for _ in range(EQUAL)]
    others = [line("Bastien", f"j'aime le numéro {n}", 2 + n // 7) for n in range(LINES - EQUAL)]
    path = history(folder, [*same, *others])
    killed = sum(_killed(folder, path, random) for _ in range(KILLS))
    sys.stdout.write(json.dumps({"killed": killed, **asyncio.run(_ended(folder, path))}))


def _killed(folder: Path, path: Path, random: Random) -> bool:
    """Whether a child was killed after some batches; it may have ended before."""
    with _child(folder, path) as (child, told):
        for _ in range(random.randint(0, _MOST_BATCHES)):
            os.read(told, 1)
        time.sleep(random.uniform(0, _LATEST_S))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


@contextmanager
def _child(folder: Path, path: Path) -> Iterator[tuple[int, int]]:
    """A child that imports, and a pipe that has a byte for each batch that it took in anew."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        asyncio.run(_imports(folder, path, writing))
        os._exit(0)
    os.close(writing)
    yield child, reading
    os.close(reading)


async def _imports(folder: Path, path: Path, telling: int) -> None:
    async with pet(folder) as app:
        known = await _counted(app, "SELECT coalesce(max(read_to), 0) FROM imports")
        async for event in Operations(app).call("history_import", {"path": str(path)}):
            if event.get("progress", {}).get("done", 0) > known:
                os.write(telling, b".")


async def _ended(folder: Path, path: Path) -> dict[str, object]:
    async with pet(folder) as app:
        before = await _counted(app, "SELECT count(*) FROM messages")
        done = await brings(app, path)
        told = {
            "before": before,
            "imports": len((await does(app, "history_list"))["imports"]),
            "counts": done["counts"],
            "lines": await _counted(app, "SELECT count(*) FROM messages WHERE brought_by = 1"),
            "texts": await _counted(app, "SELECT count(DISTINCT text) FROM messages"),
            "learnt": await _counted(app, "SELECT count(*) FROM memories WHERE content <> ''"),
        }
        await does(app, "history_undo", id=done["id"], confirmed=True)
        left = await _counted(app, "SELECT count(*) FROM messages WHERE text <> ''")
    files = (one.read_bytes() for one in (folder / "pet").rglob("*") if one.is_file())
    return {**told, "left": left, "bytes_left": sum(b"Bastien" in one for one in files)}


async def _counted(app: App, sql: str) -> int:
    (row,) = await app.storage.database.all(sql)
    return int(row[0])


if __name__ == "__main__":
    main()
