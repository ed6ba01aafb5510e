"""Requests to a service's HTTP API: bounded in time, and what goes wrong in our words."""

import asyncio
import json
import math
from collections.abc import Mapping
from typing import Any

import httpx2

from bot.errors import DeliveryFailed

LONGEST_ANSWER = 8_000_000
"""Bytes that are read of an answer; none that is waited for is nearly as long."""

_OF_EVERYBODY = frozenset({401, 408, 425, 429})
"""Statuses about the key or the load, which are not about one message."""


class ApiRefused(DeliveryFailed):
    """The service understood a request and says no.

    `code` is its own number or word for why, "" for none; `details` is what it says besides.
    """

    def __init__(
        self,
        sentence: str,
        *,
        status: int,
        code: str = "",
        details: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(sentence)
        self.status = status
        self.code = code
        self.details = details or {}


class ApiBusy(DeliveryFailed):
    """The service takes no more for now; `retry_after_s` is how long it asks to wait, or None."""

    def __init__(self, sentence: str, *, retry_after_s: float | None) -> None:
        super().__init__(sentence)
        self.retry_after_s = retry_after_s


class HttpApi:
    """One service at one address. Close it when it is needed no more.

    What an answer says never reaches an error's sentence, which is logged: it may repeat the
    message, or the key.
    """

    def __init__(self, service: str, url: str, headers: Mapping[str, str] | None = None) -> None:
        self._service = service
        self._client = httpx2.AsyncClient(
            base_url=url, headers=dict(headers or {}), follow_redirects=False, timeout=None
        )

    async def close(self) -> None:
        """End its connections."""
        await self._client.aclose()

    async def request(
        self, method: str, path: str, *, limit_s: float, **parts: Any
    ) -> Mapping[str, Any]:
        """The object that a request is answered with; `parts` are as httpx2 takes them.

        Raises:
            ApiBusy: too many requests.
            ApiRefused: it refuses this request.
            DeliveryFailed: away, overloaded, too slow, unreadable, or it refuses the key.

        """
        status, body, headers = await self._answered(method, path, limit_s, parts)
        if status < 300:
            return _object(body, self._service)
        if status < 400:  # followed, it would carry the key elsewhere; taken, it would be lost
            raise DeliveryFailed(f"{self._service} is at another address (status {status}).")
        said = _object_or_nothing(body)
        if status == 429:
            raise ApiBusy(
                f"{self._service} takes no more requests for now.",
                retry_after_s=_seconds(headers.get("retry-after")),
            ) from None
        sentence = f"{self._service} refuses it (status {status})."
        if status in _OF_EVERYBODY or status >= 500:
            raise DeliveryFailed(f"{self._service} takes nothing for now (status {status}).")
        raise ApiRefused(sentence, status=status, details=said)

    async def fetch(self, url: str, most_bytes: int, *, limit_s: float) -> bytes | None:
        """The bytes at an address; None where there are none, or more than `most_bytes`."""
        try:
            async with asyncio.timeout(limit_s), self._client.stream("GET", url) as answer:
                if answer.status_code != 200:
                    return None
                return await _read(answer, most_bytes)
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError, TimeoutError, ExceptionGroup):
            # The group is of a port that no machine has: others write these addresses.
            return None

    async def _answered(
        self, method: str, path: str, limit_s: float, parts: Mapping[str, Any]
    ) -> tuple[int, bytes, Mapping[str, str]]:
        try:
            async with (
                asyncio.timeout(limit_s),
                self._client.stream(method, path, **parts) as answer,
            ):
                body = await _read(answer, LONGEST_ANSWER)
                if body is None:
                    raise DeliveryFailed(f"{self._service} answers with too much.")
                return answer.status_code, body, answer.headers
        except TimeoutError:
            sentence = f"{self._service} did not answer within {limit_s:g} seconds."
            raise DeliveryFailed(sentence) from None
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
            name = type(error).__name__  # its own sentence may hold the address, and that a key
            raise DeliveryFailed(f"{self._service} cannot be reached ({name}).") from None


async def _read(answer: httpx2.Response, most_bytes: int) -> bytes | None:
    taken = bytearray()
    async for piece in answer.aiter_bytes():
        taken += piece
        if len(taken) > most_bytes:
            return None
    return bytes(taken)


def _object(body: bytes, service: str) -> Mapping[str, Any]:
    said = _object_or_nothing(body)
    if said is None:
        raise DeliveryFailed(f"{service} gave no answer that can be read.")
    return said


def _object_or_nothing(body: bytes) -> Mapping[str, Any] | None:
    try:
        said = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) else None


def _seconds(said: str | None) -> float | None:
    """The seconds of a Retry-After header; None where it says none that end, or a date."""
    try:
        seconds = float(said) if said else math.nan
    except ValueError:
        return None
    return max(0.0, seconds) if math.isfinite(seconds) else None
