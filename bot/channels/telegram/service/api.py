"""Requests of the Bot API: its methods by name, and what it refuses in our words.

https://core.telegram.org/bots/api#making-requests
"""

import asyncio
from collections.abc import Mapping
from typing import Any, Protocol
from urllib.parse import quote

from bot.errors import DeliveryFailed
from bot.platforms.http_api import ApiBusy, ApiDenied, ApiRefused, HttpApi

API_URL = "https://api.telegram.org"

LIMIT_S = 20.0
"""Seconds for a request that waits for nothing."""

CONFLICT = 409
"""The status where another program asks for the same updates, or a webhook is set."""


class BotApi(Protocol):
    """The methods of the Bot API."""

    async def call(self, method: str, *, limit_s: float = LIMIT_S, **parameters: object) -> Any:
        """The result of a method; parameters that are None are left away.

        Raises:
            ApiBusy: flood control; it says for how long.
            ApiDenied: there is no bot of this token.
            ApiRefused: it refuses this request.
            DeliveryFailed: it cannot be reached, or is overloaded.

        """
        ...


class HttpBotApi:
    """The BotApi port over HTTP; the token is part of each address, and none is ever logged."""

    def __init__(self, token: str, url: str | None = None) -> None:
        server = (url or API_URL).rstrip("/")
        key = quote(token.strip(), safe=":")
        self._files = f"{server}/file/bot{key}/"
        self._http = HttpApi("Telegram", f"{server}/bot{key}/")

    async def close(self) -> None:
        """End its connections."""
        await self._http.close()

    async def call(self, method: str, *, limit_s: float = LIMIT_S, **parameters: object) -> Any:
        """See `BotApi.call`."""
        given = {name: one for name, one in parameters.items() if one is not None}
        return await self._requested(method, limit_s, {"json": given})

    async def upload(
        self, method: str, name: str, file: tuple[str, bytes], **parameters: object
    ) -> Any:
        """The result of a method that is given a file as its parameter `name`. See `call`."""
        given = {one: str(value) for one, value in parameters.items() if value is not None}
        return await self._requested(method, 60.0, {"data": given, "files": {name: file}})

    async def fetch(self, path: str, most_bytes: int, *, limit_s: float = LIMIT_S) -> bytes | None:
        """A file by the path that `getFile` told; None where there is none, or it is too large."""
        steps = path.split("/")
        if not path or any(step in {"", ".", ".."} for step in steps):
            return None
        return await self._http.fetch(f"{self._files}{quote(path)}", most_bytes, limit_s=limit_s)

    async def _requested(self, method: str, limit_s: float, parts: Mapping[str, Any]) -> Any:
        try:
            said = await self._http.request("POST", method, limit_s=limit_s, **parts)
        except ApiBusy as busy:
            wait_s = busy.retry_after_s or retry_after(busy.details)
            raise ApiBusy(str(busy), retry_after_s=wait_s) from None
        except ApiRefused as refused:
            # A token that is none is no path there: its documentation says nothing of it, and
            # every method is found with a token that is one.
            if refused.status == 404:
                raise ApiDenied("Telegram refuses the key (status 404).") from None
            raise
        if said.get("ok") is not True:
            raise DeliveryFailed("Telegram gave no answer that can be read.")
        return said.get("result")


async def patiently(api: BotApi, method: str, *, longest_wait_s: float, **parameters: Any) -> Any:
    """The result of a method, where flood control asks for no longer wait than that.

    Raises:
        ApiBusy: it asks for a longer one.
        DeliveryFailed: see `BotApi.call`.

    """
    waited_s = 0.0
    while True:
        try:
            return await api.call(method, **parameters)
        except ApiBusy as busy:
            wait_s = busy.retry_after_s
            if wait_s is None or waited_s + wait_s > longest_wait_s:
                raise
        waited_s += wait_s
        await asyncio.sleep(wait_s)


def parameters_of(details: Mapping[str, Any]) -> Mapping[str, Any]:
    """What an answer says of why it failed, for programs.

    https://core.telegram.org/bots/api#responseparameters
    """
    found = details.get("parameters")
    return found if isinstance(found, dict) else {}


def retry_after(details: Mapping[str, Any]) -> float | None:
    """The seconds that flood control asks to wait."""
    wait_s = parameters_of(details).get("retry_after")
    return float(wait_s) if isinstance(wait_s, int | float) and wait_s >= 0 else None


def moved_to(refused: ApiRefused) -> int | None:
    """The number a group has now, where a request was refused because it became a supergroup."""
    number = parameters_of(refused.details).get("migrate_to_chat_id")
    return number if isinstance(number, int) and number else None


def described(refused: ApiRefused) -> str:
    """Telegram's own words for why, in lower case, to be compared and not to be shown."""
    return str(refused.details.get("description", "")).lower()
