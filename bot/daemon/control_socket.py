"""The control socket: the running daemon takes the command line's operations over HTTP.

It serves the API as well, to the owner or to the key that a request names.
"""

import json
from collections.abc import AsyncIterator
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import StreamingResponse
from starlette.requests import HTTPConnection

from bot.surfaces.access.principal import Authenticator, Principal, owner
from bot.surfaces.operations import Operations
from bot.surfaces.parts import WebParts
from bot.web.site import add_api


class LocalAuthenticator:
    """The Authenticator port of the socket: who reaches it is its owner, unless a key is named."""

    def __init__(self, keys: Authenticator) -> None:
        self._keys = keys

    async def principal_of(self, request: HTTPConnection, /) -> Principal | None:
        """The principal of a key that is named, or else the owner.

        Raises:
            TooManyAttempts: as of the keys.

        """
        if "authorization" in request.headers:
            return await self._keys.principal_of(request)
        return owner("control socket")

    def session_cookie(self, request: HTTPConnection, /) -> str:
        """The name of the cookie, which no browser sends here."""
        return self._keys.session_cookie(request)


def control_api(parts: WebParts, keys: Authenticator) -> FastAPI:
    """`POST /operations/NAME` with JSON arguments; answers one JSON event a line, as they come."""
    operations = Operations(parts.app)
    api = FastAPI(title="Eko control", docs_url=None, redoc_url=None, openapi_url=None)

    @api.post("/operations/{name}")
    async def run(name: str, request: Request) -> StreamingResponse:
        arguments: dict[str, Any] = json.loads(await request.body() or b"{}")
        return StreamingResponse(
            _lines(operations, name, arguments), media_type="application/x-ndjson"
        )

    add_api(api, parts, LocalAuthenticator(keys))
    return api


async def _lines(
    operations: Operations, name: str, arguments: dict[str, Any]
) -> AsyncIterator[bytes]:
    async for event in operations.call(name, arguments):
        yield json.dumps(event, ensure_ascii=False).encode() + b"\n"
