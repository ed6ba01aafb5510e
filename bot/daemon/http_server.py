"""Serves an application inside the running loop, as a guest: signals stay with the daemon."""

import asyncio
import errno
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from bot.errors import PortTaken

STOP_WITHIN = 3.0
"""Seconds from being cancelled until the port is free, whatever is still connected."""

LINGER = 1
"""Of these, the seconds that open requests have to finish."""

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
    app: ASGIApp, listener: socket.socket, answering: asyncio.Event | None = None
) -> None:
    """Serve until cancelled; the port is free at most STOP_WITHIN seconds later.

    `answering` is set once the application has started and requests are answered.
    """
    config = uvicorn.Config(app, log_config=None, timeout_graceful_shutdown=LINGER)
    server = _Guest(config, answering or asyncio.Event())
    async with asyncio.TaskGroup() as tasks:
        serving = tasks.create_task(server.serve(sockets=[listener]), name="web server")
        try:
            await asyncio.shield(serving)
        except asyncio.CancelledError:
            server.should_exit = True
            await asyncio.wait({serving}, timeout=STOP_WITHIN)
            raise


class _Guest(uvicorn.Server):
    """A server that says when it answers, and leaves signals to the program it runs in."""

    def __init__(self, config: uvicorn.Config, answering: asyncio.Event) -> None:
        super().__init__(config)
        self._answering = answering

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the application; it may refuse to."""
        await super().startup(sockets)
        if self.started:
            self._answering.set()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield
