"""Recall itself, asked once for each variant, over look-ups that are made once for all."""

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from benchmarks.variants import Extra, Variant, read_less, thinned
from bot import rules
from bot.app import App
from memory.asked import Asked
from memory.clock import FrozenClock
from memory.model import PersonId
from memory.ports import Clock
from memory.reading import Reading
from memory.recall import Recall
from memory.retrieval import Candidate, Company, Question
from memory.scope import Scope
from memory.sources import Reach, Sources

AGES = timedelta(days=10_000)
"""So much later every row is as old as any other."""


class Replay:
    """Orders what is found for a question by each variant of recall."""

    def __init__(self, app: App, variants: Sequence[Variant]) -> None:
        truth = app.truth
        self._app = app
        self._variants = variants
        self._rules = rules.recall_rules(app.settings)
        self._sources = Sources(truth.kept, app.index)

    async def of(self, question: Question) -> dict[str, list[Candidate]]:
        """What each variant finds by its name, best first, none of it gated.

        Raises:
            StorageFailed: the store could not be read; no variant goes without a source for that.

        """
        read = await self._app.mind.reading.of(
            question.query, question.scope, question.speaker, question.person
        )
        looked_up: dict[frozenset[Extra], _LookedUp] = {}
        found = {}
        for variant in self._variants:
            if variant.unread not in looked_up:
                asked = read_less(read, variant.unread)
                looked_up[variant.unread] = await self._looked_up(question, asked)
            recall = self._recall(looked_up[variant.unread], variant)
            found[variant.name] = await recall.ranked(question)
        return found

    async def _looked_up(self, question: Question, asked: Asked) -> "_LookedUp":
        now = self._app.clock.now()
        lookups = self._sources.of_turn(question, asked, self._rules.reach, now)
        rows = await asyncio.gather(*lookups.values())
        return _LookedUp(asked, dict(zip(lookups, rows, strict=True)))

    def _recall(self, looked_up: "_LookedUp", variant: Variant) -> Recall:
        limits = replace(self._rules.limits, fusion=variant.fusion)
        varied = replace(self._rules, weights=variant.weights, limits=limits)
        return Recall(
            _Read(looked_up.asked),
            _Found(self._sources, looked_up, variant),
            self._app.mind.evidence,
            _later(self._app.clock) if variant.ageless else self._app.clock,
            lambda: varied,
        )


@dataclass(frozen=True, slots=True)
class _LookedUp:
    """What the look-ups of a question found, by their names, and the company of their rows."""

    asked: Asked
    rankings: Mapping[str, list[Candidate]]
    accompanied: dict[tuple[str, ...], tuple[list[Candidate], Company]] = field(
        default_factory=dict
    )
    """By the look-ups that were not made."""


class _Read(Reading):
    """Stands in for reading with a question that is read already."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked

    async def of(
        self,
        text: str,  # noqa: ARG002
        scope: Scope,  # noqa: ARG002
        speaker: str | None = None,  # noqa: ARG002
        person: PersonId | None = None,  # noqa: ARG002
    ) -> Asked:
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
        asked: Asked,  # noqa: ARG002
        reach: Reach,  # noqa: ARG002
        now: datetime,  # noqa: ARG002
    ) -> Mapping[str, Awaitable[list[Candidate]]]:
        """What was found, by look-up."""
        return {
            name: _given(rows)
            for name, rows in self._looked_up.rankings.items()
            if not name.endswith(self._variant.without)
        }

    async def accompanied(
        self, rows: Sequence[Candidate], scope: Scope
    ) -> tuple[list[Candidate], Company]:
        """The same company, read once for the same rows."""
        known = self._looked_up.accompanied
        if self._variant.without not in known:
            known[self._variant.without] = await self._inner.accompanied(rows, scope)
        return thinned(rows, *known[self._variant.without], self._variant.alone)


async def _given(rows: list[Candidate]) -> list[Candidate]:
    return rows


def _later(clock: Clock) -> Clock:
    return FrozenClock(clock.now() + AGES)
