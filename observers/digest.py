"""The digest: turns what was overheard into durable memories and clears what it has read."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo
from itertools import groupby
from uuid import uuid5

import structlog

from memory.language.parts.reading import own_words
from memory.learning.observed import Learning
from memory.model.audience import origin_of
from memory.model.digests import ClaimedChunk, DigestRow, LiveRow
from memory.model.errors import EkoMemoryError
from memory.model.messages import Message, MessageId
from memory.model.notices import NoticeKind, OwnerNotice
from memory.model.shown import Shown
from memory.model.statements import MemoryId, Source
from memory.ports import OwnerNotices
from memory.rules.plan import StorePlan
from memory.storage.conversations.digests import Digests
from memory.storage.sqlite.database import Transaction
from observers.errors import ExtractionFailed, ExtractorUnavailable, ObserverError
from observers.own_words import statement_of
from observers.ports import Chunk, Extractor, Fact, LobbyLine

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestRules:
    """How lobby traffic is cut into chunks, and how often a chunk is tried."""

    chunk_messages: int
    chunk_chars: int
    overlap_messages: int
    attempts: int
    zone: tzinfo


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestReport:
    """What a run came to. `interrupted` says why it stopped early; the rest waits for the next."""

    digests: int = 0
    messages: Shown[int] = 0
    facts: Shown[int] = 0
    quarantined: Shown[int] = 0
    interrupted: Shown[str | None] = None


class Digest:
    """Claims, reads, stores, then clears; run again after any crash it ends at the same place."""

    def __init__(
        self,
        digests: Digests,
        learning: Learning,
        extractor: Extractor,
        rules: DigestRules,
        notices: OwnerNotices,
    ) -> None:
        self._digests = digests
        self._learning = learning
        self._extractor = extractor
        self._rules = rules
        self._notices = notices
        self._running = asyncio.Lock()

    @property
    def is_running(self) -> bool:
        """Whether one is under way."""
        return self._running.locked()

    async def run(self, slot: str | None = None) -> DigestReport:
        """Digest an interrupted digest first, then what is live now; what comes meanwhile waits.

        A slot that was digested already is left alone: a clock that goes back digests once.
        """
        async with self._running:
            if slot is not None and await self._digests.slot_done(slot):
                return DigestReport()
            try:
                report = await self._resumed()
                if not report.interrupted:
                    report = _added(report, await self._claimed(slot))
            except Exception as error:
                self._warn(type(error).__name__)
                raise
            if report.interrupted or report.quarantined:
                aside = f"Stretches set aside: {report.quarantined}."
                self._warn(report.interrupted or aside)
            log.info(
                "digest.finished",
                messages=report.messages,
                facts=report.facts,
                quarantined=report.quarantined,
                interrupted=report.interrupted is not None,
            )
            return report

    def _warn(self, reason: str) -> None:
        self._notices.tell(OwnerNotice(kind=NoticeKind.DIGEST_FAILED, reason=reason))

    async def _resumed(self) -> DigestReport:
        digest = await self._digests.unfinished()
        return DigestReport() if digest is None else await self._read(digest)

    async def _claimed(self, slot: str | None) -> DigestReport:
        if slot is not None and await self._digests.slot_done(slot):
            slot = None  # it was this slot's own digest that was resumed
        report, latest = DigestReport(), await self._digests.latest()
        while (digest := await self._digests.claim(slot, self._split, latest)) is not None:
            report, slot = _added(report, await self._read(digest)), None
            if report.interrupted or digest.messages < self._digests.most:
                break
        return report

    async def _read(self, digest: DigestRow) -> DigestReport:
        quarantined = 0
        for chunk in await self._digests.open_chunks(digest.id):
            try:
                quarantined += not await self._learn(chunk)
            except ExtractorUnavailable as error:
                return DigestReport(interrupted=str(error), quarantined=quarantined)
        done = await self._digests.finish(digest.id)
        return DigestReport(
            digests=1, messages=done.messages, facts=done.facts, quarantined=quarantined
        )

    async def _learn(self, chunk: ClaimedChunk) -> bool:
        """Read one chunk, with retries; False when it had to be quarantined."""
        for _ in range(self._rules.attempts):
            try:
                await self._store(chunk, await self._extract(chunk))
            except ExtractionFailed as error:
                reason = str(error)
                log.warning("chunk.failed", digest=str(chunk.digest), position=chunk.position)
            except (ObserverError, EkoMemoryError):
                raise
            except Exception as error:  # a fault of ours at these words: the others are read
                reason = type(error).__name__
                log.error("chunk.broken", digest=str(chunk.digest), fault=reason)  # noqa: TRY400 - its text may quote them
                log.debug("fault.traced", exc_info=True)
            else:
                return True
            if await self._digests.failed(chunk, reason, self._rules.attempts):
                return False
        return False

    async def _extract(self, chunk: ClaimedChunk) -> Sequence[Fact]:
        messages = await self._digests.lines(chunk)
        if not any(own_words(one.text) for one in messages):
            return ()  # nothing, or pictures and forwarded words alone: no call is paid for
        before = await self._digests.before(chunk, messages[0].id, self._rules.overlap_messages)
        known = await self._learning.known.about(messages, chunk.audience)
        return await self._extractor.extract(
            Chunk(
                room=chunk.room,
                before=self._lines(before),
                lines=self._lines(messages),
                known=known,
            )
        )

    async def _store(self, chunk: ClaimedChunk, facts: Sequence[Fact]) -> None:
        lines = await self._digests.lines(chunk)
        plans = await self._learning.plan(
            [
                statement_of(
                    fact,
                    lines,
                    # Derived, so that a chunk whose storing is repeated stores nothing twice.
                    MemoryId(uuid5(chunk.digest, f"{chunk.position}:{position}")),
                    # As it was said, whatever became of the room since.
                    origin=origin_of(chunk.audience, chunk.room),
                    source=Source.DIGEST,
                    author=fact.author,
                    ttl=fact.lasts(self._learning.default_ttl(fact.memory_type)),
                )
                for position, fact in enumerate(_distinct(facts))
            ]
        )

        async def work(transaction: Transaction, still: frozenset[MessageId]) -> int:
            sound = [plan for plan in plans if still.issuperset(plan.new.messages)]
            return sum([await self._stored(transaction, plan) for plan in sound])

        await self._digests.store(chunk, work)

    async def _stored(self, transaction: Transaction, plan: StorePlan) -> bool:
        return (await self._learning.apply(transaction, plan)).is_new

    def _lines(self, messages: Sequence[Message]) -> tuple[LobbyLine, ...]:
        return tuple(LobbyLine.of(message, self._rules.zone) for message in messages)

    def _split(self, rows: Sequence[LiveRow]) -> list[list[LiveRow]]:
        return split(rows, self._rules.chunk_messages, self._rules.chunk_chars)


def split(rows: Sequence[LiveRow], messages: int, chars: int) -> list[list[LiveRow]]:
    """Rows in chunks of one room and one audience each, bounded in size, in order."""
    chunks: list[list[LiveRow]] = []
    for _, of_room in groupby(rows, key=lambda row: (row.room, row.audience)):
        chunks.append([])
        size = 0
        for row in of_room:
            full = len(chunks[-1]) >= messages or size + row.size > chars
            if chunks[-1] and full:
                chunks.append([])
                size = 0
            chunks[-1].append(row)
            size += row.size
    return chunks


def _distinct(facts: Sequence[Fact]) -> list[Fact]:
    said = {(fact.author, fact.said_by, fact.content.casefold()): fact for fact in facts}
    return list(said.values())


def _added(one: DigestReport, other: DigestReport) -> DigestReport:
    return DigestReport(
        digests=one.digests + other.digests,
        messages=one.messages + other.messages,
        facts=one.facts + other.facts,
        quarantined=one.quarantined + other.quarantined,
        interrupted=other.interrupted,
    )
