"""What other settings of recall would have brought up for the latest questions. Changes nothing."""

from dataclasses import dataclass, replace
from functools import partial

from bot.conversation.placement import without_name
from bot.wiring import settings as rule_factories
from bot.wiring.app import App
from memory.model.audience import Scope, scope_of
from memory.model.ledger import PastQuestion
from memory.model.retrieval import Question, RecalledLine, Retrieval
from memory.model.settings import Tuning
from memory.retrieval.recall import Recall
from memory.retrieval.sources import Sources

QUESTIONS = 20
"""Questions that are tried: a few seconds of work, and enough to see what a slider does."""

PATIENCE_S = 5.0
"""Seconds for each step: a busy moment must not look like what a setting does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedQuestion:
    """A question, the lines that both settings bring up, and those of one of them only."""

    question: PastQuestion
    kept: tuple[RecalledLine, ...]
    added: tuple[RecalledLine, ...]
    dropped: tuple[RecalledLine, ...]


class RecallTrial:
    """Asks recall the latest questions again, as their people would be answered there today.

    Nothing is said around them, so both settings are asked, not the new ones against what was
    injected then.
    """

    def __init__(self, app: App) -> None:
        self._app = app
        self._names = rule_factories.names_of(app.settings)

    async def of(self, tuning: Tuning, scope: Scope, count: int = QUESTIONS) -> list[TriedQuestion]:
        """What a tuning adds to and drops of what is in force, question by question, latest first.

        Raises:
            StorageFailed: what is kept cannot be read.

        """
        now, then = self._recall(self._app.live_settings.current()), self._recall(tuning)
        asked = await self._app.storage.evaluations.past_questions(scope, count)
        return [
            tried
            for one in asked
            if (question := await self._again(one, scope)) is not None
            for tried in [_compared(one, await now.before(question), await then.before(question))]
        ]

    def _recall(self, tuning: Tuning) -> Recall:
        services, choice = self._app.services, rule_factories.note_choice(tuning)
        rules = replace(rule_factories.recall_rules(self._app.settings), deadline_s=PATIENCE_S)
        return Recall(
            services.views,
            services.reading,
            Sources(self._app.storage.associations, lambda: choice),
            services.background,
            partial(rule_factories.tuned, rules, tuning),
        )

    async def _again(self, one: PastQuestion, scope: Scope) -> Question | None:
        """The question, for what its person may be told in its room; None where that is gone."""
        room = await self._app.storage.people.room(one.room)
        if room is None:
            return None
        return Question(
            text=without_name(one.text, self._names),
            context="",
            speaker=one.speaker,
            person=one.person,
            room=room,
            scope=scope_of(room, one.person).within(scope),
        )


def _compared(question: PastQuestion, now: Retrieval, then: Retrieval) -> TriedQuestion:
    before, after = {_key(one) for one in now.lines}, {_key(one) for one in then.lines}
    return TriedQuestion(
        question=question,
        kept=tuple(one for one in then.lines if _key(one) in before),
        added=tuple(one for one in then.lines if _key(one) not in before),
        dropped=tuple(one for one in now.lines if _key(one) not in after),
    )


def _key(line: RecalledLine) -> tuple[str, str, str | None]:
    return line.section, line.content, line.said_by
