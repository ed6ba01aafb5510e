"""Requests to a service's HTTP API: bounded in time, and what goes wrong in our words."""

import asyncio
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx2

from bot.errors import DeliveryFailed

LONGEST_ANSWER = 8_000_000
"""Bytes that are read of an answer; none that is waited for is nearly as long."""

_OF_EVERYBODY = frozenset({408, 425})
"""Statuses about the load, which are not about one message."""


_BEFORE_SENDING = (httpx2.ConnectError, httpx2.UnsupportedProtocol, httpx2.InvalidURL)
"""What goes wrong before anything of a request is sent."""

_UNREACHED = (httpx2.HTTPError, httpx2.InvalidURL, OSError, ExceptionGroup)
"""What goes wrong with a service; the group is of a port that no machine has."""


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
    """The service takes no more for now; `retry_after_s` is how long it asks to wait, or None.

    `details` is what it says besides: some say there how long.
    """

    def __init__(
        self,
        sentence: str,
        *,
        retry_after_s: float | None,
        details: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(sentence)
        self.retry_after_s = retry_after_s
        self.details = details or {}


class ApiDenied(DeliveryFailed):
    """The service refuses the key, whatever is asked; `details` is what it says besides."""

    def __init__(self, sentence: str, *, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(sentence)
        self.details = details or {}


class OutcomeUnknown(DeliveryFailed):
    """A request went out, and nothing says whether the service has done what it asks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiAnswer:
    """An answer as it came; `said` is empty where the body is no object of JSON."""

    status: int
    said: Mapping[str, Any]
    retry_after_s: float | None


class HttpApi:
    """One service at one address. Close it when it is needed no more.

    What an answer says never reaches an error's sentence, which is logged: it may repeat the
    message, or the key.
    """

    def __init__(
        self,
        service: str,
        url: str,
        headers: Mapping[str, str] | None = None,
        *,
        longest_answer: int = LONGEST_ANSWER,
    ) -> None:
        self._service = service
        self._longest_answer = longest_answer
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
            ApiDenied: it refuses the key.
            OutcomeUnknown: too slow, or cut off: it may have taken the request.
            DeliveryFailed: away, overloaded or unreadable.

        """
        return _object(await self.body(method, path, limit_s=limit_s, **parts), self._service)

    async def body(self, method: str, path: str, *, limit_s: float, **parts: Any) -> bytes:
        """What a request is answered with, as it came; see `request`."""
        status, body, headers = await self._answered(method, path, limit_s, parts)
        if status < 300:
            return body
        if status < 400:  # followed, it would carry the key elsewhere; taken, it would be lost
            raise DeliveryFailed(f"{self._service} is at another address (status {status}).")
        said = _object_or_nothing(body)
        if status == 429:
            raise ApiBusy(
                f"{self._service} takes no more requests for now.",
                retry_after_s=_seconds(headers.get("retry-after")),
                details=said,
            )
        if status == 401:
            raise ApiDenied(f"{self._service} refuses the key (status 401).", details=said)
        sentence = f"{self._service} refuses it (status {status})."
        if status in _OF_EVERYBODY or status >= 500:
            raise DeliveryFailed(f"{self._service} takes nothing for now (status {status}).")
        raise ApiRefused(sentence, status=status, details=said)

    async def answer(self, method: str, path: str, *, limit_s: float, **parts: Any) -> ApiAnswer:
        """What a request is answered with, refusals too; `parts` are as httpx2 takes them.

        Raises:
            OutcomeUnknown: it went out, and no whole answer came back.
            DeliveryFailed: the service cannot be reached.

        """
        status, body, headers = await self._answered(method, path, limit_s, parts)
        return ApiAnswer(
            status=status,
            said=_object_or_nothing(body) or {},
            retry_after_s=_seconds(headers.get("retry-after")),
        )

    async def fetch(self, url: str, most_bytes: int, *, limit_s: float) -> bytes | None:
        """The bytes at an address; None where there are none, or more than `most_bytes`."""
        if self._client.is_closed:
            return None
        try:
            async with asyncio.timeout(limit_s), self._client.stream("GET", url) as answer:
                if answer.status_code != 200:
                    return None
                return await _read(answer, most_bytes)
        except (TimeoutError, *_UNREACHED):  # others write these addresses
            return None

    async def _answered(
        self, method: str, path: str, limit_s: float, parts: Mapping[str, Any]
    ) -> tuple[int, bytes, Mapping[str, str]]:
        if self._client.is_closed:  # a reply may still be on its way when a connection ends
            raise DeliveryFailed(f"The connection to {self._service} has ended.")
        try:
            async with (
                asyncio.timeout(limit_s),
                self._client.stream(method, path, **parts) as answer,
            ):
                body = await _read(answer, self._longest_answer)
                if body is None:
                    raise OutcomeUnknown(f"{self._service} answers with too much.")
                return answer.status_code, body, answer.headers
        except TimeoutError:
            sentence = f"{self._service} did not answer within {limit_s:g} seconds."
            raise OutcomeUnknown(sentence) from None
        except _UNREACHED as error:
            name = type(error).__name__  # its own sentence may hold the address, and that a key
            failed = DeliveryFailed if isinstance(error, _BEFORE_SENDING) else OutcomeUnknown
            raise failed(f"{self._service} cannot be reached ({name}).") from None


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
