"""Learning from a history that was brought along: by rules, by a model where that was chosen."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta, tzinfo
from uuid import UUID, uuid5

import structlog

from memory.language.parts.reading import own_words
from memory.learning.observed import Learning
from memory.model.audience import origin_of
from memory.model.histories import BroughtHistory
from memory.model.messages import Message, MessageId
from memory.model.statements import MemoryId, Source
from memory.storage.sqlite.database import Transaction
from memory.storage.transfer.histories import Histories
from memory.tasks import Boundary
from observers.errors import ExtractionFailed, ExtractorUnavailable
from observers.own_words import statement_of
from observers.ports import Chunk, Extractor, Fact, LobbyLine

log = structlog.get_logger()

LINES_AT_ONCE = 32
"""Lines read at a time by rules, so that no answer waits for long."""

BY_MODEL_AT_ONCE = 80
"""Lines of one call of a model."""

LATER = timedelta(minutes=30)
"""Between two tries where a model is away, or may cost no more today."""

_NAMES = UUID("a3f8a1f2-6a0c-5a0e-9d0a-2f7b6f9c1d10")
"""What the ids of statements that are learnt from histories are derived under."""

MayPay = Callable[[], Awaitable[bool]]
"""Whether reading the past may cost something now: what is said today comes first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaidExtractor:
    """An extractor that costs, and whether that may be now."""

    extractor: Extractor
    may_pay: MayPay


class HistoryLearning:
    """Reads the lines of imports for facts, once each, in the background.

    `by_model` is asked for imports for which that was chosen, as far as that may be paid.
    `learning` compares what is found with what is kept, which is to cost nothing.
    """

    def __init__(
        self,
        histories: Histories,
        learning: Learning,
        by_rules: Extractor,
        by_model: PaidExtractor,
        zone: tzinfo,
    ) -> None:
        self._histories = histories
        self._learning = learning
        self._by_rules = by_rules
        self._by_model = by_model
        self._zone = zone
        self._reading = asyncio.Lock()
        self._more = asyncio.Event()
        self._more.set()

    def wake(self) -> None:
        """Look for facts in what came in since."""
        self._more.set()

    async def run(self) -> None:
        """Read what is to be read, and what comes in, until cancelled."""
        while True:
            self._more.clear()
            with Boundary("history.failed"):
                await self.settle()
            try:
                async with asyncio.timeout(LATER.total_seconds()):
                    await self._more.wait()
            except TimeoutError:
                continue  # what a model was to read may have waited for another day

    async def settle(self) -> None:
        """Read all that can be read now.

        Raises:
            StorageFailed: nothing is lost, call again.

        """
        async with self._reading:  # or a model would be asked twice for the same lines
            for one in await self._histories.unlearnt():
                try:
                    read = True
                    while read:
                        read = await self._read_some(one)
                except ExtractorUnavailable as error:
                    log.info("history.postponed", import_id=one.id, reason=str(error))

    async def _read_some(self, one: BroughtHistory) -> bool:
        """Read the next lines of an import; whether there were any."""
        at_once = BY_MODEL_AT_ONCE if one.by_model else LINES_AT_ONCE
        lines = await self._histories.next_lines(one.id, at_once)
        if not lines:
            return False
        learning = self._learning
        facts = await self._found(one, [line for line in lines if own_words(line.text)])
        plans = await learning.plan(
            [
                statement_of(
                    fact,
                    lines,
                    MemoryId(uuid5(_NAMES, f"{one.id}:{lines[0].id}:{position}")),
                    origin=origin_of(one.audience, one.room),
                    source=Source.IMPORT,
                    author=fact.author,
                    ttl=fact.lasts(learning.default_ttl(fact.memory_type)),
                )
                for position, fact in enumerate(facts)
            ]
        )

        async def learn(transaction: Transaction, still: frozenset[MessageId]) -> None:
            for plan in plans:
                if still.issuperset(plan.new.messages):
                    await learning.apply(transaction, plan)

        await self._histories.learnt(one.id, lines, learn)
        return True

    async def _found(self, one: BroughtHistory, lines: Sequence[Message]) -> Sequence[Fact]:
        """The facts of some lines; those that a model gave no usable answer to are read by rules.

        Raises:
            ExtractorUnavailable: a model was to read them, and none may now.

        """
        if not lines:
            return ()
        read = tuple(LobbyLine.of(line, self._zone) for line in lines)
        chunk = Chunk(room=one.room, before=(), lines=read)
        if not one.by_model:
            return await self._by_rules.extract(chunk)
        if not await self._by_model.may_pay():
            raise ExtractorUnavailable("What is left for today is for what is said today.")
        known = await self._learning.known.about(lines, one.audience)
        try:
            return await self._by_model.extractor.extract(replace(chunk, known=known))
        except ExtractionFailed as error:
            log.warning("history.misread", import_id=one.id, reason=str(error))
            return await self._by_rules.extract(chunk)
