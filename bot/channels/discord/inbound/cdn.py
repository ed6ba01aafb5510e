"""Discord's store of files: fetched from its own hosts only, bounded in size and time."""

import asyncio
from ipaddress import ip_address

import httpx2
import structlog

from bot.errors import BotError

log = structlog.get_logger()

_HOSTS = frozenset({"cdn.discordapp.com", "media.discordapp.net"})
"""Where Discord keeps the files of messages; an address anywhere else is not its own."""

LIMIT_S = 5.0
"""A picture that takes longer is not worth the wait: the words are answered without it."""


class _Missed(BotError):
    """The file cannot be had; the sentence says why."""


class Cdn:
    """Fetches files; in a trial also from this machine, where the trial's server is."""

    def __init__(self, *, is_trial: bool = False, limit_s: float = LIMIT_S) -> None:
        self._is_trial = is_trial
        self._limit_s = limit_s
        self._client = httpx2.AsyncClient(follow_redirects=False)

    async def fetch(self, url: str, most_bytes: int) -> bytes | None:
        """The file, or None where it is not there, not Discord's, too large or too slow."""
        try:
            async with asyncio.timeout(self._limit_s):
                return await self._fetched(httpx2.URL(url), most_bytes)
        except TimeoutError:
            reason = "It took too long."
        except _Missed as error:
            reason = str(error)
        except (httpx2.HTTPError, httpx2.InvalidURL, UnicodeError) as error:
            reason = type(error).__name__
        log.info("picture.missed", reason=reason)
        return None

    async def close(self) -> None:
        """Release the connections."""
        await self._client.aclose()

    async def _fetched(self, url: httpx2.URL, most_bytes: int) -> bytes:
        if not is_theirs(url, is_trial=self._is_trial):
            raise _Missed("Its address is not one of Discord's.")
        # Unpacked it could be anything in size, and pictures are packed already.
        plain = {"Accept-Encoding": "identity"}
        async with self._client.stream("GET", url, headers=plain) as response:
            if response.status_code != httpx2.codes.OK:
                raise _Missed(f"The status is {response.status_code}.")
            return await _read(response, most_bytes)


async def _read(response: httpx2.Response, most_bytes: int) -> bytes:
    content = bytearray()
    async for chunk in response.aiter_raw():
        content += chunk
        if len(content) > most_bytes:
            raise _Missed("It is too large.")
    return bytes(content)


def is_theirs(url: httpx2.URL, *, is_trial: bool) -> bool:
    """Whether an address is one of Discord's, or in a trial one of this machine's."""
    if url.userinfo:
        return False
    if url.scheme == "https" and url.host in _HOSTS and url.port is None:
        return True
    return is_trial and url.scheme in {"http", "https"} and _is_here(url.host)


def _is_here(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
