"""Holds idle connections to the page of a fresh pet: `python -m benchmarks.idle_connections`.

Some say nothing, some half a header, some a letter of one a second, some idle after an answer. Each
that is ended is opened again. Meanwhile the page and the command line are asked. Prints its figures
as one JSON object, and ends with status 1 where one is over its aim. Linux only, as the daemon is
given as few descriptors as systems commonly give.
"""

import argparse
import asyncio
import json
import resource
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import httpx2

from benchmarks.checkout import environment
from benchmarks.figures import Figures, middle
from bot.lock import Holder, holder_of
from bot.surfaces.terminal.connection import RemoteOperations
from memory.tasks import background_task

WITHIN_S = 1.0
"""The aim for an answer of the page and of the command line."""

MOST_LINES = 100
"""The aim for the log."""

DESCRIPTORS = 1024
"""What a process may have open where nothing else was chosen."""

ASK_EVERY_S = 5.0
DRIP_EVERY_S = 1.0
AGAIN_AFTER_S = 5.0
POLL_S = 0.05

_KINDS = (b"", b"GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ", b"drip", b"idle")
_DRIP = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-A: "
_WHOLE = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Holding:
    """Connections that are held, and how often they were ended."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.open = 0
        self.ended = 0
        self.refused = 0

    async def hold(self, kind: bytes) -> None:
        """Hold one connection of a kind for ever, again each time that it is ended."""
        while True:
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
            except OSError:
                self.refused += 1
                await asyncio.sleep(AGAIN_AFTER_S)
                continue
            self.open += 1
            try:
                await self._hold(reader, writer, kind)
            finally:
                self.open -= 1
                self.ended += 1
                writer.close()
            await asyncio.sleep(AGAIN_AFTER_S)

    async def _hold(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, kind: bytes
    ) -> None:
        with suppress(OSError):
            writer.write({b"drip": _DRIP, b"idle": _WHOLE}.get(kind, kind))
            if kind == b"drip":
                async with background_task(_drip(writer), name="drip"):
                    await reader.read()
            else:
                await reader.read()


async def _drip(writer: asyncio.StreamWriter) -> None:
    while True:
        await asyncio.sleep(DRIP_EVERY_S)
        writer.write(b"a")


async def measure(folder: Path, connections: int, seconds: float) -> Figures:
    """Ask a daemon while so many connections are held, for so long."""
    log = folder / "eko.log"
    async with pet_in(folder, log) as holder:
        page = str(holder.page)
        holding = Holding(int(page.rpartition(":")[2]))
        quiet = await _asked(folder)
        asked: list[Mapping[str, float]] = []
        async with asyncio.TaskGroup() as tasks:
            held = [
                tasks.create_task(holding.hold(kind)) for kind in islice(cycle(_KINDS), connections)
            ]
            until = perf_counter() + seconds
            while perf_counter() < until:
                await asyncio.sleep(ASK_EVERY_S)
                asked.append(await _asked(folder))
            held_at_end = holding.open
            for one in held:
                one.cancel()
    lines = log.read_bytes().count(b"\n")
    slowest = {key: max(one[key] for one in asked) for key in quiet}
    slow = [key for key, answered_s in slowest.items() if answered_s > WITHIN_S]
    return {
        "connections": connections,
        "held_at_end": held_at_end,
        "ended_by_the_daemon": holding.ended - connections,
        "not_taken": holding.refused,
        "asked": len(asked),
        "before": quiet,
        "middle": {key: middle([one[key] for one in asked]) for key in quiet},
        "slowest": slowest,
        "log_lines": lines,
        "log_bytes": log.stat().st_size,
        "missed": slow + (["log_lines"] if lines >= MOST_LINES else []),
    }


async def _asked(folder: Path) -> Mapping[str, float]:
    """The same from a process of its own: this one is busy with what it holds."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "benchmarks.idle_connections", "--ask", str(folder),
        env=environment(), stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, _ = await process.communicate()
    if process.returncode:
        raise RuntimeError("The page or the command line did not answer.")
    answered: Mapping[str, float] = json.loads(out)
    return answered


async def ask(folder: Path) -> Mapping[str, float]:
    """Seconds until the page, an operation and a whole command have answered."""
    holder = await _serving(folder)
    return {
        "page_s": await _timed(partial(_page_answers, str(holder.page))),
        "operation_s": await _timed(partial(_operation_answers, holder)),
        "command_s": await _timed(partial(_command_answers, folder)),
    }


async def _timed(work: Callable[[], Awaitable[None]]) -> float:
    begun = perf_counter()
    await work()
    return round(perf_counter() - begun, 3)


async def _page_answers(page: str) -> None:
    async with httpx2.AsyncClient(timeout=60) as client:
        (await client.get(f"{page}/")).raise_for_status()


async def _operation_answers(holder: Holder) -> None:
    async with operations_of(holder) as pet:
        async for event in pet.call("usage", {}):
            if "error" in event:
                raise RuntimeError(event["error"])


@asynccontextmanager
async def operations_of(holder: Holder) -> AsyncIterator[RemoteOperations]:
    """What a daemon does when it is asked over its control socket."""
    transport = httpx2.AsyncHTTPTransport(uds=str(holder.socket))
    async with httpx2.AsyncClient(transport=transport, base_url="http://eko", timeout=60) as client:
        yield RemoteOperations(client, holder)


async def _command_answers(folder: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "usage", "--json",
        cwd=folder, env=_settings(folder), stdout=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    if await process.wait():
        raise RuntimeError("eko usage failed")


@asynccontextmanager
async def pet_in(folder: Path, log: Path) -> AsyncIterator[Holder]:
    """A daemon with a page and as few descriptors as there commonly are."""
    with log.open("wb") as errors:
        process = await asyncio.create_subprocess_exec(
            "/bin/sh", "-c", f'ulimit -n {DESCRIPTORS}; exec "$0" -m bot run', sys.executable,
            cwd=folder, env=_settings(folder), stdout=asyncio.subprocess.DEVNULL, stderr=errors,
        )  # fmt: skip
    try:
        yield await _serving(folder)
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        await process.wait()


async def _serving(folder: Path) -> Holder:
    while True:
        holder = holder_of(folder)
        if holder is not None and holder.page is not None:
            return holder
        await asyncio.sleep(POLL_S)


def _settings(folder: Path) -> dict[str, str]:
    return environment() | {
        "EKO_DATA_DIR": str(folder),
        "EKO_WEB__PORT": "0",
        "EKO_LOG__FORMAT": "json",
    }


def main() -> None:
    """Measure, print, and say by the status whether the aims were reached."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--connections", type=int, default=1500)
    parser.add_argument("--seconds", type=float, default=180)
    parser.add_argument("--ask", type=Path, help="only ask the daemon of this folder, once")
    chosen = parser.parse_args()
    if chosen.ask is not None:
        print(json.dumps(asyncio.run(ask(chosen.ask))))
        return
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with TemporaryDirectory() as folder:
        found = asyncio.run(measure(Path(folder), chosen.connections, chosen.seconds))
    print(json.dumps(found, indent=1))
    sys.exit(bool(found["missed"]))


if __name__ == "__main__":
    main()
