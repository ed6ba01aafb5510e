"""The API of a pet as tools ask it, over HTTP: inside the daemon, or by its control socket."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
from starlette.requests import Request

from bot.errors import BotError
from bot.topics.mcp.tools import ApiCall

_CARRIED = ("authorization", "cookie", "user-agent")
"""Headers that say who asks."""

_HERE = ("127.0.0.1", 0)


class PetAway(BotError):
    """The pet does not answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiReply:
    """What the API answered: JSON, or a text where something in front of it answered."""

    status: int
    body: Any

    @property
    def is_refusal(self) -> bool:
        """Whether it was not done."""
        return self.status >= httpx2.codes.BAD_REQUEST


class ApiOverHttp:
    """The PetApi port over HTTP."""

    def __init__(self, client: httpx2.AsyncClient) -> None:
        self._client = client

    async def ask(self, call: ApiCall) -> ApiReply:
        """The answer to one request.

        Raises:
            PetAway: there is none.

        """
        query, body = (call.given, None) if call.method == "GET" else (None, call.given)
        try:
            answer = await self._client.request(call.method, call.path, params=query, json=body)
        except httpx2.TransportError as error:
            raise PetAway("The pet does not answer: is it still running?") from error
        is_json = answer.headers.get("content-type", "").partition(";")[0].endswith("json")
        return ApiReply(status=answer.status_code, body=answer.json() if is_json else answer.text)


@asynccontextmanager
async def inside(request: Request) -> AsyncIterator[ApiOverHttp]:
    """The API of the site that a request came to, asked as by its sender."""
    carried = {name: request.headers[name] for name in _CARRIED if name in request.headers}
    transport = httpx2.ASGITransport(request.app, client=request.client or _HERE)
    async with httpx2.AsyncClient(
        transport=transport, base_url=str(request.base_url), headers=carried, trust_env=False
    ) as client:
        yield ApiOverHttp(client)
