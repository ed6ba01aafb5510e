"""Recall's own parts with a stopwatch on each: what they do stays the same."""

from collections import defaultdict
from collections.abc import Awaitable, Mapping, Sequence
from time import perf_counter
from typing import Literal, TypeVar
from uuid import UUID

from memory.evidence import EvidenceFinder
from memory.model import TurnId
from memory.ports import Embedder, Fingerprint, Vectors
from memory.retrieval import Candidate, Question
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
        self, question: Question, vector: Vectors | None, reach: Reach
    ) -> Mapping[str, Awaitable[list[Candidate]]]:
        """The same look-ups, each with its stopwatch."""
        lookups = self._inner.of_turn(question, vector, reach)
        return {name: self._stopwatch.timed(name, lookup) for name, lookup in lookups.items()}


class TimedEvidence(EvidenceFinder):
    """Stands in for `evidence` and times its steps."""

    def __init__(self, evidence: EvidenceFinder, stopwatch: Stopwatch) -> None:
        self._inner = evidence
        self._stopwatch = stopwatch

    async def prepare(self) -> None:
        """The same background."""
        await self._stopwatch.timed("step: background", self._inner.prepare())

    async def confidences(
        self, question: Question, candidates: Sequence[Candidate], vector: Vectors | None
    ) -> dict[str, tuple[float, str]]:
        """The same confidences."""
        work = self._inner.confidences(question, candidates, vector)
        return await self._stopwatch.timed("step: confidences", work)

    async def vectors(self, candidates: Sequence[Candidate]) -> Mapping[UUID, Vectors]:
        """The same embeddings."""
        return await self._stopwatch.timed("step: vectors", self._inner.vectors(candidates))

    async def shown(
        self, window: Sequence[TurnId], buffer: int
    ) -> tuple[frozenset[str], list[Vectors]]:
        """The same references and vectors."""
        return await self._stopwatch.timed("step: window", self._inner.shown(window, buffer))


class TimedEmbedder:
    """An embedder whose calls are timed."""

    def __init__(self, embedder: Embedder, stopwatch: Stopwatch) -> None:
        self._embedder = embedder
        self._stopwatch = stopwatch

    @property
    def fingerprint(self) -> Fingerprint:
        """That of the embedder inside."""
        return self._embedder.fingerprint

    async def embed(self, texts: Sequence[str], kind: Literal["query", "document"]) -> Vectors:
        """The same vectors."""
        return await self._stopwatch.timed("step: embedding", self._embedder.embed(texts, kind))
