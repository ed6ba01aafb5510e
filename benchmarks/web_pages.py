"""What each page and resource costs on a large store: `python -m benchmarks.web_pages FOLDER`.

FOLDER is filled by `python -m benchmarks.filling FOLDER 100000 1000000` before. Each address is
asked in this process, without a network, by the owner: the time until its whole answer is there,
the processor time of the loop's thread, and the longest that the loop did nothing else.
"""

import asyncio
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter, thread_time

import httpx2
from fastapi import FastAPI
from starlette.requests import HTTPConnection

from benchmarks.repetition import times
from benchmarks.settings import bench_settings, prepare_process
from benchmarks.stalls import watched
from bot.surfaces.access.principal import Principal, owner
from bot.surfaces.pages.navigation import SECTIONS
from bot.surfaces.pages.rendering import load_templates
from bot.surfaces.parts import WebParts
from bot.web.site import add_dashboard
from bot.wiring.app import App, open_app
from memory.clock import SystemClock
from memory.model.audience import OPERATOR

ASKED = times(15, 2)
"""How often each address is asked; the first time is told by itself."""

QUERY = "who works in the bakery?"


class OwnerAsks:
    """The Authenticator port: every request is the owner's."""

    async def principal_of(self, _request: HTTPConnection, /) -> Principal:
        """The owner."""
        return owner("benchmark")

    def session_cookie(self, _request: HTTPConnection, /) -> str:
        """A name, though no cookie is asked for."""
        return "eko-session-benchmark"

    def shown_key(self, _request: HTTPConnection, /) -> str:
        """None: it is no other process of the pet."""
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What one address costs, in milliseconds, and the size of its answer in bytes."""

    address: str
    status: int
    first_ms: float
    median_ms: float
    worst_ms: float
    cpu_ms: float
    stall_ms: float
    size: int

    def __str__(self) -> str:
        """A row of the table."""
        return (
            f"| `{self.address}` | {self.status} | {self.first_ms:.0f} | {self.median_ms:.0f} "
            f"| {self.worst_ms:.0f} | {self.cpu_ms:.1f} | {self.stall_ms:.0f} "
            f"| {self.size / 1024:.0f} |"
        )


async def measured(client: httpx2.AsyncClient, address: str) -> Cost:
    """The cost of one address."""
    walls, works = [], []
    with watched() as stalls:
        for _ in range(ASKED):
            began, worked = perf_counter(), thread_time()
            answer = await client.get(address)
            walls.append((perf_counter() - began) * 1000)
            works.append((thread_time() - worked) * 1000)
    return Cost(
        address=address.replace(f"q={QUERY}", "q=..."),
        status=answer.status_code,
        first_ms=walls[0],
        median_ms=median(walls[1:]),
        worst_ms=max(walls[1:]),
        cpu_ms=median(works[1:]),
        stall_ms=stalls.largest_cpu_ms,
        size=len(answer.content),
    )


async def addresses(app: App, client: httpx2.AsyncClient) -> list[str]:
    """Every page of the menu, one of each kind of thing, and every list of the API."""
    newest = (await app.storage.memories.latest(None, OPERATOR, 1))[0]
    turn = await app.storage.turns.latest(OPERATOR, speaker=None, room=None)
    pages = [entry.path for entry in SECTIONS]
    pages += [f"/dashboard/memory?q={QUERY}&mode={mode}" for mode in ("hybrid", "semantic", "text")]
    pages += [f"/dashboard/memory/{newest.id}", f"/dashboard/brain/graph/{newest.id}"]
    pages += [] if turn is None else [f"/dashboard/conversations/{turn.id}"]
    described = (await client.get("/api/openapi.json")).json()["paths"]
    return [*pages, *_lists(described), f"/api/memory/search?q={QUERY}"]


def _lists(described: dict[str, dict[str, object]]) -> Iterator[str]:
    """The resources that are read without an id."""
    for path, methods in described.items():
        if "get" in methods and "{" not in path and "search" not in path:
            yield path


async def costs(folder: Path) -> Sequence[Cost]:
    """The cost of every address, on the store of a folder."""
    async with open_app(bench_settings(folder), SystemClock()) as app:
        site = FastAPI(openapi_url="/api/openapi.json")
        add_dashboard(site, WebParts(app=app), OwnerAsks())
        await app.services.recall.warm_up()
        load_templates()
        transport = httpx2.ASGITransport(site)
        async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return [await measured(client, one) for one in await addresses(app, client)]


def main() -> None:
    """Print the table."""
    prepare_process()
    found = asyncio.run(costs(Path(sys.argv[1])))
    print("| address | status | first ms | median ms | worst ms | processor ms | stall ms | KB |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    for one in found:
        print(one)


if __name__ == "__main__":
    main()
