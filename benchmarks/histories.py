"""A long history comes along: `python -m benchmarks.histories FOLDER [LINES] [--settle] [--undo]`.

A pet without a key, warm as a daemon is, its embedder as it ships. Shows how long the look, the
import and, if asked for, the learning and embedding of its lines and the undoing take, how long
each holds the event loop, how soon somebody who asks something three times a second is answered
meanwhile, and the peak of memory.
"""

import asyncio
import json
import os
import resource
import sys
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.figures import percentile
from benchmarks.processes import resident_mb
from benchmarks.settings import bench_settings, prepare_process
from benchmarks.stalls import watched
from bot.daemon.clockwork import warm_up
from bot.surfaces.operations import Operations
from bot.wiring.app import App, open_app
from config.sections.conversation import CoalescingSettings

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
QUESTION = "où est-ce que j'habite ?"
ASK_EVERY_S = 0.3
NOTHING_S = 10
"""How long it is measured beside nothing."""

SHARES = ((0.5, "p50"), (0.95, "p95"), (0.99, "p99"), (0.999, "p99.9"), (1.0, "max"))


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
async def measured(app: App, what: str) -> AsyncIterator[None]:
    """Print how long the body took, its memory, how long the loop was held, and answers.

    The peak of memory counts pages of the database, of which up to 2 GB are mapped; its own, as it
    is in the end, are without them.
    `late` is how late a timer rang, which others on the machine can cause; `held` is how long the
    processor worked for the loop meanwhile.
    """
    began, worked = time.perf_counter(), time.process_time()
    answered: list[float] = []
    asking = asyncio.create_task(_ask(app, answered))
    with watched() as stalls:
        yield
    asking.cancel()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    own = resident_mb(os.getpid(), "RssAnon")
    print(
        f"{what}: {time.perf_counter() - began:.1f} s, {time.process_time() - worked:.1f} s of the "
        f"processor, peak {peak:.0f} MB, its own {own:.0f}; ms: late {_ranked(stalls.late_ms)}, "
        f"held {_ranked(stalls.busy_ms)}, answered {_ranked(answered)}",
        flush=True,
    )


def _ranked(values: Sequence[float]) -> str:
    shares = ((percentile(values, share), name) for share, name in SHARES)
    return ", ".join(f"{name} {value:.1f}" for value, name in shares) + f" ({len(values)})"


async def _ask(app: App, answered: list[float]) -> None:
    """Ask again and again, as one person in their direct room; how many milliseconds each took."""
    while True:
        asked = time.perf_counter()
        await does(app, "ask", {"text": QUESTION, "name": "Zoé"})
        answered.append((time.perf_counter() - asked) * 1000)
        await asyncio.sleep(ASK_EVERY_S)


async def does(app: App, operation: str, arguments: Mapping[str, object]) -> object:
    """What an operation ends with."""
    last: object = None
    async for event in Operations(app).call(operation, arguments):
        last = event
    return last


async def run(folder: Path, lines: int, *, settles: bool, undoes: bool) -> None:
    """Look at a history and bring it along; let it be learnt, and take it back, if asked for."""
    path = folder / "history.jsonl"
    await asyncio.to_thread(write_history, path, lines)
    settings = bench_settings(folder / "pet").model_copy(
        update={"coalescing": CoalescingSettings(debounce_s=0, max_wait_s=0)}
    )
    async with open_app(settings) as app:
        await warm_up(app)
        await does(app, "ask", {"text": QUESTION, "name": "Zoé"})  # loads what all answers need
        async with measured(app, "nothing"):
            await asyncio.sleep(NOTHING_S)
        asked: dict[str, object] = {"path": str(path)}
        async with measured(app, "look"):
            await does(app, "history_preview", asked)
        async with measured(app, "import"):
            print(await does(app, "history_import", asked))
        if settles:
            async with measured(app, "learnt and embedded"):
                await app.services.history_learning.settle()
                await app.services.indexer.settle()
        async with measured(app, "again"):
            print(await does(app, "history_import", asked))
        if undoes:
            async with measured(app, "undo"):
                print(await does(app, "history_undo", {"id": 1, "confirmed": True}))


if __name__ == "__main__":
    prepare_process()
    chosen = [one for one in sys.argv[1:] if not one.startswith("--")]
    wanted = int(chosen[1]) if len(chosen) > 1 else 400_000
    asyncio.run(
        run(
            Path(chosen[0]),
            wanted,
            settles="--settle" in sys.argv,
            undoes="--undo" in sys.argv,
        )
    )
