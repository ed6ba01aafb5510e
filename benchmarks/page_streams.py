"""Visitors with the page open: `python -m benchmarks.page_streams [--streams 48] [--minutes 5]`.

A fresh pet, so many server-sent streams of visitors in the lobby and, where there is a Chromium,
some real pages (`--browsers 2`). Each second another visitor says something there, one in ten to
the pet. Prints its figures as one JSON object, and ends with status 1 where one is over its aim.
Linux only: it reads /proc.
"""

import argparse
import asyncio
import json
import re
import shutil
import signal
import sys
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any, NamedTuple

import httpx2
from playwright.async_api import Browser, Page, async_playwright, expect

from benchmarks.checkout import environment
from benchmarks.figures import Figures, machine, percentile, spread
from benchmarks.processes import resident_mb, worked_ms
from bot.lock import holder_of
from tests.patience import PATIENCE_S
from tests.peers.daemon import NO_TLS

MOST_STALL_MS = 20.0
"""The aim for the busiest turn of the loop, in processor time."""

MOST_GROWTH_MB = 10.0
"""The aim for what the daemon grows from the first minute to the last."""

EVERY_S = 1.0
TO_PET_EVERY = 10
QUIET_S = 20.0
"""Before anything is said: what the open streams cost by themselves."""

LAST_COME_S = 5.0
"""Time for the last message to come, and for the last answer."""

POLL_S = 0.05

CHROMIUM = shutil.which("chromium")
_OFFLINE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
_NUMBER = re.compile(r"number (\d+)")


@dataclass
class Visitor:
    """A person with the page open; `came` is when each numbered message was told to them."""

    client: httpx2.AsyncClient
    came: dict[int, float] = field(default_factory=dict)
    answers: set[str] = field(default_factory=set)
    following: asyncio.Event = field(default_factory=asyncio.Event)
    begun: int = 0

    async def come_in(self, name: str) -> None:
        """Say a name, as the form of the page does."""
        await self.client.post("/name", data={"name": name})

    async def follow(self) -> None:
        """Read the stream for ever, again when it ends."""
        while True:
            async with self.client.stream("GET", "/events", timeout=None) as stream:
                stream.raise_for_status()
                self.begun += 1
                self.following.set()
                kind = ""
                async for line in stream.aiter_lines():
                    if line.startswith("event: "):
                        kind = line.removeprefix("event: ")
                    elif line.startswith("data: ") and kind == "line":
                        self._take(json.loads(line.removeprefix("data: ")))

    def _take(self, line: dict[str, Any]) -> None:
        if line["kind"] == "pet":
            self.answers.add(line["key"])
        elif found := _NUMBER.search(line["html"]):
            self.came[int(found[1])] = monotonic()

    async def say(self, words: str) -> None:
        """Say something in the lobby, as the script of the page does."""
        said = await self.client.post("/rooms/lobby/say", data={"words": words})
        said.raise_for_status()


@dataclass
class BrowserTab:
    """A real page, and what its browser complained of."""

    page: Page
    complaints: list[str] = field(default_factory=list)

    async def come_in(self, address: str, name: str) -> None:
        """Open the page and say a name; from then on it follows."""
        self.page.on(
            "console",
            lambda said: (
                self.complaints.append(said.text) if said.type in {"error", "warning"} else None
            ),
        )
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        await self.page.goto(address)
        await self.page.get_by_label("Your name").fill(name)
        await self.page.get_by_role("button", name="Come in").click()
        await expect(self.page.locator("html.live")).to_be_attached(timeout=30_000)

    async def figures(self, last: int) -> Figures:
        """What it said and shows, and whether the last message is there."""
        lobby = self.page.get_by_role("region", name="Lobby", exact=True)
        return {
            "complaints": self.complaints,
            "lines": await lobby.locator("article.line").count(),
            "has_the_last": f"number {last} " in await lobby.inner_text(),
        }


class Memory(NamedTuple):
    """Megabytes in RAM: with mapped files, of which the database is one, and without."""

    resident: float
    own: float


