"""The daemon as a process, with more connections to its page than it allows."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import httpx2
import pytest

from benchmarks.stream_flood import FORWARDED, measure
from bot.lock import holder_of
from tests.patience import PATIENCE_S
from tests.peers.daemon import NO_TLS, Daemon, awake

PLACES = 16
PAGE = {
    "EKO_WEB__ENABLED": "true",
    "EKO_WEB__PORT": "0",
    "EKO_WEB__CONNECTIONS": str(PLACES),
    "EKO_LOG__FORMAT": "json",
}
UNFINISHED = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-A: "


def page_of(data: Path) -> str:
    """Where the page of a running daemon is."""
    holder = holder_of(data)
    assert holder is not None
    assert holder.page is not None
    return holder.page


@asynccontextmanager
async def connected(page: str, count: int, sends: bytes) -> AsyncIterator[list[bytes]]:
    """So many connections that send this; what each was answered first, if anything."""
    async with AsyncExitStack() as stack:
        said = []
        for _ in range(count):
            reader, writer = await asyncio.open_connection("127.0.0.1", int(page.split(":")[2]))
            stack.callback(writer.close)
            writer.write(sends)
            said.append(await reader.readline() if sends.endswith(b"\r\n\r\n") else b"")
        yield said


async def stream_of(page: str) -> bytes:
    """The request for the stream of a visitor."""
    async with httpx2.AsyncClient(timeout=PATIENCE_S, verify=NO_TLS) as client:
        await client.post(f"{page}/name", data={"name": "Léa"})
        cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    return f"GET /events HTTP/1.1\r\nHost: localhost\r\nCookie: {cookies}\r\n\r\n".encode()


async def answers(daemon: Daemon, page: str | None) -> None:
    """The command line is answered, and the page unless it is not asked."""
    assert "result" in await daemon.does("usage")
    if page is not None:
        async with httpx2.AsyncClient(timeout=PATIENCE_S, verify=NO_TLS) as client:
            assert (await client.get(page)).status_code == 200


async def test_unfinished_requests_keep_nobody_out(tmp_path: Path) -> None:
    """Several times as many as there are places; and the log stays short."""
    async with awake(tmp_path, PAGE) as daemon:
        page = page_of(tmp_path)
        async with connected(page, 4 * PLACES, UNFINISHED):
            await answers(daemon, page)
        assert await daemon.interrupted() == 0, daemon.output
        assert len(daemon.output.splitlines()) < 100
        assert "connections.limited" in daemon.output


async def test_open_streams_of_one_visitor_keep_nobody_out(tmp_path: Path) -> None:
    """More than there are places: the page and the command line go on, a few streams are left."""
    async with awake(tmp_path, PAGE) as daemon:
        page = page_of(tmp_path)
        async with connected(page, 3 * PLACES, await stream_of(page)) as said:
            assert all(b" 200 " in one for one in said)
            await answers(daemon, page)
        assert await daemon.interrupted() == 0, daemon.output


@pytest.mark.parametrize("forwarded", FORWARDED)
async def test_another_visitor_talks_beside_six_hundred_streams(
    tmp_path: Path, forwarded: str
) -> None:
    """A reply, a webhook and a look at its health, also by a proxy that is named."""
    figures = await measure(tmp_path, 600, forwarded)
    assert figures["opened"] == figures["streams"]
