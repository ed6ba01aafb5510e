"""Serves an application inside the running loop, as a guest: signals stay with the daemon."""

import asyncio
import errno
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from bot.daemon.connections import ConnectionLimits, OpenConnections
from bot.daemon.http_protocol import BodyLimit, LimitedHttp, LimitedWebSocket
from bot.errors import PortTaken
from bot.topics.histories.page import UPLOADS
from bot.web import webhooks
from bot.web.headers import SecurityHeaders

STOP_WITHIN = 3.0
"""Seconds from being cancelled until the port is free, whatever is still connected."""

LINGER = 1
"""Of these, the seconds that open requests have to finish; then their connections are cut."""

HANGING = 2
"""Of these, the seconds after which a request is cancelled that does not heed the cut either."""

ACCEPTED_AT_ONCE = 32
"""Connections taken in one turn of the loop, which bounds how many more than allowed there are."""

QUEUED = 1024
"""Connections that the system holds until they are taken; they cost no descriptor."""

_REASONS = {
    errno.EADDRINUSE: "another program uses it; stop it, or choose another port by EKO_WEB__PORT",
    errno.EACCES: "this user may not listen there; choose a port above 1023 by EKO_WEB__PORT",
    errno.EADDRNOTAVAIL: "this machine has no such address; choose another host",
}


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens on an address of this machine; port 0 takes any free one.

    Raises:
        PortTaken: the address cannot be listened on; the sentence says why.

    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        reason = _REASONS.get(error.errno or 0, error.strerror or str(error))
        raise PortTaken(f"The page cannot be served on {host} port {port}: {reason}.") from error


@contextmanager
def listen_locally(path: Path) -> Iterator[socket.socket]:
    """A socket in the file system that only this user can reach, removed when the body ends."""
    path.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(str(path))
        path.chmod(0o600)
        listener.listen()
        try:
            yield listener
        finally:
            path.unlink(missing_ok=True)


async def serve(
    app: ASGIApp,
    listener: socket.socket,
    answering: asyncio.Event | None = None,
    limits: ConnectionLimits | None = None,
) -> None:
    """Serve until cancelled; the port is free at most STOP_WITHIN seconds later.

    `answering` is set once the application has started and requests are answered. Without `limits`
    a peer may do as it likes: it is this user's own.
    """
    config = _trusting(app) if limits is None else _limiting(app, limits)
    server = _Guest(config, answering or asyncio.Event())
    async with asyncio.TaskGroup() as tasks:
        serving = tasks.create_task(server.serve(sockets=[listener]), name="web server")
        try:
            await asyncio.shield(serving)
        except asyncio.CancelledError:
            server.should_exit = True
            await _stopped(serving, asyncio.get_running_loop().time() + STOP_WITHIN)
            raise


async def _stopped(serving: asyncio.Task[None], until: float) -> None:
    """Wait for the end of a server, also where its owner cancels again, as `memory.tasks` does.

    Cut short the application would not be told of the end, and its traceback would be logged.
    """
    while not serving.done() and (left := until - asyncio.get_running_loop().time()) > 0:
        with suppress(asyncio.CancelledError):
            await asyncio.wait({serving}, timeout=left)


def _trusting(app: ASGIApp) -> uvicorn.Config:
    return uvicorn.Config(
        app, log_config=None, timeout_graceful_shutdown=HANGING, proxy_headers=False
    )


def secured(app: ASGIApp, limits: ConnectionLimits) -> ASGIApp:
    """An application as it is served to others: what it says when all else fails included."""
    larger = {webhooks.PREFIX: limits.webhook_bytes, UPLOADS: limits.history_bytes}
    return SecurityHeaders(BodyLimit(app, limits.body_bytes, larger))


def _limiting(app: ASGIApp, limits: ConnectionLimits) -> uvicorn.Config:
    connections = OpenConnections(limits, asyncio.get_running_loop().call_soon)
    http: Any = partial(LimitedHttp, open_connections=connections)  # made as a class is
    socket_: Any = partial(LimitedWebSocket, open_connections=connections)
    return uvicorn.Config(
        secured(app, limits),
        http=http,
        ws=socket_,
        log_config=None,
        backlog=ACCEPTED_AT_ONCE,
        proxy_headers=bool(limits.proxies),
        forwarded_allow_ips=[str(one) for one in limits.proxies],
        timeout_keep_alive=limits.idle_s,  # type: ignore[arg-type] # it is only added to a time
        ws_max_size=limits.body_bytes,
        timeout_graceful_shutdown=HANGING,
    )


class _Guest(uvicorn.Server):
    """A server that says when it answers, and leaves signals to the program it runs in."""

    def __init__(self, config: uvicorn.Config, answering: asyncio.Event) -> None:
        super().__init__(config)
        self._answering = answering

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the application; it may refuse to."""
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(QUEUED)  # it was told as many as are accepted at once
        if self.started:
            self._answering.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let open requests finish, then hang up: their peers left, as far as they can tell.

        uvicorn would cancel them, and log a traceback for each.
        """
        hanging_up = asyncio.get_running_loop().call_later(LINGER, self._hang_up)
        try:
            await super().shutdown(sockets)
        finally:
            hanging_up.cancel()

    def _hang_up(self) -> None:
        for connection in list(self.server_state.connections):
            connection.transport.abort()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield
