"""Every question of a folder of talks, where and when it is asked, with what answers it."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.evaluation.examination import Manner, answered_afterwards, answered_midway
from benchmarks.evaluation.locomo import Conversation
from benchmarks.evaluation.metrics import FoundLine
from benchmarks.evaluation.runner import Answered, QuestionRunner
from benchmarks.evaluation.trial_store import empty_store, trial, trial_settings
from benchmarks.french import Community, community, is_statement, question
from benchmarks.heard_talks import FRENCH, Choice, tell, unwatched
from benchmarks.settings import bench_settings
from benchmarks.talk_sets import TalkSet, in_folder
from bot.wiring import settings as rule_factories
from bot.wiring.app import App
from memory.model.retrieval import Candidate, Question
from memory.model.statements import MemoryId

Lines = Callable[[Sequence[Candidate]], Awaitable[Sequence[FoundLine]]]
"""What rows stand for, row by row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """A question of a set, while the clock of its pet stands at its moment.

    `counted` says of which rows the places in a ranking count.
    """

    name: str
    kind: str
    app: App
    question: Question
    evidence: frozenset[str]
    lines: Lines
    counted: Callable[[Candidate], bool]


async def every_question(choice: Choice) -> AsyncIterator[Asking]:
    """Each question of each set of the choice; a set's store is open until its last one."""
    for one in choice.sets:
        if (choice.only and one.kind not in choice.only) or one.name in choice.unheard:
            continue
        drawn = in_folder(one, choice.folder, choice.questions, choice.seed)
        for name, conversations in drawn:
            tell(name)
            async for app, answered in _answered(one, conversations, choice.embedder):
                yield _asking(name, one.kind, app, answered)
    if not choice.only or FRENCH in choice.only:
        tell(FRENCH)
        async with community(choice.embedder) as met:
            for asked in choice.french():
                yield Asking(
                    name=FRENCH,
                    kind=FRENCH,
                    app=met.app,
                    question=question(met, asked),
                    evidence=frozenset(asked.answers),
                    lines=_statements(met),
                    counted=is_statement,
                )


async def _answered(
    one: TalkSet, conversations: Sequence[Conversation], embedder: str
) -> AsyncIterator[tuple[App, Answered]]:
    inside = trial_settings(bench_settings(Path()), embedder, None)
    if one.in_flow:
        async with empty_store(inside, conversations[0].turns[0].at) as empty:
            async for each in answered_midway(empty, conversations, Manner(in_flow=True)):
                yield empty.app, each
        return
    async with trial(inside, conversations, unwatched, facts=one.facts) as tried:
        for asker in one.askers:
            async for each in answered_afterwards(tried, Manner(asked_by=asker)):
                yield tried.app, each


def _asking(name: str, kind: str, app: App, answered: Answered) -> Asking:
    runner = QuestionRunner(app, rule_factories.recall_rules(app.settings).wording)

    async def lines(rows: Sequence[Candidate]) -> Sequence[FoundLine]:
        return await runner.lines(answered.place, rows)

    return Asking(
        name=name,
        kind=kind,
        app=app,
        question=answered.asker,
        evidence=answered.asked.evidence,
        lines=lines,
        counted=lambda _row: True,
    )


def _statements(met: Community) -> Lines:
    async def lines(rows: Sequence[Candidate]) -> Sequence[FoundLine]:
        return [FoundLine(frozenset({met.known[MemoryId(row.id)]}), 0) for row in rows]

    return lines
