"""`POST /mcp`: the tools of other agents over streamable HTTP, for the API's keys and sessions.

https://modelcontextprotocol.io/specification/2025-11-25/basic/transports
"""

import asyncio

from fastapi import APIRouter, Request, Response
from starlette.requests import ClientDisconnect

from bot.surfaces.access.dependencies import Known

router = APIRouter()


@router.post("/mcp")
async def exchange(request: Request, _principal: Known) -> Response:
    """Answer one message of an agent; each tool is judged as the request of the API that it is."""
    try:
        sent = await request.body()
    except ClientDisconnect:
        return Response(status_code=400)  # its sender left, and waits for no answer
    return await asyncio.to_thread(_answering, request, sent)


def _answering(request: Request, sent: bytes) -> Response:
    from bot.topics.mcp.exchange import AgentExchange

    return AgentExchange(request, sent)
