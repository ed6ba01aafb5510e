"""What services hand to `/webhooks/NAME`, through the real server and beside the page's guards."""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import httpx2
import pytest

from bot.daemon.connections import ConnectionLimits
from bot.daemon.http_server import listen, serve
from bot.model.webhooks import WebhookAnswer, WebhookRequest
from bot.web.webhooks import Webhooks
from memory.tasks import background_task
from tests.patience import PATIENCE_S
from tests.peers.daemon import NO_TLS
from tests.web.served_page import serving_page

MOST = 2000
"""Bytes of a body under test."""

STRANGE: Mapping[bytes, bytes] = {
    b"host": b"evil.example",
    b"origin": b"https://evil.example",
    b"sec-fetch-site": b"cross-site",
}


@dataclass
class KeptRequests:
    """The Webhook port over a list."""

    requests: list[WebhookRequest] = field(default_factory=list)

    async def answer(self, request: WebhookRequest) -> WebhookAnswer:
        """Keep a request, and give back what it asks to be given back."""
        self.requests.append(request)
        return WebhookAnswer(status=200, text=request.query.get("challenge", ""))


@dataclass
class HookedPage:
    """The page as it is served, with a webhook for pigeons, and who asks there."""

    hook: KeptRequests
    client: httpx2.AsyncClient
    port: int


@asynccontextmanager
async def hooked(folder: Path, limits: ConnectionLimits) -> AsyncIterator[HookedPage]:
    """The real page behind its guards, on a port of this machine."""
    hook, answering = KeptRequests(), asyncio.Event()
    async with serving_page(folder) as served:
        served.app.add_middleware(Webhooks, hooks={"pigeon": hook})
        listener = listen("127.0.0.1", 0)
        port = int(listener.getsockname()[1])
        server = serve(served.app, listener, answering, limits)
        async with (
            background_task(server, name="server"),
            httpx2.AsyncClient(
                base_url=f"http://127.0.0.1:{port}",
                verify=NO_TLS,
                trust_env=False,
                timeout=PATIENCE_S,
            ) as client,
        ):
            await answering.wait()
            yield HookedPage(hook=hook, client=client, port=port)


@pytest.fixture
async def page(tmp_path: Path) -> AsyncIterator[HookedPage]:
    """A page that takes bodies up to a limit."""
    async with hooked(tmp_path, ConnectionLimits(webhook_bytes=MOST)) as opened:
        yield opened


async def test_a_request_comes_as_it_was_made(page: HookedPage) -> None:
    """From any name and any origin: method, query, headers in lower case and the raw bytes."""
    body = b'\xff\x00{"a":  1}'
    answer = await page.client.post(
        "/webhooks/pigeon?challenge=%3Cb%3E7",
        content=body,
        headers={**STRANGE, b"X-Sign": b"\xe9"},
    )
    assert (answer.status_code, answer.text) == (200, "<b>7")
    assert answer.headers["content-type"].startswith("text/plain")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "set-cookie" not in answer.headers
    (request,) = page.hook.requests
    assert (request.method, request.body) == ("POST", body)
    assert dict(request.query) == {"challenge": "<b>7"}
    assert request.headers["host"] == "evil.example"
    assert request.headers["x-sign"] == "\xe9"


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("POST", "/webhooks/nobody", 404),
        ("POST", "/webhooks/", 404),
        ("POST", "/webhooks/pigeon/more", 404),
        ("GET", "/webhooks/../rooms/private/say", 404),
        ("PUT", "/webhooks/pigeon", 405),
        ("OPTIONS", "/webhooks/pigeon", 405),
        ("HEAD", "/webhooks/pigeon", 405),
        ("POST", "/webhooks", 421),
        ("POST", "/Webhooks/pigeon", 421),
        ("POST", "//webhooks/pigeon", 421),
        ("POST", "/x/../webhooks/pigeon", 421),
        ("GET", "/", 421),
        ("POST", "/rooms/private/say", 421),
    ],
)
async def test_no_other_address_is_outside_the_guards(
    page: HookedPage, method: str, path: str, status: int
) -> None:
    """Whatever is written in the line of the request, which no client tidies up here."""
    assert await raw_status(page, f"{method} {path} HTTP/1.1\r\nHost: evil.example\r\n") == status
    assert page.hook.requests == []


async def raw_status(page: HookedPage, head: str, body: bytes = b"") -> int:
    """The status of a request that is written by hand; 0 where the connection ends without."""
    reader, writer = await asyncio.open_connection("127.0.0.1", page.port)
    writer.write(f"{head}Connection: close\r\n\r\n".encode() + body)
    await writer.drain()
    async with asyncio.timeout(PATIENCE_S):
        first = await reader.readline()
        await reader.read()
    writer.close()
    await writer.wait_closed()
    return int(first.split()[1]) if first else 0


CHUNKED = "POST /webhooks/pigeon HTTP/1.1\r\nHost: e\r\nTransfer-Encoding: chunked\r\n"


@pytest.mark.parametrize("how", ["said", "found"])
async def test_a_body_that_is_too_long_is_refused_unread(
    page: HookedPage, how: str, caplog: pytest.LogCaptureFixture
) -> None:
    """By what it says of itself, or as soon as it turns out: no fault, and none is logged."""
    if how == "said":
        answer = await page.client.post("/webhooks/pigeon", content=b"x" * (MOST + 1))
        assert answer.status_code == 413
    else:
        piece = b"400\r\n" + b"x" * 1024 + b"\r\n"
        assert await raw_status(page, CHUNKED, piece * 3 + b"0\r\n\r\n") == 413
    assert page.hook.requests == []
    assert [one for one in caplog.records if one.levelno >= logging.ERROR] == []


async def test_a_body_in_pieces_is_one(page: HookedPage) -> None:
    """As long as it is allowed to be."""
    piece = b"3e8\r\n" + b"x" * 1000 + b"\r\n"
    assert await raw_status(page, CHUNKED, piece * 2 + b"0\r\n\r\n") == 200
    assert [len(one.body) for one in page.hook.requests] == [MOST]


@pytest.mark.parametrize("how", ["slow", "cut"])
async def test_half_a_body_is_handed_to_no_channel(
    tmp_path: Path, how: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Whether the rest never comes or the caller leaves; others are answered."""
    limits = replace(ConnectionLimits(webhook_bytes=MOST), body_s=0.2)
    async with hooked(tmp_path, limits) as page:
        reader, writer = await asyncio.open_connection("127.0.0.1", page.port)
        head = b"POST /webhooks/pigeon HTTP/1.1\r\nHost: e\r\nContent-Length: 100\r\n\r\nhalf"
        writer.write(head)
        await writer.drain()
        if how == "slow":
            async with asyncio.timeout(PATIENCE_S):
                await reader.read()
        writer.close()
        await writer.wait_closed()
        answer = await page.client.post("/webhooks/pigeon", content=b"whole")
        assert answer.status_code == 200
        assert [one.body for one in page.hook.requests] == [b"whole"]
    assert [one for one in caplog.records if one.levelno >= logging.ERROR] == []
