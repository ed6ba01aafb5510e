"""Marks what each variant of recall makes of every question of some talks."""

from collections.abc import AsyncIterator, Sequence

from benchmarks.evaluation.metrics import Outcome
from benchmarks.evaluation.runner import DEPTH
from benchmarks.every_question import Asking, every_question
from benchmarks.heard_talks import Choice
from benchmarks.replay import Replay
from benchmarks.variants import Variant
from benchmarks.worth import Marked, scores_of


async def marked(choice: Choice, compared: Sequence[Variant]) -> AsyncIterator[Marked]:
    """Every question of the choice that has evidence, set by set."""
    async for one in every_question(choice):
        if one.evidence:
            yield await _marked(one, Replay(one.app, compared))


async def _marked(one: Asking, replay: Replay) -> Marked:
    orders = await replay.of(one.question)
    found = {
        name: [row for row in rows if one.counted(row)][:DEPTH] for name, rows in orders.items()
    }
    rows = {row.id: row for each in found.values() for row in each}
    lines = dict(zip(rows, await one.lines(list(rows.values())), strict=True))
    outcomes = {
        name: Outcome(
            category=one.kind,
            evidence=one.evidence,
            lines=tuple(lines[row.id] for row in each),
            took_ms=0.0,
        )
        for name, each in found.items()
    }
    return Marked(one.name, {name: scores_of(outcome) for name, outcome in outcomes.items()})
