"""Recall: what is put silently before the model, and what its tools find."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from uuid import UUID

import structlog

from memory.asked import Asked
from memory.errors import EkoMemoryError
from memory.evidence import EvidenceFinder
from memory.gate import confidence
from memory.injection import Wording, block_of, lines_of
from memory.language import guess_language
from memory.model import Collection, PersonId, Store
from memory.past_questions import asks_the_past
from memory.ports import Clock
from memory.ranking import FOLLOWING, Limits, chosen, merged, ranked, tokens_in
from memory.reading import Reading
from memory.retrieval import Candidate, Company, Considered, Question, Retrieval
from memory.scope import Scope
from memory.scoring import TOLD, Scored, Weights, scored
from memory.sources import Reach, Sources

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallRules:
    """The numbers of recall (DESIGN 5).

    `deadline_s` runs after the embedding: once for the search, once for what goes with what it
    found, once for judging it.
    """

    reach: Reach
    limits: Limits
    deadline_s: float
    embed_timeout_s: float
    window_buffer: int
    wording: Wording
    weights: Weights = field(default_factory=Weights)
    enabled: bool = True
    """Whether anything is injected at all; tools search all the same."""


JUDGED = 60
"""Candidates, best first, that are judged and kept in the ledger: thrice what is injected."""


@dataclass(frozen=True, slots=True)
class _Found:
    """What was found for a question, scored, and the sources that were late."""

    asked: Asked
    scored: Scored
    late: tuple[str, ...]


class Recall:
    """Finds what fits a batch before the model sees it; calls no model and fails open."""

    def __init__(
        self,
        reading: Reading,
        sources: Sources,
        evidence: EvidenceFinder,
        clock: Clock,
        rules: Callable[[], RecallRules],
    ) -> None:
        self._reading = reading
        self._sources = sources
        self._evidence = evidence
        self._clock = clock
        self._in_force = rules

    @property
    def _rules(self) -> RecallRules:
        """The rules in force now: some of them can be changed while the pet runs."""
        return self._in_force()

    async def before(self, question: Question) -> Retrieval:
        """What to inject before this question: one embedding, a deadline, whatever is ready."""
        started = perf_counter()
        if not self._rules.enabled:
            return Retrieval(query=question.text, reason="switched off")
        if self._reading.nothing_in(question.text) and not question.context:
            return Retrieval(query=question.text, reason="nothing to look up")
        try:
            found = await self._found(question)
            async with asyncio.timeout(self._rules.deadline_s):
                items = await self._judged(question, found)
        except (EkoMemoryError, TimeoutError) as error:
            return self._unjudged(question, error, _since(started))
        return self._retrieval(question, items, found.late, _since(started))

    async def ranked(self, question: Question) -> list[Candidate]:
        """Everything that was found for a question, best first, whether it fits or not."""
        found = await self._found(question)
        return self._ranked(found.scored)

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
        asked = await self._asked(query, scope)
        reach = replace(self._rules.reach, text_results=limit * 4, vector_results=limit * 4)
        lookups = self._sources.of_stores(asked, stores, scope, reach)
        return await self._best(asked, lookups, scope, limit)

    async def search_everything(
        self, query: str, scope: Scope, limit: int, min_confidence: float
    ) -> list[Candidate]:
        """What surely fits a query, of every collection, best first, each thing told once."""
        asked, reach = await self._asked(query, scope), self._rules.reach
        lookups = {
            **self._sources.of_stores(asked, list(Store), scope, reach),
            **self._sources.of_history(asked, scope, reach),
            **self._sources.of_knowledge(asked, scope, reach),
        }
        asked, found = await self._with_company(asked, lookups, scope, fixed=False)
        return [
            one
            for one in self._ranked(found)
            if one.signals.get(TOLD, 0) >= 0 and confidence(one, asked)[0] > min_confidence
        ][:limit]

    async def search_history(self, query: str, scope: Scope, limit: int) -> list[Candidate]:
        """The best lobby messages and earlier exchanges for a query, ungated."""
        asked = await self._asked(query, scope)
        lookups = self._sources.of_history(asked, scope, self._rules.reach)
        return await self._best(asked, lookups, scope, limit)

    async def _found(self, question: Question) -> _Found:
        asked = await self._asked(question.query, question.scope, question.speaker, question.person)
        lookups = self._sources.of_turn(question, asked, self._rules.reach, self._clock.now())
        rankings, late = await _ready_by(lookups, self._rules.deadline_s)
        rows = merged(rankings.values())
        asked = _naming(asked, rows)
        company = await self._accompanied(rows, question.scope, self._rules.deadline_s)
        late += [] if company else ["company"]
        accompanied = company or (rows, Company())
        return _Found(
            asked=asked,
            scored=await self._scored(asked, accompanied),
            late=tuple(late),
        )

    async def _best(
        self,
        asked: Asked,
        lookups: Mapping[str, Awaitable[list[Candidate]]],
        scope: Scope,
        limit: int,
    ) -> list[Candidate]:
        # Fixed, so that none steps back for the message it was learnt from, which is not listed.
        _, found = await self._with_company(asked, lookups, scope, fixed=True)
        return [row for row in self._ranked(found) if row.sources][:limit]

    async def _with_company(
        self,
        asked: Asked,
        lookups: Mapping[str, Awaitable[list[Candidate]]],
        scope: Scope,
        *,
        fixed: bool,
    ) -> tuple[Asked, Scored]:
        """What the look-ups of a search find with its company, scored; a search has more time."""
        rankings, _ = await _ready_by(lookups, self._rules.embed_timeout_s)
        rows = [replace(row, fixed=fixed) for row in merged(rankings.values())]
        asked = _naming(asked, rows)
        company = await self._accompanied(rows, scope, self._rules.embed_timeout_s)
        return asked, await self._scored(asked, company or (rows, Company()))

    def _ranked(self, found: Scored) -> list[Candidate]:
        return ranked(found, self._clock.now(), self._rules.limits, JUDGED)

    async def _asked(
        self,
        text: str,
        scope: Scope,
        speaker: str | None = None,
        person: PersonId | None = None,
    ) -> Asked:
        asked, _ = await asyncio.gather(
            self._reading.of(text, scope, speaker, person), self._prepare()
        )
        return asked

    async def _accompanied(
        self, rows: Sequence[Candidate], scope: Scope, within_s: float
    ) -> tuple[Sequence[Candidate], Company] | None:
        """The rows with their company; None when it takes too long or cannot be read."""
        try:
            async with asyncio.timeout(within_s):
                return await self._sources.accompanied(rows, scope)
        except (EkoMemoryError, TimeoutError) as error:
            log.warning("company.missed", error=type(error).__name__)
            return None

    async def _scored(
        self, asked: Asked, accompanied: tuple[Sequence[Candidate], Company]
    ) -> Scored:
        everyone, company = accompanied
        around = self._evidence.around(asked.vector)
        # A thread, because the event loop has others to serve.
        return await asyncio.to_thread(
            scored, everyone, asked, around, company, self._rules.weights
        )

    async def _prepare(self) -> None:
        """Take the background as it is now; without one no similarity is evidence."""
        try:
            async with asyncio.timeout(self._rules.embed_timeout_s):
                await self._evidence.refresh()
        except (EkoMemoryError, TimeoutError) as error:
            log.warning("background.missed", error=type(error).__name__)

    async def _judged(self, question: Question, found: _Found) -> list[Considered]:
        rows = self._ranked(found.scored)
        there = [one for one in rows if not _is_told_in(one, question)]
        confidences = {one.ref: confidence(one, found.asked) for one in there}
        least = self._rules.limits.min_score * FOLLOWING
        shown, vectors, outdated = await asyncio.gather(
            self._evidence.shown(question.replayed, self._rules.window_buffer),
            self._evidence.vectors([one for one in there if confidences[one.ref][0] >= least]),
            self._outdated(there, found.asked),
        )
        return chosen(there, confidences, vectors, shown, self._rules.limits, outdated=outdated)

    async def _outdated(self, rows: Sequence[Candidate], asked: Asked) -> frozenset[UUID]:
        """What holds no more and is not asked for: a question about the past may want it."""
        if asked.periods or asked.open is not None or asks_the_past(asked.text):
            return frozenset()
        return await self._sources.outdated(rows)

    def _unjudged(self, question: Question, error: Exception, took_ms: float) -> Retrieval:
        """Nothing, and why: what could not be judged must not be put before the model."""
        log.warning("evidence.missed", error=type(error).__name__, took_ms=round(took_ms))
        return Retrieval(
            query=question.query,
            reason="not judged in time" if isinstance(error, TimeoutError) else "could not be read",
            took_ms=took_ms,
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


def _naming(asked: Asked, rows: Sequence[Candidate]) -> Asked:
    """The question with whom and what it names among what was found."""
    return asked.naming(
        {one.author for one in rows if one.author},
        {subject for one in rows for subject in one.subjects},
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


def _is_told_in(candidate: Candidate, question: Question) -> bool:
    """Whether it is an exchange or a summary that stands before the model anyway."""
    match candidate.collection:
        case Collection.CONVERSATIONS:
            return candidate.id in question.window
        case Collection.KNOWLEDGE:
            return candidate.id in question.summarised
        case _:
            return False
