"""Times what a lobby says on its way in: `python -m benchmarks.ingest FOLDER [MESSAGES]`.

Messages are durable when the inbox returns and searchable when the indexer has settled. Prints
its figures as one JSON object.
"""

import asyncio
import gc
import json
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.busy import CHUNK, heard
from benchmarks.figures import Figures, middle, spread
from benchmarks.repetition import times
from benchmarks.settings import bench_settings, prepare_process
from benchmarks.stalls import watched
from benchmarks.town import Talk
from bot.model.events import Inbound
from bot.wiring.app import App, open_app

MESSAGES = 10_000
"""How many are said in bulk."""

SENDERS = 64
"""Tasks that each send one message after the other, as a very busy evening would."""

RUNS = times(3, 1)
"""Each figure is the middle one of so many runs, each with a fresh data folder."""


async def measure(folder: Path, messages: int) -> Figures:
    """Receive messages in bulk and one by one, a few times, and time them."""
    bulk = [await _bulk(folder, messages, seed) for seed in range(RUNS)]
    single = [await _single(folder, messages // 4, seed) for seed in range(RUNS)]
    return {
        "messages": messages,
        "bulk": {
            "durable_per_s": round(middle(one[0] for one in bulk)),
            "searchable_per_s": round(middle(one[1] for one in bulk)),
            "stall_ms": round(middle(one[2] for one in bulk), 1),
        },
        "single": {
            "senders": SENDERS,
            "durable_per_s": round(middle(one[0] for one in single)),
            **spread([took for one in single for took in one[2]]),
            "stall_ms": round(middle(one[1] for one in single), 1),
        },
    }


async def _bulk(folder: Path, messages: int, seed: int) -> tuple[float, float, float]:
    """Messages a second until durable and until searchable, and the largest stall."""
    said = list(heard(Talk(seed), messages))
    async with _fresh_app(folder) as app:
        with watched() as stalls:
            started = perf_counter()
            for start in range(0, messages, CHUNK):
                await app.inbox.receive_all(said[start : start + CHUNK])
            durable = perf_counter() - started
            await app.services.indexer.settle()
            searchable = perf_counter() - started
        await _check(app, messages)
    return messages / durable, messages / searchable, stalls.largest_ms


async def _single(folder: Path, messages: int, seed: int) -> tuple[float, float, list[float]]:
    """Messages a second until durable, the largest stall, and each message's milliseconds."""
    said = list(heard(Talk(seed), messages))
    took_ms: list[float] = []
    async with _fresh_app(folder) as app:
        with watched() as stalls:
            started = perf_counter()
            async with asyncio.TaskGroup() as tasks:
                for sender in range(SENDERS):
                    tasks.create_task(_send(app, said[sender::SENDERS], took_ms))
            durable = perf_counter() - started
        await app.services.indexer.settle()
        await _check(app, messages)
    return messages / durable, stalls.largest_ms, took_ms


async def _send(app: App, said: Sequence[Inbound], took_ms: list[float]) -> None:
    for inbound in said:
        started = perf_counter()
        await app.inbox.receive(inbound)
        took_ms.append((perf_counter() - started) * 1000)


@asynccontextmanager
async def _fresh_app(folder: Path) -> AsyncIterator[App]:
    """A pet without a past, with its embedder and its index awake."""
    with TemporaryDirectory(dir=folder) as data:
        async with open_app(bench_settings(Path(data))) as app:
            await app.services.recall.warm_up()
            await app.inbox.receive_all(list(heard(Talk(-1), CHUNK)))
            await app.services.indexer.settle()
            gc.freeze()  # as the daemon does once it is warm
            yield app


async def _check(app: App, messages: int) -> None:
    """Make sure that what was timed really happened."""
    live = await app.storage.digests.live()
    waiting = await app.storage.outbox.waiting()
    if live.waiting != messages + CHUNK or waiting:
        raise AssertionError(f"{live.waiting} of {messages + CHUNK} live, {waiting} not indexed")


def main(folder: Path, messages: int) -> None:
    """Print the figures, as a process of its own."""
    prepare_process()
    print(json.dumps(asyncio.run(measure(folder, messages))))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else MESSAGES)
