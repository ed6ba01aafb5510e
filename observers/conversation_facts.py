"""Fact extraction: what people told the pet is learnt once the conversation has fallen silent."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, tzinfo
from uuid import NAMESPACE_OID, uuid5

import structlog

from memory.language.parts.reading import own_words
from memory.learning.observed import Learning
from memory.model.audience import origin_of
from memory.model.conversations import ExtractionSpan, PastTurn, SpokenTurn, ToolUse, Unread
from memory.model.errors import EkoMemoryError
from memory.model.messages import Message, MessageId
from memory.model.recalled import block_of
from memory.model.rooms import RoomId
from memory.model.statements import MemoryId, NewMemory, Source
from memory.ports import Clock
from memory.storage.conversations.extractions import Extractions
from memory.storage.sqlite.database import Transaction
from observers.errors import ExtractionFailed, ExtractorUnavailable, ObserverError
from observers.own_words import Around, own_facts, statement_of
from observers.ports import TOOL, Aside, Chunk, Extractor, Fact, LobbyLine

log = structlog.get_logger()

LONGEST_ASIDE = 400
"""Characters of a reply or of a tool's answer that are shown: they help to understand, no more."""

MOST_AROUND = 6
"""Lines of others that are shown before a turn: what it answers is among the last."""

FIRST_WAIT = timedelta(seconds=5)
LONGEST_WAIT = timedelta(minutes=10)
"""Ceiling of the back-off while the model is away: a try may cost, and no reply waits for it."""


FIRST_REST = timedelta(minutes=1)
"""How long a stretch rests that could not be read, longer each time: a model that answered
nonsense answers the same a second later, and is paid for it."""


LATER_TRIES = 3
"""Further tries of a stretch that was set aside, one a day: what answered nonsense for an hour is
mended by then, and what no model can read is not paid for for ever."""

