"""Compaction: what leaves the window of a conversation is summarised before it is let go."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

import structlog

from memory.model.audience import Scope
from memory.rules.compaction import (
    Checkpoint,
    CompactionRules,
    Exchange,
    SessionPlace,
    SpanState,
    SummarySpan,
    crowded,
    headed,
    month_of,
    overflow,
    spans,
)
from memory.storage.conversations.ledger import Ledger
from memory.storage.conversations.summaries import Summaries
from observers.errors import SummariserUnavailable, SummaryFailed

log = structlog.get_logger()

RESTING = timedelta(hours=1)
"""How long a stretch waits that could not be summarised: a model that is away for a night is asked
a dozen times and not five hundred."""


class Summariser(Protocol):
    """Says in a few sentences what a stretch of conversation came to."""

    async def summarise(self, span: SummarySpan, before: str) -> str:
        """What was said in a stretch; "" when nothing in it is worth keeping.

        `before` is the summary of what came before it, to understand it by; "" when there is none.

        Raises:
            SummariserUnavailable: nothing is wrong with the words, try later.
            SummaryFailed: these words gave no usable summary.

        """
        ...

    async def roll_up(self, summaries: Sequence[Checkpoint]) -> str:
        """One summary of several of one person in one room, in order; never "".

        Raises:
            SummariserUnavailable: see `summarise`.
            SummaryFailed: see `summarise`.

        """
        ...


@dataclass(slots=True)
class CompactionReport:
    """What a run came to. `interrupted` says why the rest was put off."""

    summarised: int = 0
    empty: int = 0
    failed: int = 0
    rolled_up: int = 0
    interrupted: str | None = None


class Compaction:
    """Summarises what is due, commits it, and only then lets the window move on.

    Run again after any crash it ends at the same place: what is due is read from the tables.
    """

    def __init__(
        self,
        summaries: Summaries,
        summariser: Summariser,
        ledger: Ledger,
        rules: CompactionRules,
        *,
        injections: bool,
    ) -> None:
        self._summaries = summaries
        self._summariser = summariser
        self._ledger = ledger
        self._rules = rules
        self._injections = injections
        self._running = asyncio.Lock()

    async def after_turn(self, session: str) -> None:
        """Summarise what the window of a conversation has no room for any more, if anything."""
        async with self._running:
            place = await self._summaries.place(session)
            tail = await self._summaries.tail(session, injections=self._injections)
            counted = await self._ledger.counted(place.person, place.started_at)
            due = overflow(tail, counted, self._rules)
            if due:
                report = CompactionReport()
                await self._compact(place, due, report, least=1)
                await self._roll_up(await self._of_session(place, due), report)
                _log(report)

    async def catch_up(self) -> CompactionReport:
        """Close the conversations that have ended, then try again what has no summary yet.

        Once the summariser is away it is not asked again, and what is left is put off.
        """
        async with self._running:
            report = CompactionReport()
            for session in await self._summaries.unclosed():
                await self._close(session, report)
            await self._retry(report)
            if report != CompactionReport():
                _log(report)
            return report

    async def _close(self, session: str, report: CompactionReport) -> None:
        place = await self._summaries.place(session)
        tail = await self._summaries.tail(session, injections=False)
        await self._compact(place, tail, report, least=self._rules.worth)
        if tail and not report.interrupted:
            await self._roll_up(await self._of_month(place, tail), report)

    async def _retry(self, report: CompactionReport) -> None:
        waiting = await self._summaries.unsummarised(self._rules.attempts, RESTING)
        for span in waiting:
            await self._settle(span, report, least=1)

    async def _compact(
        self, place: SessionPlace, due: Sequence[Exchange], report: CompactionReport, *, least: int
    ) -> None:
        for span in spans(place, due):
            await self._settle(span, report, least=least)

    async def _settle(self, span: SummarySpan, report: CompactionReport, *, least: int) -> None:
        """Bring one stretch to a checkpoint: summarised, empty, or not summarised and why."""
        if not span.says(least):
            report.empty += await self._summaries.keep(span, "", None)
        elif report.interrupted:
            await self._fail(span, report.interrupted, report, blamed=False)
        else:
            await self._summarise(span, report)

    async def _summarise(self, span: SummarySpan, report: CompactionReport) -> None:
        before = await self._before(span)
        try:
            summary = await self._tried(span, "" if before is None else before.content)
        except SummariserUnavailable as error:
            report.interrupted = str(error)
            await self._fail(span, str(error), report, blamed=False)
        except SummaryFailed as error:
            await self._fail(span, str(error), report, blamed=True)
        else:
            # What has changed while it was summarised is due again, and told anew next time.
            kept = await self._summaries.keep(span, self._headed(span, summary), before)
            report.summarised += bool(kept and summary)
            report.empty += bool(kept and not summary)

    def _headed(self, span: SummarySpan, words: str) -> str:
        first, last = span.exchanges[0], span.exchanges[-1]
        when = (first.at, last.at)
        return words and headed(words, last.speaker, last.channel, when, self._rules)

    async def _tried(self, span: SummarySpan, before: str) -> str:
        """A summary; an answer that cannot be used is asked for once more.

        Raises:
            SummariserUnavailable: see Summariser.
            SummaryFailed: the second answer was no better.

        """
        try:
            return await self._summariser.summarise(span, before)
        except SummaryFailed:
            return await self._summariser.summarise(span, before)

    async def _fail(
        self, span: SummarySpan, reason: str, report: CompactionReport, *, blamed: bool
    ) -> None:
        report.failed += 1
        await self._summaries.failed(span, reason, blamed=blamed)

    async def _before(self, span: SummarySpan) -> Checkpoint | None:
        """The summary right before a stretch that the same people may know."""
        made = await self._summaries.of_session(span.place.session, _only(span))
        told = [
            one
            for one in made
            if one.level == 0
            and one.state is SpanState.SUMMARISED
            and one.last_seq < span.exchanges[0].seq
        ]
        return told[-1] if told else None

    async def _of_session(self, place: SessionPlace, due: Sequence[Exchange]) -> list[Checkpoint]:
        scope = Scope(frozenset(one.audience for one in due))
        return await self._summaries.of_session(place.session, scope)

    async def _of_month(self, place: SessionPlace, tail: Sequence[Exchange]) -> list[Checkpoint]:
        """What the person and the pet came to in that room in the month of these words."""
        start, end = month_of(tail[-1].at, self._rules.zone)
        scope = Scope(frozenset(one.audience for one in tail))
        others = await self._summaries.earlier(place, scope, start, end)
        return [*others, *await self._summaries.of_session(place.session, scope)]

    async def _roll_up(self, made: Sequence[Checkpoint], report: CompactionReport) -> None:
        tops = [one for one in made if one.rolled_into is None]
        for members in crowded(tops, self._rules.rollup_of):
            try:
                summary = await self._summariser.roll_up(members)
            except (SummariserUnavailable, SummaryFailed) as error:
                # They stay as they are, and are counted again with the next checkpoint.
                log.warning("rollup.failed", reason=str(error), summaries=len(members))
            else:
                first, last = members[0], members[-1]
                when = (first.since, last.at)
                told = headed(summary, last.speaker, last.channel, when, self._rules)
                report.rolled_up += await self._summaries.roll_up(members, told)


def _only(span: SummarySpan) -> Scope:
    return Scope(frozenset({span.audience}))


def _log(report: CompactionReport) -> None:
    log.info(
        "compaction.finished",
        summarised=report.summarised,
        empty=report.empty,
        failed=report.failed,
        rolled_up=report.rolled_up,
        interrupted=report.interrupted is not None,
    )
