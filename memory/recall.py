"""Recall: what is put silently before the model, and what its tools find."""

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

import structlog

from memory.errors import EkoMemoryError, EmbeddingFailed
from memory.evidence import EvidenceFinder
from memory.injection import Wording, block_of, lines_of
from memory.language import guess_language, nothing_to_look_up
from memory.model import Collection, Store, TurnId
from memory.ports import Clock, Embedder, Vectors
from memory.ranking import Limits, chosen, fused, tokens_in
from memory.retrieval import Candidate, Considered, Question, Retrieval
from memory.scope import Scope
from memory.sources import Reach, Sources

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallRules:
    """The numbers of recall (DESIGN 5).

    `deadline_s` runs after the embedding: once for the search, once for judging what it found.
    """

    reach: Reach
    limits: Limits
    deadline_s: float
    embed_timeout_s: float
    window_buffer: int
    wording: Wording


class Recall:
    """Finds what fits a batch before the model sees it; calls no model and fails open."""

    def __init__(
        self,
        sources: Sources,
        evidence: EvidenceFinder,
        embedder: Embedder,
        clock: Clock,
        rules: RecallRules,
    ) -> None:
        self._sources = sources
        self._evidence = evidence
        self._embedder = embedder
        self._clock = clock
        self._rules = rules

    async def before(self, question: Question) -> Retrieval:
        """What to inject before this question: one embedding, a deadline, whatever is ready."""
        started = perf_counter()
        if nothing_to_look_up(question.text) and not question.context:
            return Retrieval(query=question.text, reason="nothing to look up")
        vector = await self._embedded(question.query)
        if vector is not None:
            await self._prepare()
        rankings, late = await _ready_by(
            self._sources.of_turn(question, vector, self._rules.reach), self._rules.deadline_s
        )
        candidates = fused(rankings, self._rules.limits.rrf_k)
        try:
            async with asyncio.timeout(self._rules.deadline_s):
                items = await self._judged(question, candidates, vector)
        except (EkoMemoryError, TimeoutError) as error:
            return self._unjudged(question, error, late, _since(started))
        return self._retrieval(question, items, late, _since(started))

    async def warm_up(self) -> None:
        """Load what a first question would wait for: the embedder, its background, the index."""
        await self._evidence.refresh()
        nobody = Scope(frozenset())
        await self.search("warm up", list(Store), nobody, 1)
        await self.search_history("warm up", nobody, 1)

    async def search(
        self, query: str, stores: Sequence[Store], scope: Scope, limit: int
    ) -> list[Candidate]:
        """The best statements of some stores for a query, ungated, best first."""
        vector = await self._embedded(query)
        lookups: dict[str, Awaitable[list[Candidate]]] = {}
        for store in stores:
            lookups[f"{store}_text"] = self._sources.memories_by_text(query, store, scope, limit)
            if vector is not None:
                lookups[f"{store}_vector"] = self._sources.memories_by_vector(
                    vector, store, scope, limit
                )
        return await self._fused(lookups, limit)

    async def search_history(self, query: str, scope: Scope, limit: int) -> list[Candidate]:
        """The best lobby messages and earlier exchanges for a query, ungated."""
        vector = await self._embedded(query)
        lookups: dict[str, Awaitable[list[Candidate]]] = {
            "live_text": self._sources.lobby_by_text(query, scope, limit),
            "history_text": self._sources.turns_by_text(query, scope, limit),
        }
        if vector is not None:
            lookups["live_vector"] = self._sources.lobby_by_vector(vector, scope, limit)
            lookups["history_vector"] = self._sources.turns_by_vector(vector, scope, limit)
        return await self._fused(lookups, limit)

    async def _fused(
        self, lookups: Mapping[str, Awaitable[list[Candidate]]], limit: int
    ) -> list[Candidate]:
        rankings, _ = await _ready_by(lookups, self._rules.embed_timeout_s)
        return fused(rankings, self._rules.limits.rrf_k)[:limit]

    async def _embedded(self, text: str) -> Vectors | None:
        if not self._embedder.fingerprint.embeds:
            return None
        try:
            async with asyncio.timeout(self._rules.embed_timeout_s):
                vectors = await self._embedder.embed([text], "query")
        except (EmbeddingFailed, TimeoutError):
            log.warning("embedding.missed")
            return None
        first: Vectors = vectors[0]
        return first

    async def _prepare(self) -> None:
        """Load the background unless it is there; without it no similarity is evidence."""
        try:
            async with asyncio.timeout(self._rules.embed_timeout_s):
                await self._evidence.prepare()
        except (EkoMemoryError, TimeoutError) as error:
            log.warning("background.missed", error=type(error).__name__)

    async def _judged(
        self, question: Question, candidates: Sequence[Candidate], vector: Vectors | None
    ) -> list[Considered]:
        open_ = [one for one in candidates if not _is_turn_in(one, question.window)]
        confidences, shown, vectors = await asyncio.gather(
            self._evidence.confidences(question, open_, vector),
            self._evidence.shown(question.replayed, self._rules.window_buffer),
            self._evidence.vectors(open_),
        )
        return chosen(open_, confidences, vectors, shown, self._rules.limits)

    def _unjudged(
        self, question: Question, error: Exception, late: Sequence[str], took_ms: float
    ) -> Retrieval:
        """Nothing, and why: what could not be judged must not be put before the model."""
        log.warning("evidence.missed", error=type(error).__name__, took_ms=round(took_ms))
        return Retrieval(
            query=question.query,
            reason="not judged in time" if isinstance(error, TimeoutError) else "could not be read",
            took_ms=took_ms,
            late=tuple(late),
        )

    def _retrieval(
        self, question: Question, items: Sequence[Considered], late: Sequence[str], took_ms: float
    ) -> Retrieval:
        kept = [item.candidate for item in items if item.kept]
        # Ages in the language of the person, whatever the pet's own is.
        wording = self._rules.wording
        language = guess_language(question.text, wording.locale)
        lines = lines_of(kept, self._clock.now(), replace(wording, locale=language))
        block = block_of(lines)
        return Retrieval(
            query=question.query,
            reason="looked up",
            lines=lines,
            block=block,
            items=tuple(items),
            tokens=tokens_in(block),
            took_ms=took_ms,
            late=tuple(late),
        )


async def _ready_by(
    lookups: Mapping[str, Awaitable[list[Candidate]]], deadline_s: float
) -> tuple[dict[str, list[Candidate]], list[str]]:
    """What the look-ups found by the deadline, and the names of those that did not make it."""
    async with asyncio.TaskGroup() as group:
        tasks = {name: group.create_task(_found(lookup)) for name, lookup in lookups.items()}
        _, unfinished = await asyncio.wait(tasks.values(), timeout=deadline_s)
        for task in unfinished:
            task.cancel()
    found = {
        name: rows
        for name, task in tasks.items()
        if not task.cancelled() and (rows := task.result()) is not None
    }
    late = tasks.keys() - found.keys()
    if late:
        log.warning("sources.missed", sources=sorted(late), deadline_ms=round(deadline_s * 1000))
    return found, sorted(late)


async def _found(lookup: Awaitable[list[Candidate]]) -> list[Candidate] | None:
    """What a look-up found; None when it failed, which costs its candidates and nothing more."""
    try:
        return await lookup
    except EkoMemoryError:
        return None


def _since(started: float) -> float:
    """Milliseconds since a reading of the performance counter."""
    return (perf_counter() - started) * 1000


def _is_turn_in(candidate: Candidate, window: Sequence[TurnId]) -> bool:
    return candidate.collection is Collection.CONVERSATIONS and candidate.id in window
