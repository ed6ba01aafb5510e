"""Where a command's operation runs: in the daemon that holds the data folder, or right here."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import httpx2

from bot.lock import STARTING, Holder, held, holder_of, this_process
from config.settings import Settings
from memory.clock import SystemClock

if TYPE_CHECKING:
    from bot.surfaces.values import Event

STARTING_S = 60
"""Seconds that a command waits for a daemon that starts, which takes some seconds."""

LOOK_S = 0.1


class OperationRunner(Protocol):
    """Runs operations by name."""

    def call(self, name: str, arguments: Mapping[str, Any]) -> "AsyncIterator[Event]":
        """The events of an operation, the last one its result or its error."""
        ...


class RemoteOperations:
    """The operations of a running daemon, over its control socket."""

    def __init__(self, client: httpx2.AsyncClient, holder: Holder) -> None:
        self._client = client
        self._holder = holder

    async def call(self, name: str, arguments: Mapping[str, Any]) -> "AsyncIterator[Event]":
        """The events of an operation, the last one its result or its error."""
        body = json.dumps(arguments)
        try:
            async with self._client.stream("POST", f"/operations/{name}", content=body) as answer:
                async for line in answer.aiter_lines():
                    yield json.loads(line)
        except httpx2.TransportError as error:
            yield {"error": f"The daemon (process {self._holder.pid}) went away ({error})."}


@asynccontextmanager
async def connect(
    settings: Settings, doing: str, *, resuming: bool = False
) -> AsyncIterator[OperationRunner]:
    """The running daemon's operations, or those of an app opened here while the body runs.

    An app opened here takes up what a crash left unfinished when it is `resuming`.

    Raises:
        AlreadyRunning: another command holds the data folder and takes no operations.
        FolderRefused: the data folder cannot be made or written to.
        DatabaseRefused: the database cannot be used as it is.

    """
    holder = await _holder(settings.data_dir)
    if holder is not None and holder.socket is not None:
        async with asking(holder.socket) as client:
            yield RemoteOperations(client, holder)
        return
    # Here, since it takes a second of processor, and asking a running daemon needs none of it.
    from bot.surfaces.operations import Operations
    from bot.wiring.app import open_app

    with held(settings.data_dir, this_process(doing, SystemClock().now())):
        async with open_app(settings, resuming=resuming) as app:
            yield Operations(app)


async def _holder(data_dir: Path) -> Holder | None:
    """Who holds the data folder; a daemon that starts is awaited, until it takes operations.

    `eko login` right after `systemctl start eko` would else be told to stop it.
    """
    with suppress(TimeoutError):
        async with asyncio.timeout(STARTING_S):
            while (holder := holder_of(data_dir)) and holder.doing == STARTING:  # noqa: ASYNC110 - another process tells of nothing
                await asyncio.sleep(LOOK_S)
    return holder


@asynccontextmanager
async def asking(
    socket: str, headers: Mapping[str, str] | None = None
) -> AsyncIterator[httpx2.AsyncClient]:
    """A client of what a daemon serves on its control socket, for as long as it takes."""
    transport = httpx2.AsyncHTTPTransport(uds=socket)
    async with httpx2.AsyncClient(
        transport=transport, base_url="http://eko", headers=headers, timeout=None
    ) as client:
        yield client
