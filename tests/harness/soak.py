"""A day in minutes: `python -m tests.harness.soak --n 6000`.

The pet's own parts live through one day (UTC) of a clock that is told to move: people talk in a
lobby and alone with it, conversations fall silent and are summarised and learnt from, jobs run at
their hours. The model is a service that counts its own tokens. What is held: no task is left over,
the ledger says to the token what the service counted, no cap of the day is passed, and the process
takes no more memory at the end of the day than in its middle.
"""

import asyncio
import gc
from collections import Counter
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from uuid import uuid4

import structlog
from structlog.typing import EventDict

from bot.channels.local.hub import LOBBY, direct_room
from bot.daemon.clockwork import jobs_of
from bot.model.events import AuthorRef, Inbound, RoomRef
from bot.wiring.app import App, open_app
from config.settings import Settings
from memory.clock import FrozenClock
from memory.model.rooms import HOME
from memory.model.ttl import parse_ttl
from observers.errors import ExtractorUnavailable
from observers.schedule import Jobs, slot_of
from tests.edge.loopback import LoopbackServer
from tests.harness.report import Report, arguments, run
from tests.harness.services import MessagesService
from tests.harness.soak_clock import soak_by_clock
from tests.harness.words import new_words
from tests.patience import PATIENCE_S
from tests.peers.discord_stage import rows

HOURS = 24
MIDNIGHT = datetime(2026, 3, 2, tzinfo=UTC)
PEOPLE = 20

DAY, MINUTE = 6000, 300
"""Messages where no number is asked for: of a day in minutes, and of a minute by the clock.

By the clock a third of an hour fills what remembers readings of texts: 4,096 each, mostly.
"""

STARTS_S = 300.0
"""For the start of a daemon and its end, beside the time that it is watched."""

TO_PET = 0.1
"""The share of what is said that is said to the pet."""

AT_ONCE = 25
"""Messages of the lobby between two turns."""

DAILY_TOKENS = 700
"""Tokens of the day's cap for each message: less than the day would take."""

MOST_GROWTH = 0.05
"""Memory that the last half of the day may add."""

SAMPLES = 3
"""Hours that stand for a moment of the day."""

ENOUGH = 2000
"""Messages from which on memory is judged: below, caches have not been filled."""

TURN_EVERY = timedelta(seconds=1)
"""Between two turns, so that no window of seconds takes them for a flood."""

_USED = """
    SELECT count(*), sum(input_tokens + cache_read_tokens + cache_write_tokens), sum(output_tokens),
        sum(input_tokens + cache_write_tokens + output_tokens)
    FROM llm_usage WHERE outcome IN ('end', 'tools', 'length', 'refusal')
"""


@dataclass
class Measured:
    """What was seen of the process at the end of each hour."""

    own_mb: list[float] = field(default_factory=list)
    tasks: list[Counter[str]] = field(default_factory=list)

    def growth(self) -> float:
        """What the end of the day takes more than its middle, as a share."""
        half = len(self.own_mb) // 2
        middle, end = self.own_mb[half : half + SAMPLES], self.own_mb[-SAMPLES:]
        return median(end) / median(middle) - 1


