"""An hour by the clock: `python -m tests.harness.soak --clock 1h`.

A daemon of its own runs in real time while people say so many things a minute, in the lobby and
alone with it, and digests run every ten minutes. No two say the same, but all with the words of
one vocabulary, as a room has, so that what is remembered of words is soon full. Every ten seconds
it is looked at what the process and those below it hold: memory of their own (pages of the index's
files do not count: the kernel takes them back), file descriptors, threads, tasks of the event loop,
and the size of the data folder. At the end each must have stood still but for the disk, which may
grow by what was said. Linux only.
"""

import asyncio
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import combinations, islice
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import monotonic

import httpx2
from prometheus_client.parser import text_string_to_metric_families

from bot.lock import holder_of
from memory.tasks import background_task
from tests.edge.loopback import LoopbackServer
from tests.harness.client import LocalClient
from tests.harness.crash import settings_of
from tests.harness.report import Report
from tests.harness.services import MessagesService
from tests.harness.words import new_words
from tests.patience import PATIENCE_S
from tests.peers.daemon import NO_TLS, awake
from tests.processes import started

SAMPLE_EVERY_S = 10.0
DIGEST_EVERY_S = 600.0
PEOPLE = 20

VOCABULARY = 1_000
"""Made up words that are said in pairs; each that a person says is one fact of theirs."""

TO_PET = 10
"""The first of so many things that are said is said to the pet alone and waits for an answer."""

WARM_UP = 1 / 3
"""The share of the time in which caches are filled: it is shown, and not judged."""

UNHELD = {
    "EKO_BUDGET__DAILY_TOKENS": "1000000000",
    "EKO_EXTRACTION__IDLE_S": "60",
    "EKO_EXTRACTION__SPAN_TURNS": "10",
}
"""Of the settings of the crashes, what is more like a pet's life."""

ENOUGH = timedelta(minutes=30)
"""Shorter runs are shown and not judged: a first digest and a reader more of the database look like
a leak. In 14 minutes on a busy machine 395 MB became 399, a slope of 37 MB an hour."""

MOST_AN_HOUR = {"memory_mb": 0.05, "descriptors": 0.05, "threads": 0.05, "tasks": 0.05}
"""Growth in an hour, as a share of what is held, from which on something is being kept."""

LEAST = {"memory_mb": 2.0, "descriptors": 1.0, "threads": 1.0, "tasks": 1.0}
"""Growth within the time that is judged which says nothing: one connection more at its end."""

MOST_KB_A_MESSAGE = 20.0
"""What a message may take on disk: 5 KB for itself and what is learnt of it, with the journals."""


@dataclass
class Watched:
    """What was seen of a daemon, and when."""

    at_s: list[float] = field(default_factory=list)
    seen: dict[str, list[float]] = field(default_factory=dict)
    said: list[float] = field(default_factory=list)

    def add(self, at_s: float, said: int, figures: Mapping[str, float]) -> None:
        """One look."""
        self.at_s.append(at_s)
        self.said.append(said)
        for name, value in figures.items():
            self.seen.setdefault(name, []).append(value)


def slope(at: Sequence[float], values: Sequence[float]) -> float:
    """The growth of values over what they stand against: the middle of the slopes of all pairs.

    A single peak does not move it (Theil 1950, Sen 1968).
    """
    points = list(zip(at, values, strict=True))
    slopes = [(d - b) / (c - a) for (a, b), (c, d) in combinations(points, 2) if c > a]
    return median(slopes) if slopes else 0.0


async def soak_by_clock(clock: timedelta, per_minute: int, report: Report) -> None:
    """Talk for so long from the first answer on, then say what grew."""
    async with AsyncExitStack() as stack:
        # Where the daemon had to be killed its index may still be writing.
        made = TemporaryDirectory(prefix="eko-soak-clock-", ignore_cleanup_errors=True)
        folder = Path(stack.enter_context(made))
        model = MessagesService()
        server = await stack.enter_async_context(LoopbackServer(model.answer))
        settings = settings_of(server.url) | UNHELD
        data = folder / "data"
        daemon = await stack.enter_async_context(awake(data, settings, begin=started))
        talk = _Talk(data, per_minute, report)
        watched = Watched()
        async with (
            background_task(talk.goes_on(), name="talk") as talking,
            background_task(talk.digests(), name="digests") as digesting,
        ):
            async with asyncio.timeout(PATIENCE_S):  # a busy machine begins late
                await talk.began.wait()
            watch = _watch(data, daemon.process.pid, talk, watched, report)
            async with background_task(watch, name="watch") as watching:
                # None of them ends by itself: what did has failed, and says why as it is left.
                await asyncio.wait(
                    {talking, digesting, watching},
                    timeout=clock.total_seconds(),
                    return_when=asyncio.FIRST_COMPLETED,
                )
        report.holds(daemon.process.returncode is None, "the daemon ended")
        report.holds(await daemon.interrupted() == 0, "it did not end as it was told to")
        report.failed(daemon.output)
        report.figures |= {"messages": talk.said, "answered": talk.answered}
        report.holds(talk.answered, "nobody was answered")
        report.holds(not model.broken, f"requests broke rules: {model.broken[:3]}")
        judge(watched, report)


