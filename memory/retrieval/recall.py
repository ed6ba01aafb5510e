"""Recall: what is put silently before the model, and what its tools find."""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from time import perf_counter
from uuid import UUID

import structlog

from memory.language.detection import told_language
from memory.language.questions.asking import are_keywords, share_that_asks
from memory.language.questions.open import asks_the_past
from memory.model.audience import Scope
from memory.model.errors import EkoMemoryError, ReadTooLate
from memory.model.messages import MessageId
from memory.model.people import PersonId
from memory.model.recalled import NOT_IN_TIME, UNREADABLE, block_of
from memory.model.retrieval import Candidate, Company, Considered, Question, Retrieval
from memory.model.rooms import RoomKind
from memory.model.stores import Store
from memory.ports import Vectors
from memory.retrieval.background import SimilarityBackground
from memory.retrieval.gate import confidence, likeliest
from memory.retrieval.open_sources import Lookup
from memory.retrieval.present_names import people_of, under_present_names
from memory.retrieval.query import Query
from memory.retrieval.question_reader import QuestionReader
from memory.retrieval.ranking import Limits, merged, ranked
from memory.retrieval.read_views import ReadView, ReadViews
from memory.retrieval.rendering import Wording, lines_of
from memory.retrieval.scoring import Meanings, Scored, scored
from memory.retrieval.selection import chosen, fitting, is_told_in, repeated, told_already, withheld
from memory.retrieval.sources import Reach, Sources
from memory.retrieval.steps import Steps
from memory.retrieval.weights import Weights
from memory.storage.people.aliases import read_spoken_under
from memory.tokens import tokens_in

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallRules:
    """The numbers of recall.

    `deadline_s` runs after the embedding: once for the search, once for what goes with what it
    found, once for what all of it means, once for judging it.
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


OUTDATED = "holds no more"
"""Why a statement is not told that another has taken the place of in what it says."""

_LARGEST = 2**63 - 1
"""The largest id of a message."""

JUDGED = 60
"""Candidates that are judged and kept in the ledger: thrice what is injected."""


@dataclass(frozen=True, slots=True)
class _Found:
    """What was found for a question, scored, with what it means as far as that was read."""

    asked: Query
    scored: Scored
    meanings: Meanings


_MANY = 5
"""Rows looked at for each mention that is listed: those of others are passed over."""

LookUp = Callable[[Query, ReadView, Reach], Mapping[str, Lookup]]
"""How a question is looked up: what may be done for it, by name."""


class Recall:
    """Finds what fits a batch before the model sees it; calls no model and fails open.

    A question is embedded; then one reader thread does all the rest in one snapshot, while vectors
    are searched in their own process. Everything below `_recalled` is such a plain function.
    """

    def __init__(
        self,
        views: ReadViews,
        reading: QuestionReader,
        sources: Sources,
        background: SimilarityBackground,
        rules: Callable[[], RecallRules],
    ) -> None:
        self._read_views = views
        self._reading = reading
        self._sources = sources
        self._background = background
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
            found = await self._found_before(question)
        except EkoMemoryError as error:
            return _unjudged(question, error, _since(started))
        return replace(found, took_ms=_since(started))

    async def _found_before(self, question: Question) -> Retrieval:
        with self._reading.held():
            started = perf_counter()
            vector = await self._embedded(question.query, self._rules.embed_timeout_s)
            embedded = {"embedding": _since(started)}
            found = await self._read_views.make(
                partial(self._recalled, question, vector),
                question.scope,
                self._rules.embed_timeout_s,
                vector=vector,
                searches=self._sources.searched(self._rules.reach),
            )
            return replace(found, steps_ms={**embedded, **found.steps_ms})

    async def ranked(self, question: Question) -> list[Candidate]:
        """Everything that was found for a question, best first, whether it fits or not."""
        with self._reading.held():
            vector = await self._embedded(question.query, self._rules.embed_timeout_s)

            def work(view: ReadView) -> list[Candidate]:
                return self._ranked(self._found(question, vector, view, Steps()), view)

            return await self._read_views.make(
                work, question.scope, self._rules.embed_timeout_s, vector=vector
            )

    async def warm_up(self) -> None:
        """Load what a first question would wait for: the embedder, its background, the index.

        Nothing waits for it, so it may take as long as a crowded machine needs.
        """
        with self._reading.held():
            await self._embedded("warm up", None)
        nobody = Scope(frozenset())
        await self.search("warm up", list(Store), nobody, 1)
        await self.search_history("warm up", nobody, 1)

    async def search(
        self, query: str, stores: Sequence[Store], scope: Scope, limit: int
    ) -> list[Candidate]:
        """The best statements of some stores for a query, ungated, best first."""
        reach = replace(self._rules.reach, text_results=limit * 4, vector_results=limit * 4)
        look = partial(self._sources.of_stores, stores=stores)
        return (await self._listed(query, scope, look, reach))[:limit]

    async def search_history(self, query: str, scope: Scope, limit: int) -> list[Candidate]:
        """The best lobby messages and earlier exchanges for a query, ungated."""
        look, reach = self._sources.of_history, self._rules.reach
        return (await self._listed(query, scope, look, reach))[:limit]

    async def mentions(
        self, topic: str, scope: Scope, limit: int, by: PersonId | None
    ) -> list[Candidate]:
        """What was said about a topic, by one person or by all, oldest first; see `search_history`.

        Of more than `limit` the best are told.
        """
        reach = replace(self._rules.reach, text_results=limit * _MANY, vector_results=limit)
        found = await self._listed(topic, scope, self._sources.of_history, reach)
        said = [one for one in found if by is None or one.author_id == by][:limit]
        return sorted(said, key=lambda one: one.at)

    async def search_everything(
        self, query: str, scope: Scope, limit: int, min_confidence: float
    ) -> list[Candidate]:
        """What surely fits a query, of every collection, best first, each thing told once."""
        look, reach = self._sources.of_everything, self._rules.reach
        asked, found = await self._searched(query, scope, look, reach)
        return [
            one for one in found if not one.duplicate and confidence(one, asked)[0] > min_confidence
        ][:limit]

    async def _listed(
        self, query: str, scope: Scope, look: LookUp, reach: Reach
    ) -> list[Candidate]:
        """What look-ups found themselves: what they brought along is no answer to a search."""

        def standing(asked: Query, view: ReadView, reach: Reach) -> Mapping[str, Lookup]:
            lookups = look(asked, view, reach)
            return {name: partial(_searched_for, lookup) for name, lookup in lookups.items()}

        _, found = await self._searched(query, scope, standing, reach)
        return [row for row in found if row.sources]

    async def _searched(
        self, query: str, scope: Scope, look: LookUp, reach: Reach
    ) -> tuple[Query, list[Candidate]]:
        """The query, read, and all that its look-ups found, best first; it has more time."""
        with self._reading.held():
            time_s = self._rules.embed_timeout_s
            vector = await self._embedded(query, time_s)

            def work(view: ReadView) -> tuple[Query, list[Candidate]]:
                asked = replace(self._reading.read(query, vector, view), asks=1.0)
                found = self._scored(asked, look(asked, view, reach), view, Steps(), time_s)
                return found.asked, self._ranked(found, view)

            return await self._read_views.make(work, scope, time_s, vector=vector)

    async def _embedded(self, query: str, within_s: float | None) -> Vectors | None:
        """The embedding of a question; what it is compared with is made ready beside."""
        vector, _ = await asyncio.gather(
            self._reading.embedded(query, within_s), self._prepared(within_s)
        )
        return vector

    async def _prepared(self, within_s: float | None) -> None:
        """Make the background ready; without one no similarity is evidence."""
        try:
            async with asyncio.timeout(within_s):
                await self._background.prepare()
        except (EkoMemoryError, TimeoutError) as error:
            log.warning("background.missed", error=type(error).__name__)

    def _recalled(self, question: Question, vector: Vectors | None, view: ReadView) -> Retrieval:
        """The steps of a pre-hook in their order, for the thread of a read view."""
        steps = Steps()
        found = self._found(question, vector, view, steps)
        with steps.timed("judging"):
            items = self._judged(question, found, view)
        kept = [item.candidate for item in items if item.kept]
        # Ages in the language of the person, whatever the pet's own is.
        wording = self._rules.wording
        language = told_language(question.text) or wording.locale
        reader = (question.person, question.speaker)
        told = replace(wording, locale=language)
        alone = question.room.kind is RoomKind.DIRECT
        lines = lines_of(kept, view.now, told, reader, found.asked.wanted, alone=alone)
        return Retrieval(
            query=question.query,
            reason="looked up",
            lines=lines,
            items=tuple(items),
            tokens=tokens_in(block_of(lines)),
            asks=found.asked.asks_tellingly,
            late=tuple(sorted(steps.late)),
            steps_ms=steps.took_ms,
        )

    def _found(
        self, question: Question, vector: Vectors | None, view: ReadView, steps: Steps
    ) -> _Found:
        with steps.timed("reading"):
            read = self._reading.read(
                question.query, vector, view, question.speaker, question.person
            )
            asked = replace(read, asks=self._asks(question))
        lookups = self._sources.of_turn(question, asked, view, self._rules.reach)
        return self._scored(asked, lookups, view, steps, self._rules.deadline_s)

    def _asks(self, question: Question) -> float:
        """What part of it asks; "yes" to what the pet asked is that question."""
        agrees = self._reading.nothing_in(question.text)
        if are_keywords(question.text):
            return 1.0
        return share_that_asks(question.context if agrees else question.text)

    def _scored(
        self,
        asked: Query,
        lookups: Mapping[str, Lookup],
        view: ReadView,
        steps: Steps,
        deadline_s: float,
    ) -> _Found:
        """What the look-ups find by the deadline, with its company, scored."""
        view.snapshot.allow(deadline_s)
        around = steps.done(
            "background", lambda: self._background.around(asked.vector, view.snapshot), None
        )
        view.snapshot.allow(deadline_s)
        rows = merged(steps.each(lookups, last="_vector"))
        asked = named_among(rows, asked)
        view.snapshot.allow(deadline_s)
        everyone, company = steps.done(
            "company", lambda: self._sources.accompanied(rows, view), (rows, Company())
        )
        view.snapshot.allow(deadline_s)
        nothing: Meanings = {}
        meanings = steps.done(
            "meanings", lambda: self._background.vectors(everyone, view.snapshot), nothing
        )
        with steps.timed("scoring"):
            found = scored(everyone, asked, around, company, self._rules.weights, meanings=meanings)
            return _Found(asked, found, meanings)

    def _ranked(self, found: _Found, view: ReadView, in_context: int = 0) -> list[Candidate]:
        return ranked(found.scored, view.now, self._rules.limits, JUDGED, in_context)

    def _judged(self, question: Question, found: _Found, view: ReadView) -> list[Considered]:
        limits = self._rules.limits
        view.snapshot.allow(self._rules.deadline_s)
        asks = found.asked.asks_tellingly
        every = [one for one in self._ranked(found, view, JUDGED) if not is_told_in(one, question)]
        ranked = likeliest(every, asks, JUDGED)
        people = {question.person, *found.asked.people, *people_of(ranked)}
        names = read_spoken_under(view.snapshot, people, view.scope)
        there = under_present_names(ranked, names)
        confidences = {one.id: confidence(one, found.asked) for one in there}
        fits = fitting(there, confidences, asks, limits.min_score)
        maybe = [one for one in there if one.id in fits]
        buffer, snapshot = self._rules.window_buffer, view.snapshot
        refs, window = self._background.shown(question.replayed, buffer, snapshot)
        vectors = found.meanings or self._background.vectors(maybe, snapshot)
        said_by = partial(_contents, view)
        again = repeated(maybe, vectors, window, limits.duplicate_similarity, said_by)
        return chosen(
            there,
            confidences,
            vectors,
            (refs | told_already(there, question), again),
            limits,
            fits=fits,
            withheld={
                **self._outdated(there, found.asked, view),
                **withheld(there, question, found.asked),
            },
        )

    def _outdated(
        self, rows: Sequence[Candidate], asked: Query, view: ReadView
    ) -> Mapping[str, str]:
        """What holds no more and is not asked for: a question about the past may want it."""
        if asked.periods or asked.open is not None or asks_the_past(asked.text):
            return {}
        gone = self._sources.outdated(rows, view)
        return {row.ref: OUTDATED for row in rows if row.id in gone}


def named_among(rows: Sequence[Candidate], asked: Query) -> Query:
    """The question with whom and what it names among what was found."""
    return asked.naming(
        {one.author for one in rows if one.author},
        {subject for one in rows for subject in one.subjects},
    )


def _searched_for(lookup: Lookup) -> list[Candidate]:
    """What a look-up finds, as what a search wants, whatever else tells the same."""
    return [replace(row, searched_for=True) for row in lookup()]


def _unjudged(question: Question, error: EkoMemoryError, took_ms: float) -> Retrieval:
    """Nothing, and why: what could not be judged must not be put before the model."""
    log.warning("evidence.missed", error=type(error).__name__, took_ms=round(took_ms))
    return Retrieval(
        query=question.query,
        reason=NOT_IN_TIME if isinstance(error, ReadTooLate) else UNREADABLE,
        took_ms=took_ms,
    )


def _since(started: float) -> float:
    """Milliseconds since a reading of the performance counter."""
    return (perf_counter() - started) * 1000


def _contents(view: ReadView, ids: Collection[UUID]) -> Mapping[UUID, str]:
    """The words of rows by their ids, whatever they are."""
    rows = view.rows()
    messages = [MessageId(id_.int) for id_ in ids if id_.int <= _LARGEST]
    found = (
        rows.statements(ids),
        rows.messages(messages),
        rows.exchanges(ids),
        rows.knowledge(ids),
    )
    return {one.id: one.content for one in chain.from_iterable(found)}
