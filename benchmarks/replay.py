"""Recall itself, asked once for each variant, over look-ups that are made once for all."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from typing import TypeVar

from benchmarks.variants import Extra, Variant, read_less, thinned
from bot.wiring import settings as rule_factories
from bot.wiring.app import App
from memory.model.audience import Scope
from memory.model.people import PersonId
from memory.model.retrieval import Candidate, Company, Question
from memory.model.stores import Collection
from memory.ports import Vectors
from memory.retrieval.open_sources import Lookup
from memory.retrieval.query import Query
from memory.retrieval.question_reader import QuestionReader
from memory.retrieval.read_views import ReadView, ReadViews
from memory.retrieval.recall import Recall
from memory.retrieval.sources import Reach, Sources

T = TypeVar("T")

AGES = timedelta(days=10_000)
"""So much later every row is as old as any other."""


class Replay:
    """Orders what is found for a question by each variant of recall."""

    def __init__(self, app: App, variants: Sequence[Variant]) -> None:
        self._app = app
        self._variants = variants
        self._rules = rule_factories.recall_rules(app.settings)
        self._sources = Sources(app.storage.associations)

    async def of(self, question: Question) -> dict[str, list[Candidate]]:
        """What each variant finds by its name, best first, none of it gated.

        Raises:
            StorageFailed: the store could not be read; no variant goes without a source for that.

        """
        services = self._app.services
        vector = await services.reading.embedded(question.query, None)
        looked_up = await services.views.make(
            partial(self._looked_up, question, vector), question.scope, vector=vector
        )
        return {
            variant.name: await self._recall(looked_up[variant.unread], variant).ranked(question)
            for variant in self._variants
        }

    def _looked_up(
        self, question: Question, vector: Vectors | None, view: ReadView
    ) -> Mapping[frozenset[Extra], "_LookedUp"]:
        """What is found for the question by what is not added to its words."""
        read = self._app.services.reading.read(
            question.query, vector, view, question.speaker, question.person
        )
        found = {}
        for unread in {variant.unread for variant in self._variants}:
            asked = read_less(read, unread)
            lookups = self._sources.of_turn(question, asked, view, self._rules.reach)
            found[unread] = _LookedUp(asked, {name: look() for name, look in lookups.items()})
        return found

    def _recall(self, looked_up: "_LookedUp", variant: Variant) -> Recall:
        limits = replace(self._rules.limits, fusion=variant.fusion)
        varied = replace(self._rules, weights=variant.weights, limits=limits)
        return Recall(
            _Later(self._app.services.views) if variant.ageless else self._app.services.views,
            _Read(looked_up.asked),
            _Found(self._sources, looked_up, variant),
            self._app.services.background,
            lambda: varied,
        )


@dataclass(frozen=True, slots=True)
class _LookedUp:
    """What the look-ups of a question found, by their names, and the company of their rows."""

    asked: Query
    rankings: Mapping[str, list[Candidate]]
    accompanied: dict[tuple[str, ...], tuple[list[Candidate], Company]] = field(
        default_factory=dict
    )
    """By the look-ups that were not made."""


class _Later(ReadViews):
    """Stands in for read views, and makes them when every row is as old as any other."""

    def __init__(self, views: ReadViews) -> None:
        self._inner = views

    async def make(
        self,
        work: Callable[[ReadView], T],
        scope: Scope,
        within_s: float | None = None,
        *,
        vector: Vectors | None = None,
        searches: Mapping[Collection, int] | None = None,
    ) -> T:
        """The same read view, ages later."""

        def later(view: ReadView) -> T:
            return work(replace(view, now=view.now + AGES))

        return await self._inner.make(later, scope, within_s, vector=vector, searches=searches)


class _Read(QuestionReader):
    """Stands in for reading with a question that is read already."""

    def __init__(self, asked: Query) -> None:
        self._asked = asked

    def held(self) -> AbstractContextManager[None]:
        """Nothing to hold: the embedding is there."""
        return nullcontext()

    def nothing_in(self, text: str) -> bool:  # noqa: ARG002
        """It was looked up, so there is something."""
        return False

    async def embedded(
        self,
        text: str,  # noqa: ARG002
        within_s: float | None,  # noqa: ARG002
    ) -> Vectors | None:
        """The embedding of the same question."""
        return self._asked.vector

    def read(
        self,
        text: str,  # noqa: ARG002
        vector: Vectors | None,  # noqa: ARG002
        view: ReadView,  # noqa: ARG002
        speaker: str | None = None,  # noqa: ARG002
        person: PersonId | None = None,  # noqa: ARG002
    ) -> Query:
        """The same question, whatever the text."""
        return self._asked


class _Found(Sources):
    """Stands in for the sources with what they found, less what a variant goes without."""

    def __init__(self, sources: Sources, looked_up: _LookedUp, variant: Variant) -> None:
        self._inner = sources
        self._looked_up = looked_up
        self._variant = variant

    def of_turn(
        self,
        question: Question,  # noqa: ARG002
        asked: Query,  # noqa: ARG002
        view: ReadView,  # noqa: ARG002
        reach: Reach,  # noqa: ARG002
    ) -> Mapping[str, Lookup]:
        """What was found, by look-up."""
        return {
            name: partial(list, rows)
            for name, rows in self._looked_up.rankings.items()
            if not name.endswith(self._variant.without)
        }

    def accompanied(
        self, rows: Sequence[Candidate], view: ReadView
    ) -> tuple[list[Candidate], Company]:
        """The same company, read once for the same rows."""
        known = self._looked_up.accompanied
        if self._variant.without not in known:
            known[self._variant.without] = self._inner.accompanied(rows, view)
        return thinned(rows, *known[self._variant.without], self._variant.alone)
