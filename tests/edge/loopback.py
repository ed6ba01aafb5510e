"""A small HTTP server on loopback whose answers may also be cut, or never come."""

import asyncio
import json
import socket
import struct
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request as it came in; header names are lower-case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """The body as JSON, or None when it is none."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What goes back.

    `cut` closes in the middle of the body, `reset` at once and hard, `never` does not answer.
    """

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: bool = False
    reset: bool = False
    never: bool = False


Answering = Callable[[Asked], Awaitable[Answer]]


class LoopbackServer:
    """Serves one function on 127.0.0.1, one request per connection; use it as a context."""

    def __init__(self, answering: Answering) -> None:
        self._answering = answering
        self._closing = asyncio.Event()
        self._open: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        """Where it listens, without a trailing slash."""
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._closing.set()
        self._server.close()
        await self._server.wait_closed()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(self._serve(reader, writer))
        self._open.add(task)
        await task
        self._open.discard(task)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            answer = await self._answering(await _read(reader))
            if answer.reset:
                _reset(writer)
                return
            if answer.never:
                await self._closing.wait()
            else:
                writer.write(_wire(answer))
                await writer.drain()
            writer.close()
            await writer.wait_closed()
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            writer.close()  # the client left first, which is its right, or this closes


def _reset(writer: asyncio.StreamWriter) -> None:
    """Close with a reset instead of an end (socket(7), SO_LINGER of no time)."""
    writer.get_extra_info("socket").setsockopt(
        socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)
    )
    writer.transport.abort()


async def _read(reader: asyncio.StreamReader) -> Asked:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.rstrip().split("\r\n")
    pairs = (line.partition(":") for line in lines)
    headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
    method, path, _ = first.split(" ")
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Asked(method=method, path=path, headers=headers, body=body)


def _wire(answer: Answer) -> bytes:
    headers = {
        "content-type": "application/json",
        "content-length": str(len(answer.body)),
        "connection": "close",
        **answer.headers,
    }
    lines = [f"HTTP/1.1 {answer.status} -", *(f"{name}: {headers[name]}" for name in headers)]
    body = answer.body[: len(answer.body) // 2] if answer.cut else answer.body
    return "\r\n".join([*lines, "", ""]).encode() + body