MADE_UP_FOR = timedelta(days=30)
"""How far back a model reads what rules read while there was none: older talk is rarely worth it,
and a year of it would take all that a day may cost for weeks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionRules:
    """When a session is read, and how its turns are cut.

    It is due `idle` after its last turn, at `every_turns` unread turns, or when it has ended. A
    span has at most so many turns and characters; `overlap_turns` before it help to understand it.
    """

    idle: timedelta
    every_turns: int
    span_turns: int
    span_chars: int
    overlap_turns: int
    attempts: int
    zone: tzinfo
    pet_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionReport:
    """What one pass came to; `next_at` is when the next session falls due, if any waits."""

    spans: int = 0
    facts: int = 0
    quarantined: int = 0
    next_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rest:
    """Until when a session is not read, and how long that is in all."""

    until: datetime
    wait: timedelta


class _Resting(Exception):
    """A span could not be read now."""


class ConversationFacts:
    """Reads every conversation to its end once, whatever fails and whenever.

    The database knows what was read, so that nothing is asked of it while the rooms are silent.
    """

    def __init__(
        self,
        extractions: Extractions,
        learning: Learning,
        extractor: Extractor,
        clock: Clock,
        rules: ExtractionRules,
    ) -> None:
        self._extractions = extractions
        self._learning = learning
        self._extractor = extractor
        self._clock = clock
        self._rules = rules
        self._woken = asyncio.Event()
        self._resting: dict[str, _Rest] = {}
        self._retried_on: date | None = None

    async def begin(self, *, by_rules: bool) -> None:
        """Read what was left, as the pet starts: with a model also what rules read without one."""
        if by_rules:
            await self._extractions.begin_by_rules(self._clock.now())
        elif again := await self._extractions.begin_by_model(self._clock.now() - MADE_UP_FOR):
            log.info("conversations.reopened", spans=again)
        self.wake()

    def wake(self) -> None:
        """Look for what is to be read: a turn was delivered, or something is to be tried again."""
        self._woken.set()

    async def run(self) -> None:
        """Read what falls due until cancelled; asleep between turns."""
        wait = timedelta(0)
        due: datetime | None = None
        while True:
            await self._sleep(self._clock.now() + wait if wait else due)
            try:
                due, wait = (await self.read_due()).next_at, timedelta(0)
            except ExtractorUnavailable as error:
                log.info("extraction.postponed", reason=str(error))
                wait = _longer(wait)
            except Exception:  # the boundary of an observer: the next pass goes on from here
                log.exception("extraction.failed")
                wait = _longer(wait)

    async def read_due(self) -> ExtractionReport:
        """Read every session that is due, to its end.

        Raises:
            ExtractorUnavailable: what was read is kept, the rest waits for the next pass.
            StorageFailed: the same.

        """
        report, now = ExtractionReport(), self._clock.now()
        await self._retry_once_a_day(now.astimezone(self._rules.zone).date())
        waiting = _as_rooms_fall_silent(await self._extractions.unread())
        for unread in waiting:
            if self._is_due(unread, now):
                report = await self._read(unread.session, report)
        later = [self._due_at(unread) for unread in waiting if not self._is_due(unread, now)]
        if report.spans:
            log.info(
                "conversations.extracted",
                spans=report.spans,
                facts=report.facts,
                quarantined=report.quarantined,
            )
        return replace(report, next_at=min(later, default=None))

    async def _retry_once_a_day(self, today: date) -> None:
        if today != self._retried_on:
            await self._extractions.retry(self._rules.attempts + LATER_TRIES)
            self._retried_on = today

    async def _sleep(self, until: datetime | None) -> None:
        """Wait until woken, or until a moment; for ever when nothing is to come."""
        timeout = None if until is None else max(0.0, (until - self._clock.now()).total_seconds())
        try:
            async with asyncio.timeout(timeout):
                await self._woken.wait()
        except TimeoutError:
            return
        self._woken.clear()

    def _is_due(self, unread: Unread, now: datetime) -> bool:
        if unread.session in self._resting:
            return self._resting[unread.session].until <= now
        if unread.ended_at is not None or unread.turns >= self._rules.every_turns:
            return True
        return self._due_at(unread) <= now

    def _due_at(self, unread: Unread) -> datetime:
        rest = self._resting.get(unread.session)
        return unread.last_at + self._rules.idle if rest is None else rest.until

    async def _read(self, session: str, report: ExtractionReport) -> ExtractionReport:
        rules = self._rules
        while (
            span := await self._extractions.claim(
                session, turns=rules.span_turns, chars=rules.span_chars
            )
        ) is not None:
            try:
                facts = await self._learn(span)
            except _Resting:
                break
            report = replace(
                report,
                spans=report.spans + 1,
                facts=report.facts + (facts or 0),
                quarantined=report.quarantined + (facts is None),
            )
        return report

    async def _learn(self, span: ExtractionSpan) -> int | None:
        """Read one span; how much was new, None when it had to be set aside.

        Raises:
            _Resting: it could not be read, and is tried again later.

        """
        while True:
            try:
                stored = await self._store(span, *await self._extract(span))
            except ExtractionFailed as error:
                log.warning("span.failed", session=span.session, first=span.first)
                await self._give_up_or_rest(span, str(error))
                return None
            except (ObserverError, EkoMemoryError):
                raise
            except Exception as error:  # a fault of ours at these words: the others are read
                reason = type(error).__name__
                log.error("span.broken", session=span.session, first=span.first, fault=reason)  # noqa: TRY400 - its text may quote them
                log.debug("fault.traced", exc_info=True)
                await self._give_up_or_rest(span, reason)
                return None
            else:
                if stored is not None:
                    self._resting.pop(span.session, None)
                    return stored

    async def _give_up_or_rest(self, span: ExtractionSpan, reason: str) -> None:
        """Set a span aside after its last try, and let it rest after any other."""
        rest = self._resting.pop(span.session, None)
        if await self._extractions.failed(span, reason, self._rules.attempts):
            return
        wait = FIRST_REST if rest is None else min(LONGEST_WAIT, 2 * rest.wait)
        self._resting[span.session] = _Rest(until=self._clock.now() + wait, wait=wait)
        raise _Resting

    async def _extract(self, span: ExtractionSpan) -> tuple[Sequence[SpokenTurn], Sequence[Fact]]:
        turns = await self._extractions.turns(span)
        lines = [line for turn in turns for line in turn.lines]
        if not any(own_words(line.text) for line in lines):
            return turns, ()
        before = await self._extractions.before(span, self._rules.overlap_turns)
        known = await self._learning.known.about(lines, span.audience)
        chunk = Chunk(
            room=span.room,
            before=tuple(self._past(before)),
            lines=tuple(LobbyLine.of(line, self._rules.zone) for line in lines),
            asides=tuple(aside for turn in turns for aside in self._asides(turn)),
            around={
                turn.lines[0].id: tuple(
                    LobbyLine.of(one, self._rules.zone) for one in turn.room[-MOST_AROUND:]
                )
                for turn in turns
                if turn.lines
            },
            known=known,
        )
        return turns, own_facts(await self._extractor.extract(chunk), _around(turns, before))

    async def _store(
        self, span: ExtractionSpan, turns: Sequence[SpokenTurn], facts: Sequence[Fact]
    ) -> int | None:
        """How much was new; None when what was read has changed meanwhile."""
        lines = [line for turn in turns for line in turn.lines]
        plans = await self._learning.plan(list(_statements(facts, span, lines, self._learning)))
        new = 0

        async def work(transaction: Transaction) -> int:
            nonlocal new
            done = [await self._learning.apply(transaction, plan) for plan in plans]
            new = sum(one.is_new for one in done)
            return new

        return new if await self._extractions.store(span, turns, work) else None

    def _past(self, before: Sequence[PastTurn]) -> Iterator[LobbyLine]:
        for turn in before:
            at = turn.at.astimezone(self._rules.zone)
            for author, text in ((turn.speaker, turn.text), (self._rules.pet_name, turn.reply)):
                yield LobbyLine(message=MessageId(0), author=author, said_at=at, text=text)

    def _asides(self, turn: SpokenTurn) -> Iterator[Aside]:
        if not turn.lines:
            return
        after = turn.lines[-1].id
        for use in turn.tools:
            if not use.failed and not turn.is_by_rules:  # a model reads better what rules kept
                yield _told_by(use, after)
        if turn.reply:
            by = f"{self._rules.pet_name}, the pet"
            yield Aside(after=after, by=by, text=turn.reply[:LONGEST_ASIDE])


def _as_rooms_fall_silent(waiting: Sequence[Unread]) -> list[Unread]:
    """The sessions as if each was last spoken in when any of its room was.

    Among people a talk is over once the room is silent, and no session of it before: a line alone
    says little, and costs a call.
    """
    latest: dict[RoomId, datetime] = {}
    for unread in waiting:
        latest[unread.room] = max(unread.last_at, latest.get(unread.room, unread.last_at))
    return [replace(unread, last_at=latest[unread.room]) for unread in waiting]


def _told_by(use: ToolUse, after: MessageId) -> Aside:
    """What a tool did; one that stores says in its answer only that it did."""
    stores = use.name.startswith("store_")
    text = f"{use.arguments}: {use.result}" if stores else use.result
    return Aside(after=after, by=f"{TOOL}{use.name}", text=text[:LONGEST_ASIDE], stored=stores)


def _around(turns: Sequence[SpokenTurn], before: Sequence[PastTurn]) -> Mapping[MessageId, Around]:
    """Each message with what the pet had said and recalled before it, and said after it."""
    around = {}
    earlier = before[-1].reply if before else ""
    for turn in turns:
        shown = (earlier, block_of(turn.recalled))
        told = (turn.reply, *(use.result for use in turn.tools))
        for line in turn.lines:
            around[line.id] = Around(said=own_words(line.text), before=shown, after=told)
        earlier = turn.reply
    return around


def _statements(
    facts: Sequence[Fact], span: ExtractionSpan, lines: Sequence[Message], learning: Learning
) -> Iterator[NewMemory]:
    # As it was said: a room that has become confidential since, or is no more, changes nothing.
    origin = replace(origin_of(span.audience, span.room), person=span.person)
    again = f":{span.reading}" if span.reading else ""
    spoken = uuid5(NAMESPACE_OID, f"{span.session}:{span.first}:{span.last}{again}")
    distinct = {fact.content.casefold(): fact for fact in facts}
    for position, fact in enumerate(distinct.values()):
        yield statement_of(
            fact,
            lines,
            # Derived, so that a span whose storing is repeated stores nothing twice.
            MemoryId(uuid5(spoken, str(position))),
            origin=origin,
            source=Source.CONVERSATION,
            author=span.person,
            ttl=fact.lasts(learning.default_ttl(fact.memory_type)),
        )


def _longer(wait: timedelta) -> timedelta:
    return min(LONGEST_WAIT, 2 * wait or FIRST_WAIT)
