"""Fits what each signal of the ranking counts: `python -m benchmarks.fit_ranking FOLDER`.

The folder is that of `benchmarks.talks`; LoCoMo 6-10 and the held and reported halves of the
groups and of the French set are not seen. What is found for each question is kept, and ordered
anew by other weights: coordinate ascent by factors on the mean recall@10 of the kinds of talk, each
of which weighs as much. A step is taken where it gains more than chance would. Prints the constants
of `memory/retrieval/weights.py`, and what each kind of talk has by them, also when it was left out.
"""

import asyncio
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

import numpy as np
from rich.box import MARKDOWN
from rich.console import Console
from rich.table import Table

from benchmarks.every_question import Asking, every_question
from benchmarks.heard_talks import Choice, choice_of, choosing
from benchmarks.settings import prepare_process
from benchmarks.variants import ONCE
from bot.wiring import settings as rule_factories
from memory.model.retrieval import Candidate, Company
from memory.ports import Vectors
from memory.retrieval.background import Background
from memory.retrieval.query import Query
from memory.retrieval.ranking import Limits, merged, ranked
from memory.retrieval.read_views import ReadView
from memory.retrieval.recall import named_among
from memory.retrieval.scoring import Meanings, scored
from memory.retrieval.sources import Sources
from memory.retrieval.weights import Weights

UNSEEN = ("LoCoMo 6-10", "Groups, held")

LEAST = {"repetition": ONCE, "recent_rows": 1.0}
"""What a weight may not fall under."""

COUNTED, DEPTH = 10, 40
"""Places of a ranking that count, and places that are looked at: some rows count for none."""

FACTORS = (0.0, 0.5, 0.7, 1.4, 2.0)
"""What a weight is tried at, times what it is."""

LEAST_GAIN = 0.001
"""Of the mean recall: less is chance, and the weight stays as it is."""

PASSES = 4
"""Over all weights; it ends sooner when none changes."""

FITTED = (
    "repetition", "length", "after", "before", "enough", "brief", "stretch", "named", "named_too",
    "proper", "speaker", "mentioned", "period", "recent", "recent_rows",
    "meaning", "meaning_from", "meaning_near",
)  # fmt: skip
"""The weights that these sets can tell: none of them has statements with ties."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """What was found for a question, before it is put in order.

    `covers` says which of the evidence each row stands for; a row without it has no place.
    """

    asked: Query
    rows: Sequence[Candidate]
    around: Background | None
    company: Company
    meanings: Meanings
    now: datetime
    limits: Limits
    evidence: frozenset[str]
    covers: Mapping[UUID, frozenset[str]]

    def recall(self, weights: Weights) -> float:
        """What part of the evidence is in the first places by these weights."""
        found = scored(
            self.rows, self.asked, self.around, self.company, weights, meanings=self.meanings
        )
        order = ranked(found, self.now, self.limits, DEPTH)
        first = [self.covers[row.id] for row in order if row.id in self.covers][:COUNTED]
        return len(self.evidence & frozenset().union(*first)) / len(self.evidence)


Pools = Mapping[str, Sequence[Pool]]
"""The pools of each kind of talk."""


async def pooled(choice: Choice) -> Pools:
    """What is found for every question that has evidence, by its kind of talk."""
    pools: dict[str, list[Pool]] = {}
    seen = replace(choice, unheard=UNSEEN, halves=("tune",))
    async for one in every_question(seen):
        if one.evidence:
            pools.setdefault(one.kind, []).append(await _pool(one))
    return pools


async def _pool(one: Asking) -> Pool:
    services = one.app.services
    await services.background.prepare()
    vector = await services.reading.embedded(one.question.query, None)
    pool = await services.views.make(
        partial(_found, one, vector), one.question.scope, vector=vector
    )
    rows = [row for row in pool.rows if one.counted(row)]
    lines = await one.lines(rows)
    covers = {row.id: line.covers for row, line in zip(rows, lines, strict=True)}
    return replace(pool, covers=covers)


def _found(one: Asking, vector: Vectors | None, view: ReadView) -> Pool:
    services, asked = one.app.services, one.question
    rules = rule_factories.recall_rules(one.app.settings)
    sources = Sources(one.app.storage.associations)
    read = services.reading.read(asked.query, vector, view, asked.speaker, asked.person)
    lookups = sources.of_turn(asked, read, view, rules.reach)
    rows = merged([look() for look in lookups.values()])
    everyone, company = sources.accompanied(rows, view)
    return Pool(
        asked=named_among(rows, read),
        rows=everyone,
        around=services.background.around(vector, view.snapshot),
        company=company,
        meanings=services.background.vectors(everyone, view.snapshot),
        now=view.now,
        limits=rules.limits,
        evidence=one.evidence,
        covers={},
    )


def means(pools: Pools, weights: Weights) -> dict[str, float]:
    """The recall of each kind of talk by these weights."""
    return {
        kind: float(np.mean([one.recall(weights) for one in each])) for kind, each in pools.items()
    }


def fitted(pools: Pools, start: Weights) -> Weights:
    """The weights that a coordinate ascent ends at."""
    best, most = start, _macro(pools, start)
    for _ in range(PASSES):
        before = best
        for name in FITTED:
            for weights in _beside(best, name):
                mean = _macro(pools, weights)
                if mean > most + LEAST_GAIN:
                    best, most = weights, mean
                    print(f"{name}: {getattr(best, name)}, {most:.4f}", file=sys.stderr, flush=True)
        if best == before:
            break
    return best


def _beside(weights: Weights, name: str) -> Iterator[Weights]:
    """The weights with another value of one of them."""
    now = getattr(weights, name)
    for factor in FACTORS:
        other: Any = (
            tuple(round(factor * each, 3) for each in now)
            if isinstance(now, tuple)
            else max(LEAST.get(name, 0.0), round(factor * now, 3))
        )
        yield replace(weights, **{name: other})


def _macro(pools: Pools, weights: Weights) -> float:
    return float(np.mean(list(means(pools, weights).values())))


def table(pools: Pools, whole: Weights, *, unseen: bool) -> Table:
    """What each kind of talk has by the weights as they are, and fitted to all, and to others."""
    drawn = Table("kind", "questions", "as it is", "fitted", "fitted to the others", box=MARKDOWN)
    now, then = means(pools, Weights()), means(pools, whole)
    for kind, each in pools.items():
        others = {name: one for name, one in pools.items() if name != kind}
        cell = ""
        if unseen and others:
            cell = f"{means({kind: each}, fitted(others, Weights()))[kind]:.3f}"
        drawn.add_row(kind, str(len(each)), f"{now[kind]:.3f}", f"{then[kind]:.3f}", cell)
    drawn.add_row("mean", "", f"{np.mean([*now.values()]):.3f}", f"{np.mean([*then.values()]):.3f}")
    return drawn


def constants(weights: Weights) -> str:
    """The lines of `memory/retrieval/weights.py` that differ by the fit."""
    now = Weights()
    return "\n".join(
        f"    {one.name}: {getattr(now, one.name)} -> {getattr(weights, one.name)}"
        for one in fields(Weights)
        if getattr(now, one.name) != getattr(weights, one.name)
    )


def main() -> None:
    """Fit the weights to a folder, and print them."""
    parser = choosing("fit_ranking", __doc__)
    parser.add_argument("--unseen", action="store_true", help="also fit without each kind (slow)")
    options = parser.parse_args()
    prepare_process()
    pools = asyncio.run(pooled(choice_of(options)))
    best = fitted(pools, Weights())
    print(constants(best))
    Console(width=120).print(table(pools, best, unseen=options.unseen))


if __name__ == "__main__":
    main()
