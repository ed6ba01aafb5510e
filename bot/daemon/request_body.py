"""Refuses bodies of requests that are too long: pure ASGI, around whatever is served."""

from collections.abc import Mapping

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
