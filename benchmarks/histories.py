"""A long history comes along: `python -m benchmarks.histories FOLDER [LINES] [--undo]`.

A pet without a key, its embedder as it ships. Shows how long the look, the import and, if asked
for, the undoing take, the longest stall of the event loop in each, and the peak of memory.
"""

import asyncio
import json
import resource
import sys
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.settings import bench_settings, prepare_process
from bot.surfaces.operations import Operations
from bot.wiring.app import App, open_app

SAID = (
    "on se voit samedi ?",
    "haha oui carrément",
    "j'habite à Lyon depuis peu",
    "tu as vu le match hier soir ? quelle fin incroyable",
    "ok",
    "je suis allergique aux arachides, pense à le dire au resto",
    "https://example.org/article",
    "je te rappelle quand je sors du bureau, pas avant sept heures je pense",
)
"""What people say in it, again and again, each time with a number."""

AUTHORS = ("Zoé", "Bastien", "Inès", "Karim")
BEGINS = datetime(2019, 1, 1, tzinfo=UTC)
LOOK_S = 0.002
"""Between two looks at the clock: what comes later than that is a stall."""


def write_history(path: Path, lines: int) -> None:
    """A file with so many lines, three a minute."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        for number in range(lines):
            row = {
                "author": AUTHORS[number * 7 % len(AUTHORS)],
                "text": f"{SAID[number * 5 % len(SAID)]} {number % 97}",
                "at": (BEGINS + timedelta(seconds=20 * number)).isoformat(),
            }
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


@asynccontextmanager
async def watched(what: str) -> AsyncIterator[None]:
    """Print how long the body took, the stalls of the loop meanwhile, and the peak of memory."""
    stalls: list[float] = []

    async def look() -> None:
        while True:
            before = time.perf_counter()
            await asyncio.sleep(LOOK_S)
            stalls.append(time.perf_counter() - before - LOOK_S)

    began = time.perf_counter()
    looking = asyncio.create_task(look())
    yield
    looking.cancel()
    ranked = sorted(stalls)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    half, most = ranked[len(ranked) // 2], ranked[int(len(ranked) * 0.99)]
    print(
        f"{what}: {time.perf_counter() - began:.1f} s, stalls p50 {half * 1e3:.1f} "
        f"p99 {most * 1e3:.1f} max {ranked[-1] * 1e3:.1f} ms, peak {peak:.0f} MB",
        flush=True,
    )


async def does(app: App, operation: str, arguments: Mapping[str, object]) -> object:
    """What an operation ends with."""
    last: object = None
    async for event in Operations(app).call(operation, arguments):
        last = event
    return last


async def run(folder: Path, lines: int, *, undoes: bool) -> None:
    """Look at a history, bring it along, and take it back if that is asked for."""
    path = folder / "history.jsonl"
    await asyncio.to_thread(write_history, path, lines)
    async with open_app(bench_settings(folder / "pet")) as app:
        await does(app, "history_list", {})  # loads what all operations need
        asked: dict[str, object] = {"path": str(path)}
        async with watched("look"):
            await does(app, "history_preview", asked)
        async with watched("import"):
            print(await does(app, "history_import", asked))
        async with watched("again"):
            print(await does(app, "history_import", asked))
        if undoes:
            async with watched("undo"):
                print(await does(app, "history_undo", {"id": 1, "confirmed": True}))


if __name__ == "__main__":
    prepare_process()
    chosen = [one for one in sys.argv[1:] if not one.startswith("--")]
    wanted = int(chosen[1]) if len(chosen) > 1 else 400_000
    asyncio.run(run(Path(chosen[0]), wanted, undoes="--undo" in sys.argv))
