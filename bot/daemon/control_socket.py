"""The control socket: the running daemon takes the command line's operations over HTTP."""

import json
from collections.abc import AsyncIterator
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import StreamingResponse

from bot.surfaces.operations import Operations


def control_api(operations: Operations) -> FastAPI:
    """`POST /operations/NAME` with JSON arguments; answers one JSON event a line, as they come."""
    api = FastAPI(title="Eko control", docs_url=None, redoc_url=None, openapi_url=None)

    @api.post("/operations/{name}")
    async def run(name: str, request: Request) -> StreamingResponse:
        arguments: dict[str, Any] = json.loads(await request.body() or b"{}")
        return StreamingResponse(
            _lines(operations, name, arguments), media_type="application/x-ndjson"
        )

    return api


async def _lines(
    operations: Operations, name: str, arguments: dict[str, Any]
) -> AsyncIterator[bytes]:
    async for event in operations.call(name, arguments):
        yield json.dumps(event, ensure_ascii=False).encode() + b"\n"
