"""The daemon as a process of its own, to be talked to, stopped and killed."""

import asyncio
import signal
import sqlite3
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import httpx2

from bot.lock import holder_of
from bot.surfaces.terminal.connection import RemoteOperations
from tests.patience import PATIENCE_S
from tests.processes import Process, environment_of, forked

NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""For clients of plain HTTP: each would read the certificates of the world, which takes 30 ms."""

Begin = Callable[[Sequence[str], Mapping[str, str]], Awaitable[Process]]
"""How a process begins: forked, or as users begin it."""


class Daemon:
    """A process of `python -m bot`, with what it has written so far."""

    def __init__(self, process: Process, data_dir: Path) -> None:
        self.process = process
        self.lines: list[str] = []
        self._data_dir = data_dir
        self._written = asyncio.Condition()

    @property
    def output(self) -> str:
        """Everything it has written."""
        return "".join(self.lines)

    async def read(self) -> None:
        """Keep what it writes until it ends."""
        assert self.process.stdout is not None
        async for line in self.process.stdout:
            async with self._written:
                self.lines.append(line.decode())
                self._written.notify_all()
        async with self._written:
            self.lines.append("\n[it ended]\n")
            self._written.notify_all()

    async def has_written(self, text: str, times: int = 1) -> None:
        """Wait for a text in what it writes.

        Raises:
            AssertionError: it ended without.

        """
        async with asyncio.timeout(PATIENCE_S), self._written:
            await self._written.wait_for(
                lambda: self.output.count(text) >= times or "[it ended]" in self.output
            )
        assert self.output.count(text) >= times, self.output

    async def does(self, operation: str, **arguments: Any) -> dict[str, Any]:
        """The result of an operation, over its control socket."""
        holder = holder_of(self._data_dir)
        assert holder is not None
        assert holder.socket is not None
        transport = httpx2.AsyncHTTPTransport(uds=holder.socket, verify=NO_TLS)
        async with httpx2.AsyncClient(
            transport=transport, base_url="http://eko", timeout=PATIENCE_S
        ) as client:
            async for event in RemoteOperations(client, holder).call(operation, arguments):
                if "progress" not in event:
                    return event
        raise AssertionError("the operation ended without a result")

    async def ends(self) -> int:
        """Wait for its end; its status."""
        async with asyncio.timeout(PATIENCE_S):
            return await self.process.wait()

    async def interrupted(self) -> int:
        """Ctrl-C, then its status."""
        self.process.send_signal(signal.SIGINT)
        return await self.ends()

    async def killed(self) -> None:
        """`kill -9`, which no process can prepare for."""
        self.process.kill()
        assert await self.ends() == -signal.SIGKILL


@asynccontextmanager
async def running(
    data_dir: Path, settings: Mapping[str, str], *command: str, begin: Begin = forked
) -> AsyncIterator[Daemon]:
    """A process with these settings, killed at the end if it still runs."""
    given = {"EKO_DATA_DIR": str(data_dir), "EKO_WEB__ENABLED": "false", **settings}
    process = await begin(command or ("run",), environment_of(given))
    daemon = Daemon(process, data_dir)
    reading = asyncio.create_task(daemon.read())
    try:
        yield daemon
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        await reading


@asynccontextmanager
async def awake(
    data_dir: Path, settings: Mapping[str, str], begin: Begin = forked
) -> AsyncIterator[Daemon]:
    """A daemon that has said that it is awake."""
    async with running(data_dir, settings, begin=begin) as daemon:
        await daemon.has_written("is awake")
        yield daemon


def kept(data_dir: Path, query: str) -> list[tuple[Any, ...]]:
    """Rows of the database of a daemon that has ended."""
    with closing(sqlite3.connect(data_dir / "eko.sqlite3")) as raw:
        return raw.execute(query).fetchall()