class _Talk:
    """People who speak at a steady pace."""

    def __init__(self, data: Path, per_minute: int, report: Report) -> None:
        self.said = 0
        self.answered = 0
        self.began = asyncio.Event()
        self._client = LocalClient(data)
        self._digesting = LocalClient(data, None)  # on a busy machine one takes minutes
        self._every_s = 60 / per_minute
        self._chance = Random(report.seed)
        self._words = list(islice(new_words(self._chance), VOCABULARY))

    async def goes_on(self) -> None:
        """Say one thing after another, each at its moment, whatever the one before took."""
        begun = monotonic()
        while True:
            await asyncio.sleep(max(0.0, begun + self.said * self._every_s - monotonic()))
            name = f"Voisin {self._chance.randrange(PEOPLE)}"
            words = " ".join(self._chance.sample(self._words, 2))
            self.said += 1
            if self.said % TO_PET == 1:
                await self._client.ask(name, f"mon bateau s'appelle {words}", lambda: None)
                self.answered += 1
                self.began.set()
            else:
                await self._client.say(name, f"la fanfare joue {words} ce soir")

    async def digests(self) -> None:
        """Digest now and then."""
        while True:
            await asyncio.sleep(DIGEST_EVERY_S)
            await self._digesting.does("digest")


async def _watch(data: Path, pid: int, talk: _Talk, watched: Watched, report: Report) -> None:
    begun = monotonic()
    while True:
        figures = {**await asyncio.to_thread(held_by, pid, data), "tasks": await _tasks(data)}
        watched.add(monotonic() - begun, talk.said, figures)
        if len(watched.at_s) % 6 == 1:
            told = "  ".join(f"{name} {value:g}" for name, value in figures.items())
            report.says(f"{talk.said} messages  {told}")
        await asyncio.sleep(SAMPLE_EVERY_S - (monotonic() - begun) % SAMPLE_EVERY_S)


def held_by(pid: int, data: Path) -> dict[str, float]:
    """What a process and those below it hold, and what is in a folder (proc_pid_smaps(5))."""
    held: Counter[str] = Counter()
    for one in family(pid):
        with suppress(
            OSError
        ):  # one that ended meanwhile, as short work beside does, holds nothing
            held.update(_held(Path(f"/proc/{one}")))
    for folder, _, names in os.walk(data):  # passes over what vanishes meanwhile
        for name in names:
            with suppress(OSError):
                held["disk_kb"] += Path(folder, name).stat().st_blocks // 2
    return {
        "memory_mb": round(held["memory_kb"] / 1024, 1),
        "descriptors": held["descriptors"],
        "threads": held["threads"],
        "disk_mb": round(held["disk_kb"] / 1024, 2),
    }


def _held(process: Path) -> Mapping[str, int]:
    lines = (process / "smaps_rollup").read_text("utf-8").splitlines()
    return {
        "memory_kb": sum(int(one.split()[1]) for one in lines if one.startswith("Private_Dirty")),
        "descriptors": len(list((process / "fd").iterdir())),
        "threads": len(list((process / "task").iterdir())),
    }


def family(pid: int) -> Iterator[int]:
    """A process and those below it."""
    yield pid
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text("utf-8").split():
                yield from family(int(child))


async def _tasks(data: Path) -> float:
    """How many tasks the event loop has, as the metrics say."""
    holder = holder_of(data)
    assert holder is not None
    transport = httpx2.AsyncHTTPTransport(uds=holder.socket, verify=NO_TLS)
    async with httpx2.AsyncClient(
        transport=transport, base_url="http://eko", timeout=PATIENCE_S
    ) as client:
        answer = await client.get("/metrics")
    families = text_string_to_metric_families(answer.text)
    return next(one.samples[0].value for one in families if one.name == "eko_tasks")


def judge(watched: Watched, report: Report) -> None:
    """Say of each figure how it grew, and note what grew too much as a fault."""
    is_long = watched.at_s[-1] - watched.at_s[0] >= ENOUGH.total_seconds() - SAMPLE_EVERY_S
    faults = list(_grown(watched, report))
    if is_long:
        report.faults += faults
    report.figures["verdict"] = ("grows" if faults else "still") if is_long else "too short to say"


def _grown(watched: Watched, report: Report) -> Iterator[str]:
    """What grew too much, a sentence for each; the figures go into the report."""
    start = int(len(watched.at_s) * WARM_UP)
    at_h = [one / 3600 for one in watched.at_s[start:]]
    judged_h = at_h[-1] - at_h[0] if at_h else 0.0
    for name, values in watched.seen.items():
        kept = values[start:]
        told: dict[str, float] = {
            "first": values[0],
            "after_warm_up": kept[0],
            "last": kept[-1],
            "most": max(values),
        }
        if name == "disk_mb":
            kb = slope(watched.said[start:], kept) * 1024
            told["kb_a_message"] = round(kb, 2)
            if kb > MOST_KB_A_MESSAGE:
                yield f"{kb:.1f} KB of disk a message"
        else:
            an_hour = slope(at_h, kept)
            told["an_hour"] = round(an_hour, 2)
            most = max(MOST_AN_HOUR[name] * median(kept), LEAST[name] / max(judged_h, 1e-9))
            if an_hour > most:
                yield f"{name} grew by {an_hour:.1f} an hour, of {most:.1f}"
        report.figures[name] = told