class Day:
    """A pet, its clock, and people who talk through one day."""

    def __init__(self, app: App, clock: FrozenClock, jobs: Jobs, report: Report) -> None:
        self._app = app
        self._clock = clock
        self._jobs = jobs
        self._report = report
        self.measured = Measured()
        self.did: Counter[str] = Counter()
        self._chance = Random(report.seed)
        self._words = new_words(self._chance)

    async def lived(self, messages: int) -> None:
        """All hours, with their share of the messages."""
        for hour in range(HOURS):
            self._clock.at = MIDNIGHT + timedelta(hours=hour)
            await self._hourly(hour)
            await self._talk(messages // HOURS)
            await self._silence()
            self._look()
            self._report.says(f"{hour + 1:2} h  {self.measured.own_mb[-1]:.0f} MB")

    async def _talk(self, messages: int) -> None:
        said = 0
        while said < messages:
            some = min(AT_ONCE, messages - said)
            await self._app.inbox.receive_all([self._overheard() for _ in range(some)])
            for _ in range(max(1, round(some * TO_PET))):
                await self._turn()
            said += some
        self.did["overheard"] += said

    async def _turn(self) -> None:
        self._clock.advance(TURN_EVERY)
        author = self._author()
        text = f"bonjour {next(self._words)}"
        await self._app.inbox.receive(self._inbound(author, direct_room(author), text))
        async with asyncio.timeout(PATIENCE_S):
            await self._app.conversations.quiet()
        self.did["turns"] += 1

    async def _silence(self) -> None:
        """Enough of it that conversations end, with what follows their end."""
        self._clock.advance(timedelta(minutes=self._app.settings.sessions.idle_minutes + 1))
        await self._jobs.look_after()
        async with asyncio.timeout(PATIENCE_S):
            await self._app.services.after_reply.quiet()
            try:
                read = await self._app.services.conversation_facts.read_due()
                self.did["conversations read"] += read.spans
            except ExtractorUnavailable:  # the day's cap, which its own loop waits for
                self.did["readings postponed"] += 1
        await self._app.services.indexer.settle()

    async def _hourly(self, hour: int) -> None:
        await self._jobs.sweep()
        await self._jobs.associate()
        self.did["sweeps"] += 1
        if hour in self._jobs.digest_hours:
            await self._jobs.digest(slot_of(self._clock.now(), self._jobs.digest_hours, UTC))
            self.did["digests"] += 1
        if hour == self._jobs.tidy_hour:
            await self._jobs.tidy()
            self.did["tidied"] += 1
        if hour == self._jobs.backup_hour:
            await self._jobs.backup()
            self.did["backups"] += 1

    def _overheard(self) -> Inbound:
        return self._inbound(self._author(), LOBBY, f"la fanfare joue {next(self._words)} ce soir")

    def _inbound(self, author: AuthorRef, room: RoomRef, text: str) -> Inbound:
        return Inbound(
            external_id=uuid4().hex,
            room=room,
            author=author,
            text=text,
            sent_at=self._clock.now(),
            spaces=frozenset({HOME}),
        )

    def _author(self) -> AuthorRef:
        name = f"Voisin {self._chance.randrange(PEOPLE)}"
        return AuthorRef(platform="console", external_id=name, name=name)

    def _look(self) -> None:
        gc.collect()
        self.measured.own_mb.append(own_mb())
        self.measured.tasks.append(Counter(map(_name_of, asyncio.all_tasks())))


def own_mb() -> float:
    """Memory that only this process has (proc_pid_smaps(5)), in megabytes. Linux only."""
    lines = Path("/proc/self/smaps_rollup").read_text("utf-8").splitlines()
    private = (line.split() for line in lines if line.startswith("Private_"))
    return sum(int(words[1]) for words in private) / 1024


def _name_of(task: asyncio.Task[object]) -> str:
    name = task.get_name()
    return getattr(task.get_coro(), "__qualname__", "?") if name.startswith("Task-") else name


async def soak(size: int, report: Report) -> None:
    """One day of so many messages."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="eko-soak-")))
        structlog.configure(processors=[partial(_noted, report)])
        model = MessagesService()
        server = await stack.enter_async_context(LoopbackServer(model.answer))
        before = Counter(map(_name_of, asyncio.all_tasks()))
        clock = FrozenClock(MIDNIGHT)
        cap = DAILY_TOKENS * size
        async with open_app(settings_of(folder, server.url, cap), clock, resuming=True) as app:
            day = Day(app, clock, jobs_of(app), report)
            await day.lived(size)
        report.figures |= {"messages": size, "did": dict(day.did)}
        _no_task_is_left(day.measured, before, report)
        _every_token_is_counted(folder, model, cap, report)
        _memory_is_flat(day.measured, size, report)
        report.holds(not model.broken, f"requests broke rules: {model.broken[:3]}")


def _noted(report: Report, _: object, level: str, event: EventDict) -> EventDict:
    """Take an error in the log for a fault, and write nothing down."""
    if level in {"error", "exception", "critical"}:
        report.faults.append(f"in the log: {event}")
    raise structlog.DropEvent


def settings_of(folder: Path, url: str, cap: int) -> Settings:
    """A pet that talks with this model, for so many tokens in a day."""
    quick = {"debounce_s": 0}
    unlimited = {"per_person": 100_000, "per_room": 100_000, "per_address": 100_000}
    reading = {"read_per_person": 100_000, "read_per_room": 100_000}
    given: Mapping[str, object] = {
        "data_dir": folder,
        "timezone": "UTC",
        "model": {"api_key": "test", "base_url": url},
        "embedder": {"kind": "none"},
        "extraction": {"enabled": False},  # its own loop; the day reads at each hour's end
        "coalescing": quick,
        "loops": {"answers": 1000, "room_answers": 10_000},
        "rates": unlimited | reading,
        "budget": {"daily_tokens": cap, "per_person_turns": None, "newcomer_turns": None},
    }
    return Settings.model_validate(given)


def _no_task_is_left(measured: Measured, before: Counter[str], report: Report) -> None:
    first, last = measured.tasks[0], measured.tasks[-1]
    more = last - first
    left = Counter(map(_name_of, asyncio.all_tasks())) - before
    report.figures["tasks"] = {"after_an_hour": first.total(), "after_the_day": last.total()}
    report.holds(not more, f"tasks that were not there after an hour: {dict(more)}")
    report.holds(not left, f"tasks that outlived the pet: {dict(left)}")


def _every_token_is_counted(folder: Path, model: MessagesService, cap: int, report: Report) -> None:
    ((calls, sent, received, fresh),) = rows(folder, _USED)
    served = (model.calls.total(), model.sent.total(), model.received.total())
    report.figures["model"] = {
        "calls": dict(model.calls),
        "sent": served[1],
        "received": served[2],
        "daily_cap": cap,
        "fresh": fresh,
    }
    report.holds(
        served == (calls, sent, received),
        f"the ledger has {(calls, sent, received)} (calls, sent, received), the service {served}",
    )
    report.holds(fresh <= cap, f"{fresh} tokens of a cap of {cap}")


def _memory_is_flat(measured: Measured, size: int, report: Report) -> None:
    growth = measured.growth()
    report.figures["memory_mb"] = [round(one, 1) for one in measured.own_mb]
    report.figures["growth"] = round(growth, 4)
    if size >= ENOUGH:
        report.holds(growth < MOST_GROWTH, f"memory grew by {growth:.1%} over the last half")


def main() -> None:
    """A day of as many messages as were asked for, or so long by the clock."""
    parser = arguments(
        __doc__, None, f"messages of the day ({DAY}); of a minute, by the clock ({MINUTE})"
    )
    parser.add_argument("--clock", type=parse_ttl, help="in real time, for so long: 20m, 1h")
    chosen = parser.parse_args()
    if chosen.clock is None:
        run("soak", chosen, partial(soak, chosen.n or DAY))
    chosen.limit = max(chosen.limit, chosen.clock.total_seconds() + STARTS_S)
    run("soak", chosen, partial(soak_by_clock, chosen.clock, chosen.n or MINUTE))


if __name__ == "__main__":
    main()
