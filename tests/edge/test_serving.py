"""The server is a guest in the daemon's loop: it takes a port, leaves signals, and goes in time."""

import asyncio
import logging
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from fastapi import FastAPI
from starlette.responses import StreamingResponse

from bot.daemon.http_server import listen, serve
from bot.errors import PortTaken
from tests.patience import PATIENCE_S


def free_port() -> int:
    """A port nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def application(
    started: asyncio.Event, entered: asyncio.Event, ended: asyncio.Event | None = None
) -> FastAPI:
    """An application that says when it runs and ends, and has a request that never ends."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        started.set()
        yield
        if ended is not None:
            ended.set()

    app = FastAPI(lifespan=lifespan)

    @app.get("/endless")
    async def endless() -> StreamingResponse:
        async def bytes_for_ever() -> AsyncIterator[bytes]:
            yield b"first"
            entered.set()
            await asyncio.Event().wait()

        return StreamingResponse(bytes_for_ever())

    return app


def starting(ready: asyncio.Event) -> FastAPI:
    """An application that says when it begins to start, and takes some turns of the loop for it."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        ready.set()
        for _turn in range(10):
            await asyncio.sleep(0)
        yield

    return FastAPI(lifespan=lifespan)


def test_a_taken_port_is_one_clear_sentence() -> None:
    """Whoever starts a second daemon reads what to do, and no traceback of a socket."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(PortTaken, match=f"port {port}: another program uses it; stop"):
            listen("127.0.0.1", port)


def test_an_address_of_another_machine_is_one_clear_sentence() -> None:
    """A host that is not this machine's cannot be listened on."""
    with pytest.raises(PortTaken, match="this machine has no such address"):
        listen("192.0.2.1", 8000)


async def test_it_stops_in_time_with_somebody_still_connected() -> None:
    """An endless request is cut, and the port can be taken again."""
    started, entered = asyncio.Event(), asyncio.Event()
    port = free_port()
    serving = asyncio.create_task(serve(application(started, entered), listen("127.0.0.1", port)))
    await started.wait()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n")
    await entered.wait()
    serving.cancel()
    async with asyncio.timeout(PATIENCE_S):
        with pytest.raises(asyncio.CancelledError):
            await serving
    assert b"200 OK" in await reader.read()
    writer.close()
    socket.create_server(("127.0.0.1", port)).close()


async def test_it_is_not_cut_short_by_an_owner_that_cancels_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The application is told of the end all the same, and no traceback is logged."""
    started, entered, ended = asyncio.Event(), asyncio.Event(), asyncio.Event()
    port = free_port()
    app = application(started, entered, ended)
    serving = asyncio.create_task(serve(app, listen("127.0.0.1", port)))
    await started.wait()
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n")
    await entered.wait()
    async with asyncio.timeout(PATIENCE_S):
        while not serving.done():
            serving.cancel()
            await asyncio.wait({serving}, timeout=0.2)
    assert ended.is_set()
    assert caplog.text == ""
    writer.close()


async def test_it_says_that_it_answers_once_it_does() -> None:
    """Not while the application is still starting, though the port is taken already."""
    ready, answering = asyncio.Event(), asyncio.Event()
    port = free_port()
    listener = listen("127.0.0.1", port)
    serving = asyncio.create_task(serve(starting(ready), listener, answering))
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    await ready.wait()
    assert not answering.is_set()
    await answering.wait()
    assert b"HTTP/1.1 404" in await reader.read()
    writer.close()
    serving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await serving


async def test_signals_stay_with_the_daemon() -> None:
    """While it serves, the handlers are the ones that were there before."""
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    started = asyncio.Event()
    port = free_port()
    serving = asyncio.create_task(
        serve(application(started, asyncio.Event()), listen("127.0.0.1", port))
    )
    await started.wait()
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before
    writer.close()
    serving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await serving


async def test_how_the_server_is_heard_stays_with_the_daemon() -> None:
    """Its loggers pass on what they hear, so that what goes wrong in it is read."""
    started = asyncio.Event()
    serving = asyncio.create_task(
        serve(application(started, asyncio.Event()), listen("127.0.0.1", free_port()))
    )
    await started.wait()
    assert logging.getLogger("uvicorn.access").propagate
    serving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await serving
