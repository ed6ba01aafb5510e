"""Refuses bodies of requests that are too long: pure ASGI, around whatever is served."""

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_TOO_LARGE = 413


class BodyLimit:
    """Answers 413 to a request whose body is, or turns out to be, longer than `most` bytes."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app = app
        self._most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, with its body counted as it comes."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        said = Headers(scope=scope).get("content-length", "0")
        if not said.isdecimal() or int(said) > self._most:
            await PlainTextResponse(status_code=_TOO_LARGE, headers={"connection": "close"})(
                scope, receive, send
            )
            return
        taken = 0

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > self._most:
                raise HTTPException(_TOO_LARGE, headers={"connection": "close"})
            return message

        await self._app(scope, counted, send)
