"""Asks a set of questions and marks what each variant of recall makes of every one of them."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from uuid import UUID

from benchmarks.french import community, question, statements_in
from benchmarks.french_set import questions
from benchmarks.replay import Replay
from benchmarks.settings import bench_settings
from benchmarks.variants import Variant
from benchmarks.worth import Marked, scores_of
from bot.evaluation.ingestion import IngestedConversation
from bot.evaluation.locomo import Conversation, LocomoQuestion
from bot.evaluation.metrics import FoundLine, Outcome
from bot.evaluation.runner import DEPTH, QuestionRunner
from bot.evaluation.trial_store import Said, Trial, trial, trial_settings
from bot.wiring import settings as rule_factories
from memory.model.retrieval import Candidate
from memory.model.statements import MemoryId

Orders = Mapping[str, Sequence[Candidate]]
"""What each variant found, best first, by its name."""


async def locomo(
    conversations: Sequence[Conversation],
    embedder: str,
    compared: Sequence[Variant],
    said: Said,
    *,
    facts: bool,
) -> list[Marked]:
    """Every question of these conversations; its part is the number of its conversation."""
    inside = trial_settings(bench_settings(Path()), embedder, None)
    async with trial(inside, conversations, said, facts=facts) as tried:
        asker = QuestionRunner(tried.app, rule_factories.recall_rules(inside).wording)
        replay = Replay(tried.app, compared)
        every = [(place, one) for place in tried.places for one in place.conversation.asked]
        marked = []
        for done, (place, one) in enumerate(every):
            said("asking", done, len(every))
            marked.append(await _asked(tried, asker, replay, place, one))
    return marked


async def french(embedder: str, compared: Sequence[Variant], said: Said) -> list[Marked]:
    """Every question of the French set; its part is its half."""
    async with community(embedder) as met:
        replay, every = Replay(met.app, compared), questions()
        marked = []
        for done, one in enumerate(every):
            said("asking in French", done, len(every))
            orders = await replay.of(question(met, one))
            found = {name: statements_in(rows) for name, rows in orders.items()}
            ids = {row.id for rows in found.values() for row in rows}
            lines = {id_: FoundLine(frozenset({met.known[MemoryId(id_)]}), 0) for id_ in ids}
            marked.append(_marked(one.split, frozenset(one.answers), found, lines.__getitem__))
    return marked


async def _asked(
    tried: Trial,
    asker: QuestionRunner,
    replay: Replay,
    place: IngestedConversation,
    one: LocomoQuestion,
) -> Marked:
    tried.clock.at = place.asked_at
    orders = await replay.of(await asker.question(place, one.text))
    found = {name: rows[:DEPTH] for name, rows in orders.items()}
    rows = {row.id: row for each in found.values() for row in each}
    covering = await asker.lines(place, list(rows.values()))
    lines = dict(zip(rows, covering, strict=True))
    return _marked(str(place.conversation.number), one.evidence, found, lines.__getitem__)


def _marked(
    part: str, evidence: frozenset[str], found: Orders, line_of: Callable[[UUID], FoundLine]
) -> Marked:
    outcomes = {
        name: Outcome(
            category=part,
            evidence=evidence,
            lines=tuple(line_of(row.id) for row in rows),
            took_ms=0.0,
        )
        for name, rows in found.items()
    }
    return Marked(part, {name: scores_of(one) for name, one in outcomes.items()})
