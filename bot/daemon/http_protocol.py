"""HTTP with limits on what a peer may hold open: uvicorn's own protocols have none for most of it.

They end a connection that idles between two requests only; a peer that sends a header a minute, or
reads nothing of an answer, keeps it for ever (Slowloris, CVE-2007-6750).
"""

import asyncio
from collections.abc import Callable, Mapping
from enum import Enum, auto
from typing import Any

import h11
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

from bot.daemon.connections import OpenConnections

_TOO_LARGE = 413


class BodyLimit:
    """Answers 413 to a request whose body is, or turns out to be, longer than `most` bytes.

    `larger` has other limits for the addresses that begin so.
    """

    def __init__(self, app: ASGIApp, most: int, larger: Mapping[str, int] | None = None) -> None:
        self._app = app
        self._most = most
        self._larger = tuple((larger or {}).items())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, with its body counted as it comes."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        most = self._most_at(str(scope.get("path", "")))
        said = Headers(scope=scope).get("content-length", "0")
        if not said.isdecimal() or int(said) > most:
            await PlainTextResponse(status_code=_TOO_LARGE, headers={"connection": "close"})(
                scope, receive, send
            )
            return
        taken = 0

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > most:
                raise HTTPException(_TOO_LARGE, headers={"connection": "close"})
            return message

        await self._app(scope, counted, send)

    def _most_at(self, path: str) -> int:
        return next((most for start, most in self._larger if path.startswith(start)), self._most)


CLOSING_S = 5.0
"""How long a connection that is being closed may take to send the rest."""


class Phase(Enum):
    """What a connection waits for."""

    HEADERS = auto()
    BODY = auto()
    ANSWER = auto()
    NEXT = auto()
    """The next request; uvicorn's own timer ends this one."""
    CLOSING = auto()


class Deadline:
    """A moment at which something happens, unless it is put off or called off before."""

    def __init__(self, loop: asyncio.AbstractEventLoop, then: Callable[[], None]) -> None:
        self._loop = loop
        self._then = then
        self._timer: asyncio.TimerHandle | None = None

    def set(self, seconds: float | None) -> None:
        """In so many seconds from now and not before; None is never."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else self._loop.call_later(seconds, self._then)


class LimitedHttp(H11Protocol):
    """A connection that is ended when its peer takes too long over any part of a request.

    Each limit is for the whole part, however often a byte of it comes.
    """

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        open_connections: OpenConnections,
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._open = open_connections
        self._phase: Phase | None = None
        self._deadline = Deadline(self.loop, self.abort)
        self._unread = Deadline(self.loop, self.abort)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection and begin to wait for its first request."""
        super().connection_made(transport)
        self._open.opened(self, self.client[0] if self.client else "")
        self._follow()

    def data_received(self, data: bytes) -> None:
        """Take some bytes of a request."""
        super().data_received(data)
        self._follow()

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        super().on_response_complete()
        self._follow()

    def timeout_keep_alive_handler(self) -> None:
        """End a connection that idled."""
        super().timeout_keep_alive_handler()
        self._follow()

    def pause_writing(self) -> None:
        """Wait for the peer to read, but not for ever."""
        super().pause_writing()
        self._open.waits(self)
        self._unread.set(self._open.limits.unread_s)

    def resume_writing(self) -> None:
        """Go on sending."""
        super().resume_writing()
        self._unread.set(None)
        if self._phase is Phase.ANSWER:
            self._open.works(self, self._path())

    def connection_lost(self, exc: Exception | None) -> None:
        """Count the connection no more."""
        self._let_go()
        super().connection_lost(exc)
        self._unread.set(None)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection over; the socket counts itself."""
        self._let_go()
        super().handle_websocket_upgrade(event)

    def abort(self) -> None:
        """End it without waiting for anything."""
        self.transport.abort()

    def _let_go(self) -> None:
        self._open.closed(self)
        self._deadline.set(None)

    def _follow(self) -> None:
        """Set the limit for what is waited for now, once for each time that begins."""
        phase = self._now()
        if phase is self._phase:
            return
        self._phase = phase
        if phase is Phase.ANSWER:
            self._open.works(self, self._path())
        else:
            self._open.waits(self)
        limits = self._open.limits
        seconds = {
            Phase.HEADERS: limits.headers_s,
            Phase.BODY: limits.body_s,
            Phase.CLOSING: CLOSING_S,
        }
        self._deadline.set(seconds.get(phase))

    def _path(self) -> str:
        """What the request at hand is for."""
        return "" if self.scope is None else self.scope["path"]

    def _now(self) -> Phase:
        if self.transport.is_closing():
            return Phase.CLOSING
        match self.conn.their_state:
            case h11.SEND_BODY:
                return Phase.BODY
            case h11.IDLE if self.cycle is None or self.conn.trailing_data[0]:
                return Phase.HEADERS
            case h11.IDLE:
                return Phase.NEXT
            case _:
                return Phase.ANSWER


class LimitedWebSocket(WebSocketsSansIOProtocol):
    """A socket that counts among the open connections, and is ended when its peer reads nothing.

    Pings end one whose peer is gone.
    """

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        open_connections: OpenConnections,
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._open = open_connections
        self._unread = Deadline(self.loop, self.abort)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the socket."""
        super().connection_made(transport)
        self._open.opened(self, self.client[0] if self.client else "")
        self._open.works(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count the socket no more."""
        self._open.closed(self)
        self._unread.set(None)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Wait for the peer to read, but not for ever."""
        super().pause_writing()
        self._unread.set(self._open.limits.unread_s)

    def resume_writing(self) -> None:
        """Go on sending."""
        super().resume_writing()
        self._unread.set(None)

    def abort(self) -> None:
        """End it without waiting for anything."""
        self.transport.abort()
