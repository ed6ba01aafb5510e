"""What a change is answered to a key that may not read: that it was done, and its id."""

import json
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_MARK = "withheld"

_TOLD = ("id", "receipt")
"""Fields of an answer that hold no word of what is kept."""

_SUCCESSES = range(200, 300)


def withhold(request: Request) -> None:
    """Let nothing of what is kept be told in the answer to a request."""
    setattr(request.state, _MARK, True)


def is_withheld(request: Request) -> bool:
    """Whether nothing of what is kept may be told to the one who asks."""
    return bool(getattr(request.state, _MARK, False))


class Withholding:
    """Cuts answers down to ids where the one who asks may not read. Pure ASGI."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on; a success that is marked as withheld when it is known by whom."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        state = scope.setdefault("state", {})
        held: list[Message] = []

        async def sending(message: Message) -> None:
            is_start = message["type"] == "http.response.start"
            if is_start and state.get(_MARK) and message["status"] in _SUCCESSES:
                held.append(message)
            elif not held:
                await send(message)
            else:
                held.append(message)
                if not message.get("more_body", False):
                    await _send_cut(held, send)

        await self._app(scope, receive, sending)


async def _send_cut(held: list[Message], send: Send) -> None:
    start, *parts = held
    body = b"".join(part.get("body", b"") for part in parts)
    headers = MutableHeaders(raw=list(start["headers"]))
    del headers["etag"]
    if body:
        body = _cut(body)
        headers["content-length"] = str(len(body))
    await send({**start, "headers": headers.raw})
    await send({"type": "http.response.body", "body": body})


def _cut(body: bytes) -> bytes:
    """The ids of an answer in JSON; anything else is nothing."""
    try:
        answer: Any = json.loads(body)
    except ValueError:
        return b"{}"
    told = {name: answer[name] for name in _TOLD if isinstance(answer, dict) and name in answer}
    return json.dumps(told).encode()
