"""Recall's own parts with a stopwatch on each: what they do stays the same."""

from collections import defaultdict
from collections.abc import Awaitable, Mapping, Sequence
from datetime import datetime
from time import perf_counter
from typing import TypeVar
from uuid import UUID

from memory.asked import Asked
from memory.background import Background
from memory.evidence import EvidenceFinder
from memory.model import PersonId, TurnId
from memory.ports import Vectors
from memory.reading import Reading
from memory.retrieval import Candidate, Company, Question
from memory.scope import Scope
from memory.sources import Reach, Sources

T = TypeVar("T")


class Stopwatch:
    """Durations in milliseconds by the name of what took them."""

    def __init__(self) -> None:
        self.durations_ms: defaultdict[str, list[float]] = defaultdict(list)

    async def timed(self, name: str, work: Awaitable[T]) -> T:
        """The result of `work`, which waited for threads and processes as long as it took."""
        started = perf_counter()
        try:
            return await work
        finally:
            self.durations_ms[name].append((perf_counter() - started) * 1000)


class TimedSources(Sources):
    """Stands in for `sources` and times every look-up by its name."""

    def __init__(self, sources: Sources, stopwatch: Stopwatch) -> None:
        self._inner = sources
        self._stopwatch = stopwatch

    def of_turn(
        self, question: Question, asked: Asked, reach: Reach, now: datetime
    ) -> Mapping[str, Awaitable[list[Candidate]]]:
        """The same look-ups, each with its stopwatch."""
        lookups = self._inner.of_turn(question, asked, reach, now)
        return {name: self._stopwatch.timed(name, lookup) for name, lookup in lookups.items()}

    async def outdated(self, rows: Sequence[Candidate]) -> frozenset[UUID]:
        """The same look-up, with its stopwatch."""
        return await self._stopwatch.timed("step: outdated", self._inner.outdated(rows))

    async def accompanied(
        self, rows: Sequence[Candidate], scope: Scope
    ) -> tuple[list[Candidate], Company]:
        """The same company."""
        work = self._inner.accompanied(rows, scope)
        return await self._stopwatch.timed("step: company", work)


class TimedEvidence(EvidenceFinder):
    """Stands in for `evidence` and times its steps."""

    def __init__(self, evidence: EvidenceFinder, stopwatch: Stopwatch) -> None:
        self._inner = evidence
        self._stopwatch = stopwatch

    async def refresh(self) -> None:
        """The same background."""
        await self._stopwatch.timed("step: background", self._inner.refresh())

    def around(self, vector: Vectors | None) -> Background | None:
        """The same background of a question."""
        return self._inner.around(vector)

    async def vectors(self, candidates: Sequence[Candidate]) -> Mapping[UUID, Vectors]:
        """The same embeddings."""
        return await self._stopwatch.timed("step: vectors", self._inner.vectors(candidates))

    async def shown(
        self, window: Sequence[TurnId], buffer: int
    ) -> tuple[frozenset[str], list[Vectors]]:
        """The same references and vectors."""
        return await self._stopwatch.timed("step: window", self._inner.shown(window, buffer))


class TimedReading(Reading):
    """Stands in for `reading` and times it."""

    def __init__(self, reading: Reading, stopwatch: Stopwatch) -> None:
        self._inner = reading
        self._stopwatch = stopwatch

    def nothing_in(self, text: str) -> bool:
        """The same answer."""
        return self._inner.nothing_in(text)

    async def of(
        self,
        text: str,
        scope: Scope,
        speaker: str | None = None,
        person: PersonId | None = None,
    ) -> Asked:
        """The same question, read."""
        return await self._stopwatch.timed(
            "step: reading", self._inner.of(text, scope, speaker, person)
        )
