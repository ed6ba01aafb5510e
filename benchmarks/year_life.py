"""Lets the pet live through the simulated year: its own parts, and a clock that is told to move."""

from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import groupby
from time import perf_counter
from zoneinfo import ZoneInfo

from benchmarks.year_plan import Span, Utterance
from bot.model.events import Inbound
from bot.wiring.app import App
from memory.clock import FrozenClock
from memory.model.audience import OPERATOR
from memory.model.messages import MessageId
from memory.model.people import PersonId
from memory.model.rooms import RoomId
from memory.model.statements import MemoryId
from memory.model.stores import Store
from observers.schedule import slot_of

ZONE = ZoneInfo("Europe/Paris")
"""The pet's time zone, in which a day begins and dates are meant."""

HOUR, DAY = timedelta(hours=1), timedelta(days=1)

NIGHT = 3
"""The hour of the jobs that run once a day."""

MOST_AT_ONCE = 500
"""Messages of one transaction, as many as a bridge that was away delivers at once."""

ALL = 1_000_000
"""More statements than a year brings."""

SWEEPS = {"hourly": HOUR, "daily": DAY, "never": None}
"""How often what has expired is removed; recall must not depend on it."""

Said = Callable[[str], None]
"""Told how far it is."""


@dataclass(slots=True)
class Learnt:
    """Every statement that was ever learnt: its words and the messages it was learnt from."""

    content: dict[MemoryId, str] = field(default_factory=dict)
    behind: dict[MemoryId, frozenset[MessageId]] = field(default_factory=dict)
    expires: dict[MemoryId, datetime | None] = field(default_factory=dict)
    current: frozenset[MemoryId] = frozenset()
    """Those that are not replaced and not over, when it was last looked."""

    def behind_words(self, content: str) -> frozenset[MessageId]:
        """The messages behind every statement of these words."""
        alike = [memory for memory, words in self.content.items() if words == content]
        return frozenset(message for memory in alike for message in self.behind[memory])


@dataclass(slots=True, kw_only=True)
class Life:
    """A pet that lives through a span of days."""

    app: App
    clock: FrozenClock
    span: Span
    sweeps: str
    said: Said
    learnt: Learnt = field(default_factory=Learnt)
    took_s: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    """Seconds of the machine by what they went to."""
    _swept: datetime | None = None

    async def months(self, utterances: Sequence[Utterance]) -> AsyncIterator[datetime]:
        """Live; whenever a month is over, and after the last day, the moment it is then."""
        numbered = enumerate(sorted(utterances, key=lambda one: one.at))
        by_hour = {
            hour: list(each)
            for hour, each in groupby(numbered, lambda one: _hour(one[1].at, self.span))
        }
        for hour in range(self.span.days * 24):
            await self._hour(self.span.start + hour * HOUR, by_hour.get(hour, ()))
            ends = self.span.start + (hour + 1) * HOUR
            if _ends_month(ends) or ends == self.span.end:
                await self._look(self.span.start)
                self.said(f"{ends.astimezone(ZONE):%Y-%m-%d}")
                yield ends

    async def goes_on(self, time: timedelta) -> None:
        """Let time pass in which nobody says anything; what was said is digested and read."""
        for _ in range(int(time / HOUR)):
            await self._jobs(self.clock.now())
            self.clock.advance(HOUR)
        await self._look(self.span.start)

    async def _hour(self, start: datetime, said: Sequence[tuple[int, Utterance]]) -> None:
        self.clock.at = start
        await self._jobs(start)
        for to_pet, each in groupby(said, lambda one: one[1].to_pet):
            if to_pet:
                await self._answer(list(each))
            else:
                await self._overhear(list(each))
        self.clock.at = start + HOUR

    async def _overhear(self, said: Sequence[tuple[int, Utterance]]) -> None:
        with self._timed("hearing"):
            for first in range(0, len(said), MOST_AT_ONCE):
                some = said[first : first + MOST_AT_ONCE]
                self.clock.at = max(self.clock.at, some[-1][1].at)
                await self.app.inbox.receive_all([_inbound(*one) for one in some])

    async def _answer(self, said: Sequence[tuple[int, Utterance]]) -> None:
        """One turn each: people write to the pet minutes apart."""
        with self._timed("answering"):
            for number, utterance in said:
                self.clock.at = max(self.clock.at, utterance.at)
                await self.app.inbox.receive(_inbound(number, utterance))
                self.clock.advance(timedelta(seconds=self.app.settings.coalescing.debounce_s))
                self.app.conversations.typing(PersonId("nobody"), RoomId("nowhere"))
                await self.app.conversations.quiet()

    async def _jobs(self, now: datetime) -> None:
        """What the daemon's clock does at this hour."""
        local = now.astimezone(ZONE)
        await self._sweep(now)
        with self._timed("sessions"):
            await self.app.contexts.end_idle()
            await self.app.services.conversation_facts.read_due()
        hours = self.app.settings.digest.hours
        if local.hour in hours:
            await self._digest(slot_of(now, hours, ZONE))
        if local.hour == NIGHT:
            await self._nightly(now)

    async def _digest(self, slot: str) -> None:
        if not (await self.app.storage.digests.live()).waiting:
            return
        with self._timed("indexing"):
            await self.app.services.indexer.settle()
        with self._timed("digesting"):
            await self.app.services.digest.run(slot)
        with self._timed("indexing"):
            await self.app.services.indexer.settle()

    async def _sweep(self, now: datetime) -> None:
        every = SWEEPS[self.sweeps]
        if every is None or (self._swept is not None and now - self._swept < every):
            return
        self._swept = now
        with self._timed("sweeping"):
            await self.app.storage.memories.sweep()
            await self.app.storage.ledger.trim(
                timedelta(days=self.app.settings.sweeps.dropped_days)
            )

    async def _nightly(self, now: datetime) -> None:
        with self._timed("nightly"):
            await self.app.services.association_pass.run()
        await self._look(now - 2 * DAY)

    async def _look(self, since: datetime) -> None:
        """Note what was learnt since then, before it is replaced or expires."""
        with self._timed("looking"):
            found = await self.app.storage.memories.recent(Store.MEMORY, OPERATOR, since, ALL)
            behind = await self.app.storage.evaluations.messages_behind(
                [one.id for one in found], OPERATOR
            )
        for one in found:
            self.learnt.content[one.id] = one.content
            self.learnt.expires[one.id] = one.expires_at
            self.learnt.behind[one.id] = behind.get(one.id, frozenset())
        self.learnt.current = frozenset(one.id for one in found)

    @contextmanager
    def _timed(self, name: str) -> Iterator[None]:
        started = perf_counter()
        try:
            yield
        finally:
            self.took_s[name] += perf_counter() - started


def name_of(number: int) -> str:
    """The platform's id of a message, by its place in the year."""
    return f"year-{number}"


def _inbound(number: int, utterance: Utterance) -> Inbound:
    return Inbound(
        external_id=name_of(number),
        room=utterance.room,
        author=utterance.resident.account,
        text=utterance.text,
        sent_at=utterance.at,
        spaces=frozenset(utterance.resident.spaces),
    )


def _hour(at: datetime, span: Span) -> int:
    return int((at - span.start) / HOUR)


def _ends_month(at: datetime) -> bool:
    local = at.astimezone(ZONE)
    return local.day == 1 and local.hour == 0
