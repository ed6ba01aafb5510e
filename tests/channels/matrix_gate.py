"""What stands between the pet and its homeserver: it hands everything on, and makes trouble."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import aiohttp
from aiohttp import web
from aiohttp.typedefs import Handler
from yarl import URL

_HOP = frozenset({"host", "content-length", "transfer-encoding", "connection", "content-encoding"})


@dataclass
class Refusal:
    """What the next sendings are answered with."""

    status: int
    times: int
    retry_after_s: float | None


@dataclass
class Gate:
    """A proxy on loopback, with what it does to the requests that come through."""

    target: str
    url: str = ""
    refusal: Refusal | None = None
    first_since: str | None = None
    rewinds: bool = False
    taken: int = 0
    """How many sendings were handed on."""
    swallows: int = 0
    """So many answers to sendings are lost on their way back."""
    loses: str = ""
    """The answers to requests whose paths end so are lost on their way back."""
    open: set[asyncio.Task[None]] = field(default_factory=set)
    shut: bool = False

    def drops(self) -> None:
        """Cut every connection."""
        for task in self.open:
            task.cancel()

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Hand a request on, or do what was asked for."""
        if self.shut:
            _cut(request)
        is_sending = request.method == "PUT" and "/send/" in request.path
        if is_sending and self.refusal is not None and self.refusal.times > 0:
            self.refusal.times -= 1
            return _refused(self.refusal)
        params = dict(request.query)
        if request.path.endswith("/sync") and "since" in params:
            self.first_since = self.first_since or params["since"]
            if self.rewinds:
                self.rewinds = False
                params["since"] = self.first_since
        status, body, kind = await self._handed_on(request, params)
        if is_sending:
            self.taken += 1
            if self.swallows:
                self.swallows -= 1
                _cut(request)
        if self.loses and request.path.endswith(self.loses):
            _cut(request)
        return web.Response(status=status, body=body, headers={"Content-Type": kind})

    async def _handed_on(
        self, request: web.Request, params: dict[str, str]
    ) -> tuple[int, bytes, str]:
        url = f"{self.target}{request.raw_path.partition('?')[0]}"
        headers = {k: v for k, v in request.headers.items() if k.lower() not in _HOP}
        body = await request.read()
        session: aiohttp.ClientSession = request.app[_SESSION]
        async with session.request(
            request.method,
            URL(url, encoded=True),
            params=params or None,
            data=body or None,
            headers=headers,
        ) as answer:
            kind = answer.headers.get("Content-Type", "application/json")
            return answer.status, await answer.read(), kind


_SESSION: web.AppKey[aiohttp.ClientSession] = web.AppKey("session", aiohttp.ClientSession)


def _refused(refusal: Refusal) -> web.Response:
    code = "M_LIMIT_EXCEEDED" if refusal.status == 429 else "M_UNKNOWN"
    said: dict[str, object] = {"errcode": code, "error": "of the trial"}
    if refusal.retry_after_s is not None:
        said["retry_after_ms"] = int(refusal.retry_after_s * 1000)
    return web.json_response(said, status=refusal.status)


def _cut(request: web.Request) -> None:
    if request.transport is not None:
        request.transport.abort()
    raise asyncio.CancelledError


@asynccontextmanager
async def open_gate(target: str) -> AsyncIterator[Gate]:
    """A gate before a server."""
    gate = Gate(target)

    @web.middleware
    async def counted(request: web.Request, handler: Handler) -> web.StreamResponse:
        task = asyncio.current_task()
        assert task is not None
        gate.open.add(task)
        try:
            return await handler(request)
        finally:
            gate.open.discard(task)

    app = web.Application(middlewares=[counted], client_max_size=100_000_000)
    app.router.add_route("*", "/{path:.*}", gate.answer)
    async with aiohttp.ClientSession() as session:
        app[_SESSION] = session
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        gate.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        try:
            yield gate
        finally:
            gate.drops()
            with suppress(asyncio.CancelledError):
                await runner.cleanup()
