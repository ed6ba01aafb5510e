"""Peers that hold connections open, against the real server: each is ended, others answered."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from ipaddress import ip_network

import pytest
from fastapi import FastAPI, Request, WebSocket
from starlette.responses import StreamingResponse

from bot.daemon.connections import ConnectionLimits
from bot.daemon.http_server import listen, serve
from tests.patience import PATIENCE_S

SHORT = 0.2
"""Seconds that a limit under test allows."""

GET = b"GET /who HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST /echo HTTP/1.1\r\nHost: localhost\r\n"
UPGRADE = (
    b"GET /socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
PATIENT = ConnectionLimits(
    headers_s=PATIENCE_S, body_s=PATIENCE_S, idle_s=PATIENCE_S, unread_s=PATIENCE_S
)

Peer = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Dial = Callable[[], "asyncio.Task[Peer]"]


def application(poured: asyncio.Event) -> FastAPI:
    """An application that says who asks, repeats, pours out until it cannot, and holds sockets."""
    app = FastAPI()

    @app.get("/who")
    async def who(request: Request) -> dict[str, str]:
        assert request.client is not None
        return {"who": request.client.host, "scheme": request.url.scheme}

    @app.post("/echo")
    async def echo(request: Request) -> dict[str, int]:
        return {"bytes": len(await request.body())}

    @app.get("/flood")
    async def flood() -> StreamingResponse:
        async def much() -> AsyncIterator[bytes]:
            try:
                while True:
                    yield b"x" * 65536
                    await asyncio.sleep(0)
            finally:
                poured.set()

        return StreamingResponse(much())

    @app.websocket("/socket")
    async def hold(socket: WebSocket) -> None:
        await socket.accept()
        with suppress(Exception):
            while True:
                await socket.receive_text()

    return app


@asynccontextmanager
async def served(
    limits: ConnectionLimits, poured: asyncio.Event | None = None
) -> AsyncIterator[Dial]:
    """A way to connect to the server that has these limits."""
    listener = listen("127.0.0.1", 0)
    port = listener.getsockname()[1]
    answering = asyncio.Event()
    app = application(poured or asyncio.Event())
    serving = asyncio.create_task(serve(app, listener, answering, limits))
    await answering.wait()
    peers: list[asyncio.Task[Peer]] = []

    def dial() -> "asyncio.Task[Peer]":
        peers.append(asyncio.create_task(asyncio.open_connection("127.0.0.1", port)))
        return peers[-1]

    try:
        yield dial
    finally:
        for peer in peers:
            (await peer)[1].close()
        serving.cancel()
        with suppress(asyncio.CancelledError):
            await serving


async def rest(reader: asyncio.StreamReader) -> bytes:
    """What still comes until the server ends the connection."""
    said = b""
    async with asyncio.timeout(PATIENCE_S):
        with suppress(ConnectionError):
            while part := await reader.read(65536):
                said += part
    return said


async def answer(peer: Peer, request: bytes) -> bytes:
    """The head of the answer to a request, and what came with it."""
    reader, writer = peer
    writer.write(request)
    async with asyncio.timeout(PATIENCE_S):
        return await reader.readuntil(b"\r\n\r\n")


@pytest.mark.parametrize("begun", [b"", b"G", GET, GET + b"X-A: b\r\n", GET + b"\r\n" + b"GET"])
async def test_headers_have_to_be_finished_in_time(begun: bytes) -> None:
    """Nothing at all, half a request, and half of the second one."""
    async with served(replace(PATIENT, headers_s=SHORT)) as dial:
        reader, writer = await dial()
        writer.write(begun)
        await rest(reader)


@pytest.mark.parametrize(
    ("limits", "begun", "drop"),
    [
        (replace(PATIENT, headers_s=SHORT), GET, b"X-A: b\r\n"),
        (replace(PATIENT, body_s=SHORT), POST + b"Content-Length: 9999\r\n\r\n", b"x"),
        (replace(PATIENT, body_s=SHORT), GET + b"Content-Length: 9999\r\n\r\n", b"x"),
    ],
    ids=["headers", "body", "a body that nobody reads"],
)
async def test_a_drop_now_and_then_keeps_no_connection(
    limits: ConnectionLimits, begun: bytes, drop: bytes
) -> None:
    """The limit is for the whole, not for each byte."""
    async with served(limits) as dial:
        reader, writer = await dial()
        writer.write(begun)
        ended = asyncio.create_task(rest(reader))
        async with asyncio.timeout(PATIENCE_S):
            while not ended.done():
                with suppress(ConnectionError):
                    writer.write(drop)
                    await writer.drain()
                await asyncio.sleep(SHORT / 10)


async def test_a_connection_that_idles_is_ended() -> None:
    """After an answer as well as before the first request."""
    async with served(replace(PATIENT, idle_s=SHORT)) as dial:
        peer = await dial()
        assert b"200 OK" in await answer(peer, GET + b"\r\n")
        await rest(peer[0])


async def test_a_peer_that_reads_nothing_is_ended() -> None:
    """What it was to be sent fills no memory, and its connection is free again."""
    poured = asyncio.Event()
    async with served(replace(PATIENT, unread_s=SHORT), poured) as dial:
        reader, writer = await dial()
        writer.write(GET.replace(b"/who", b"/flood") + b"\r\n")
        async with asyncio.timeout(PATIENCE_S):
            await poured.wait()
        await rest(reader)


@pytest.mark.parametrize(
    "sent",
    [
        POST + b"Content-Length: 101\r\n\r\n",
        POST + b"Content-Length: 101\r\n\r\n" + b"x" * 101,
        POST + b"Transfer-Encoding: chunked\r\n\r\n65\r\n" + b"x" * 101 + b"\r\n0\r\n\r\n",
    ],
    ids=["promised", "sent", "in chunks"],
)
async def test_a_body_that_is_too_long_is_refused(sent: bytes) -> None:
    """By its promise, or as it comes."""
    async with served(replace(PATIENT, body_bytes=100)) as dial:
        assert b" 413 " in await answer(await dial(), sent)


async def test_a_body_that_fits_is_taken() -> None:
    """To the last byte."""
    async with served(replace(PATIENT, body_bytes=100)) as dial:
        peer = await dial()
        await answer(peer, POST + b"Content-Length: 100\r\n\r\n" + b"x" * 100)
        assert await peer[0].readexactly(13) == b'{"bytes":100}'


async def test_headers_without_end_are_refused() -> None:
    """They are not gathered for ever."""
    async with served(PATIENT) as dial:
        assert b" 400 " in await answer(await dial(), GET + b"X: " + b"x" * 200_000)


async def test_a_newcomer_is_answered_however_many_hold_on() -> None:
    """Three times as many as there may be, none of which is ever late by the clock."""
    async with served(replace(PATIENT, total=8, per_address=8)) as dial:
        for _ in range(24):
            _, writer = await dial()
            writer.write(GET)
        assert b"200 OK" in await answer(await dial(), GET + b"\r\n")


async def test_sockets_count_and_are_not_ended_for_others() -> None:
    """With all places taken by tabs a newcomer is refused; when a tab closes there is one."""
    async with served(replace(PATIENT, total=2, per_address=2)) as dial:
        tabs = [await dial(), await dial()]
        for tab in tabs:
            assert b"101 Switching" in await answer(tab, UPGRADE)
        assert await rest((await dial())[0]) == b""
        tabs[0][1].close()
        async with asyncio.timeout(PATIENCE_S):
            while not await _is_answered(dial):
                pass
        assert not tabs[1][0].at_eof()


async def _is_answered(dial: Dial) -> bool:
    reader, writer = await dial()
    writer.write(GET + b"Connection: close\r\n\r\n")
    return b"200 OK" in await rest(reader)


@pytest.mark.parametrize(
    ("proxies", "who"),
    [((), b'"127.0.0.1","scheme":"http"'), (("127.0.0.0/8",), b'"203.0.113.7","scheme":"https"')],
)
async def test_only_a_named_proxy_is_believed(proxies: tuple[str, ...], who: bytes) -> None:
    """Anybody can write whom they forward for."""
    forwarded = b"X-Forwarded-For: 203.0.113.7\r\nX-Forwarded-Proto: https\r\n\r\n"
    named = tuple(ip_network(one) for one in proxies)
    async with served(replace(PATIENT, proxies=named)) as dial:
        peer = await dial()
        await answer(peer, GET + forwarded)
        assert who in await peer[0].readuntil(b"}")