@dataclass
class Watched:
    """A running daemon; `busiest_ms` is there once it has ended."""

    process: asyncio.subprocess.Process
    address: str
    busiest_ms: dict[int, float] = field(default_factory=dict)

    def memory_mb(self) -> Memory:
        """What the daemon itself has in use."""
        pid = self.process.pid
        return Memory(round(resident_mb(pid), 1), round(resident_mb(pid, "RssAnon"), 1))

    def worked_ms(self) -> float:
        """What it has used of the processor."""
        return worked_ms(self.process.pid)

    def stalls(self, since: float, until: float) -> Sequence[float]:
        """The busiest turn of each second of a stretch."""
        seconds = range(int(since), int(until) + 1)
        return [self.busiest_ms[one] for one in seconds if one in self.busiest_ms]


@asynccontextmanager
async def daemon_in(folder: Path) -> AsyncIterator[Watched]:
    """A daemon of a folder with its loop watched, which ends in order with the body."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "benchmarks.watched_daemon",
        cwd=folder, env=_settings(folder), stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None  # noqa: S101 - it was asked for
    try:
        watched = Watched(process, await _page_of(folder))
        yield watched
        process.send_signal(signal.SIGTERM)
        *_, last = (await process.stdout.read()).decode().splitlines()
        watched.busiest_ms |= {int(second): took for second, took in json.loads(last).items()}
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


def _settings(folder: Path) -> dict[str, str]:
    return environment() | {
        "EKO_DATA_DIR": str(folder),
        "EKO_WEB__PORT": "0",
        "EKO_LOG__LEVEL": "error",
        "EKO_LOG__FORMAT": "json",
    }


async def _page_of(folder: Path) -> str:
    while True:
        holder = holder_of(folder)
        if holder is not None and holder.page is not None:
            return holder.page
        await asyncio.sleep(POLL_S)


@asynccontextmanager
async def visitors_at(address: str, count: int) -> AsyncIterator[list[Visitor]]:
    """So many visitors who follow the lobby."""
    visitors = [
        Visitor(
            httpx2.AsyncClient(
                base_url=address,
                verify=NO_TLS,
                timeout=PATIENCE_S,
                headers={"accept": "application/json", "accept-language": "en"},
            )
        )
        for _ in range(count)
    ]
    async with asyncio.TaskGroup() as tasks:
        following = []
        for number, visitor in enumerate(visitors):
            await visitor.come_in(f"Visitor {number}")
            following.append(tasks.create_task(visitor.follow()))
            await visitor.following.wait()
        yield visitors
        for one in following:
            one.cancel()
    for visitor in visitors:
        await visitor.client.aclose()


@asynccontextmanager
async def tabs_at(address: str, count: int) -> AsyncIterator[list[BrowserTab]]:
    """So many real pages in browsers of their own; none where there is no Chromium."""
    if CHROMIUM is None or not count:
        print("No Chromium: without real pages.", file=sys.stderr)
        yield []
        return
    async with async_playwright() as playwright:
        browser: Browser = await playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", _OFFLINE]
        )
        tabs = []
        for number in range(count):
            context = await browser.new_context(locale="en-GB")
            tabs.append(BrowserTab(await context.new_page()))
            await tabs[-1].come_in(address, f"Reader {number}")
        yield tabs
        await browser.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """What was said by number and when, within which time, and what that cost the daemon."""

    said: Mapping[int, float]
    since: float
    until: float
    worked_ms: float
    quiet_ms_per_s: float
    memory: Sequence[Memory]

    @property
    def ms_per_message(self) -> float:
        """Processor time of a message, without what the open streams cost by themselves."""
        quiet_ms = self.quiet_ms_per_s * (self.until - self.since)
        return (self.worked_ms - quiet_ms) / len(self.said)

    def delivered_ms(self, visitors: Sequence[Visitor]) -> Iterator[Sequence[float]]:
        """Of each message how long it took to come to each stream that it came to."""
        for number, at in self.said.items():
            came = (one.came[number] for one in visitors if number in one.came)
            yield [(moment - at) * 1000 for moment in came]


async def measure(folder: Path, streams: int, minutes: float, browsers: int) -> Figures:
    """Have visitors talk in the lobby of a pet while others follow."""
    async with (
        daemon_in(folder) as pet,
        visitors_at(pet.address, streams) as visitors,
        tabs_at(pet.address, browsers) as tabs,
    ):
        talk = await _talk(pet, visitors, round(minutes * 60 / EVERY_S))
        shown = [await tab.figures(max(talk.said)) for tab in tabs]
    return _figures(talk, visitors, pet.stalls(talk.since, talk.until)) | {"browsers": shown}


async def _talk(pet: Watched, visitors: Sequence[Visitor], messages: int) -> Talk:
    """Have nothing said for a while, then so many messages."""
    began = pet.worked_ms()
    await asyncio.sleep(QUIET_S)
    quiet_ms_per_s = (pet.worked_ms() - began) / QUIET_S
    said: dict[int, float] = {}
    memory: list[Memory] = []
    since, worked_ms = monotonic(), pet.worked_ms()
    for number in range(messages):
        said[number] = monotonic()
        await visitors[number % len(visitors)].say(_words(number))
        if number % 60 == 59:
            memory.append(pet.memory_mb())
        await asyncio.sleep(max(0.0, since + (number + 1) * EVERY_S - monotonic()))
    await asyncio.sleep(LAST_COME_S)
    return Talk(
        said=said,
        since=since,
        until=monotonic(),
        worked_ms=pet.worked_ms() - worked_ms,
        quiet_ms_per_s=quiet_ms_per_s,
        memory=[*memory, pet.memory_mb()],
    )


def _words(number: int) -> str:
    """What is said: to the pet, or to the others."""
    if number % TO_PET_EVERY == TO_PET_EVERY - 1:
        return f"Eko, this is number {number} of today, what is {number} plus 4?"
    return f"This is number {number} of today, and I live in **Lyon**."


def _figures(talk: Talk, visitors: Sequence[Visitor], turns_ms: Sequence[float]) -> Figures:
    delivered = list(talk.delivered_ms(visitors))
    figures = {
        **machine(),
        "streams": len(visitors),
        "messages": len(talk.said),
        "answers": len(visitors[0].answers),
        "not_delivered": len(talk.said) * len(visitors) - sum(map(len, delivered)),
        "streams_begun_again": sum(one.begun - 1 for one in visitors),
        "delivery_to_each": spread([took for each in delivered for took in each]),
        "delivery_to_all": spread([max(each) for each in delivered if each]),
        "resident_mb_each_minute": [one.resident for one in talk.memory],
        "own_mb_each_minute": [one.own for one in talk.memory],
        "quiet_ms_per_s": round(talk.quiet_ms_per_s, 1),
        "ms_per_message": round(talk.ms_per_message, 1),
        "busiest_turn_ms": round(max(turns_ms), 1),
        "busiest_turn_of_a_second_p50_ms": round(percentile(turns_ms, 0.5), 1),
        "busiest_turn_of_a_second_p95_ms": round(percentile(turns_ms, 0.95), 1),
    }
    return figures | {"missed": list(_missed(figures, talk))}


def _missed(figures: Figures, talk: Talk) -> Iterator[str]:
    """The figures that are over their aims."""
    yield from (name for name in ("not_delivered", "streams_begun_again") if figures[name])
    if float(str(figures["busiest_turn_ms"])) >= MOST_STALL_MS:
        yield "busiest_turn_ms"
    if talk.memory[-1].own - talk.memory[0].own > MOST_GROWTH_MB:
        yield "own_mb_each_minute"


def main() -> None:
    """Measure, print, and say by the status whether the aims were reached."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--streams", type=int, default=48)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--browsers", type=int, default=2)
    chosen = parser.parse_args()
    with TemporaryDirectory() as folder:
        found = asyncio.run(measure(Path(folder), chosen.streams, chosen.minutes, chosen.browsers))
    print(json.dumps(found, indent=1))
    sys.exit(bool(found["missed"]))


if __name__ == "__main__":
    main()
