"""One request of an agent over HTTP, answered by a server of its own: nothing is kept after it."""

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from bot.topics.mcp.api import inside
from bot.topics.mcp.server import server_over


class AgentExchange(Response):
    """The answer to a request whose body is read already: whatever the protocol says of it."""

    def __init__(self, request: Request, sent: bytes) -> None:
        super().__init__()
        self._request = request
        self._sent: bytes | None = sent

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Have the request answered."""

        async def receiving() -> Message:
            sent, self._sent = self._sent, None
            if sent is None:
                return await receive()
            return {"type": "http.request", "body": sent, "more_body": False}

        async with inside(self._request) as api:
            manager = StreamableHTTPSessionManager(
                server_over(api), json_response=True, stateless=True
            )
            async with manager.run():
                await manager.handle_request(scope, receiving, send)
