"""One visitor holds 600 streams open: `python -m benchmarks.stream_flood [--streams 600]`.

A fresh pet, asked meanwhile by another visitor, a service and a monitor: a message goes in and its
reply comes out over the stream of its author, a webhook is taken, `/healthz` answers. Once from
this machine, and behind a named proxy that forwards for one client and for as many as there are
streams. Prints its figures as one JSON object, and ends with status 1 where one is over its aim.
"""

import argparse
import asyncio
import hmac
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import httpx2

from benchmarks.figures import Figures
from bot.lock import holder_of
from tests.patience import PATIENCE_S
from tests.peers.daemon import NO_TLS, awake

WITHIN_S = 5.0
"""The aim for a reply, for a webhook and for `/healthz`."""

FORWARDED = ("", "one", "many")
"""For whom a proxy forwards the streams; without a proxy where it is empty."""

_AT_ONCE = 32
_SECRET = "0123456789abcdef0123456789abcdef"  # noqa: S105 - of a pet that lives for a minute
_SETTINGS = {
    "EKO_WEB__ENABLED": "true",
    "EKO_WEB__PORT": "0",
    "EKO_LOG__FORMAT": "json",
    "EKO_WHATSAPP__ACCESS_TOKEN": "EAAtrialtoken",
    "EKO_WHATSAPP__APP_SECRET": _SECRET,
    "EKO_WHATSAPP__VERIFY_TOKEN": "a-word",
    "EKO_WHATSAPP__PHONE_NUMBER_ID": "1",
    "EKO_WHATSAPP__API_URL": "http://127.0.0.1:9",
}


async def measure(folder: Path, streams: int, forwarded: str) -> Figures:
    """Hold so many streams of one visitor open, and ask meanwhile."""
    proxies = {"EKO_WEB__PROXIES": '["127.0.0.1"]'} if forwarded else {}
    async with awake(folder, {**_SETTINGS, **proxies}) as daemon:
        page = _page_of(folder)
        async with _flood(page, streams, forwarded) as opened:
            figures = {
                "streams": streams,
                "forwarded": forwarded,
                "opened": opened,
                "reply_s": await _timed(_talks(page, forwarded)),
                "webhook_s": await _timed(_calls(page)),
                "health_s": await _timed(_looks(page)),
            }
        await daemon.interrupted()
    return figures


def is_within_aim(figures: Figures) -> bool:
    """Whether everybody else was answered in time."""
    return all(float(str(figures[name])) <= WITHIN_S for name in _TIMES)


_TIMES = ("reply_s", "webhook_s", "health_s")


@asynccontextmanager
async def _flood(page: str, streams: int, forwarded: str) -> AsyncIterator[int]:
    """So many requests for the stream of one visitor; how many of them were answered."""
    async with httpx2.AsyncClient(base_url=page, timeout=PATIENCE_S, verify=NO_TLS) as client:
        await client.post("/name", data={"name": "Flo"}, headers=_from("198.51.100.1", forwarded))
        cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    port, opening = int(page.rpartition(":")[2]), asyncio.Semaphore(_AT_ONCE)
    async with AsyncExitStack() as stack:

        async def opened(number: int) -> bool:
            client = f"198.51.{number // 250}.{number % 250 + 1}"
            headers = _from(client if forwarded == "many" else "198.51.100.1", forwarded)
            lines = [f"{name}: {value}\r\n" for name, value in headers.items()]
            head = f"GET /events HTTP/1.1\r\nHost: localhost\r\nCookie: {cookies}\r\n"
            async with opening:
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                stack.callback(writer.close)
                writer.write(f"{head}{''.join(lines)}\r\n".encode())
                with suppress(ConnectionError):
                    return b" 200 " in await reader.readline()
            return False

        yield sum(await asyncio.gather(*map(opened, range(streams))))


def _from(client: str, forwarded: str) -> Mapping[str, str]:
    return {"x-forwarded-for": client} if forwarded else {}


async def _timed(done: Awaitable[None]) -> float:
    begun = perf_counter()
    await done
    return round(perf_counter() - begun, 3)


async def _talks(page: str, forwarded: str) -> None:
    """Another visitor comes in, says something, and reads the reply from their stream."""
    async with httpx2.AsyncClient(
        base_url=page,
        timeout=PATIENCE_S,
        verify=NO_TLS,
        headers=_from("203.0.113.9", forwarded),
    ) as client:
        await client.post("/name", data={"name": "Nia"})
        async with client.stream("GET", "/events") as events:
            lines = events.aiter_lines()
            await _until(lines, '"names"')
            words = {"words": "Hello, who are you?"}
            said = await client.post(
                "/rooms/private/say", data=words, headers={"accept": "application/json"}
            )
            said.raise_for_status()
            await _until(lines, '"kind": "pet", "author": "Eko", "mine"')


async def _until(lines: AsyncIterator[str], text: str) -> None:
    async with asyncio.timeout(PATIENCE_S):
        async for line in lines:
            if text in line:
                return
    raise RuntimeError(f"The stream ended before it told {text}.")


async def _calls(page: str) -> None:
    """A service hands over what is signed."""
    body = json.dumps({"object": "whatsapp_business_account", "entry": []}).encode()
    signed = hmac.new(_SECRET.encode(), body, "sha256").hexdigest()
    headers = {"x-hub-signature-256": f"sha256={signed}", "content-type": "application/json"}
    async with httpx2.AsyncClient(timeout=PATIENCE_S, verify=NO_TLS) as client:
        answer = await client.post(f"{page}/webhooks/whatsapp", content=body, headers=headers)
        answer.raise_for_status()


async def _looks(page: str) -> None:
    """A monitor asks whether it runs."""
    async with httpx2.AsyncClient(timeout=PATIENCE_S, verify=NO_TLS) as client:
        (await client.get(f"{page}/healthz")).raise_for_status()


def _page_of(folder: Path) -> str:
    holder = holder_of(folder)
    if holder is None or holder.page is None:
        raise RuntimeError("The daemon has no page.")
    return holder.page


async def _measured(streams: int) -> list[Figures]:
    found = []
    for forwarded in FORWARDED:
        with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            found.append(await measure(Path(folder), streams, forwarded))
    return found


def main() -> None:
    """Measure, print, and say by the status whether every aim was reached."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--streams", type=int, default=600)
    found = asyncio.run(_measured(parser.parse_args().streams))
    print(json.dumps(found, indent=1))
    sys.exit(not all(map(is_within_aim, found)))


if __name__ == "__main__":
    main()
