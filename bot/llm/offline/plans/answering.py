"""What a plan tells of a question that no single line answers: when, where, who comes; pure.

"when is it again?" names nothing: it is about what was arranged last among those who talk.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bot.llm.offline.plans.standing import Plan, PlanPart, plans_in
from bot.llm.offline.questions.asked import AskedKind, AskedQuestion
from bot.llm.offline.questions.likeness import QuestionWords
from bot.llm.offline.questions.talk import TalkLine
from memory.language.text import stems

_COVERED = 0.5
"""The share of a question that the lines of a plan say if it is about that plan."""

_PARTS = {
    AskedKind.TIME: (PlanPart.DAY, PlanPart.CLOCK),
    AskedKind.CLOCK: (PlanPart.DAY, PlanPart.CLOCK),
    AskedKind.PLACE: (PlanPart.PLACE,),
}
_COMES = re.compile(
    r"\b(?:com(?:e|es|ing)|join\w*|in|going|there|make it|up for|viens|vient|viennent|present\w*"
    r"|partant\w*|sera la|seront la|est la|participe\w*)\b"
)
_STAYS_AWAY = re.compile(
    r"\b(?:(?:can|isn|won|aren) t|not|no longer|can ?not|out|missing|miss|cancel\w*"
    r"|dropp\w*|drops|bail\w*|back\w* out|pas|plus|absent\w*|desist\w*|annul\w*)\b"
)
_BRINGS = re.compile(
    r"\b(?:bring\w*|carry\w*|take|taking|promis\w*|in charge|ramen\w*|amen\w*|apport\w*|porte\w*"
    r"|prend\w*|charge\w*|occup\w*)\b"
)

_LIGHT = frozenset(
    stems(
        """
        go going get turn start begin meet happen take need come be next driv pick coming up
        faut devoir aller retrouver voir faire commencer venir debute prochain prochaine fois
        jouer rendez vous
        """
    )
)
"""Stems that say nothing of which plan is meant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanAnswer:
    """What of a plan answers: lines, in order, or who agreed and who declined, by their lines."""

    lines: tuple[TalkLine, ...] = ()
    coming: tuple[TalkLine, ...] = ()
    away: tuple[TalkLine, ...] = ()
    called_off: TalkLine | None = None


def plan_answer(asked: AskedQuestion, asker: str, lines: Sequence[TalkLine]) -> PlanAnswer | None:
    """What the plan that a question is about tells; None where it is about none, or tells nothing.

    `lines` are in the order they were said, `asker` is who asks, as lines name their speakers.
    """
    if asked.subject.of_pet or not (asked.kind in _PARTS or _asks_for_people(asked)):
        return None
    topic = [one for one in asked.topic if one not in _LIGHT]
    words = QuestionWords(asked.plain, topic)
    about = [
        one for one in plans_in(lines) if _is_of(asked, one) and _is_said(asked, topic, words, one)
    ]
    if not about:
        return None
    told = _told(asked, asker, words, about[-1])
    return told if told.lines or told.coming or told.away else None


def _asks_for_people(asked: AskedQuestion) -> bool:
    return asked.kind is AskedKind.PERSON or _BRINGS.search(asked.plain) is not None


def _is_of(asked: AskedQuestion, plan: Plan) -> bool:
    """Whether whom a question is about takes part in a plan."""
    return asked.subject.people <= plan.speakers and not asked.subject.relations


def _is_said(asked: AskedQuestion, topic: Sequence[str], words: QuestionWords, plan: Plan) -> bool:
    """Whether a plan says what a question is about, or that is of "us" or of nothing else."""
    is_of_us = asked.subject.of_group and not asked.subject.people
    if is_of_us or not topic or _BRINGS.search(asked.plain):
        return True
    return words.coverage(plan.said, set()) >= _COVERED


def _told(asked: AskedQuestion, asker: str, words: QuestionWords, plan: Plan) -> PlanAnswer:
    if parts := _PARTS.get(asked.kind):
        return _answer(plan, [plan.parts[one] for one in parts if one in plan.parts])
    if asked.kind is AskedKind.PERSON:
        if _STAYS_AWAY.search(asked.plain):
            return PlanAnswer(away=tuple(plan.away.values()), called_off=plan.called_off)
        if _COMES.search(asked.plain):
            return PlanAnswer(
                coming=tuple(plan.coming.values()),
                away=tuple(plan.away.values()),
                called_off=plan.called_off,
            )
        saying = [one for one in plan.brought if words.coverage(_said(one), set()) >= _COVERED]
        return _answer(plan, saying[-1:])
    people = asked.subject.people or ({asker} if asked.subject.of_asker else set())
    return _answer(plan, [one for one in plan.brought if not people or one.speaker in people])


def _answer(plan: Plan, lines: Sequence[TalkLine]) -> PlanAnswer:
    """These lines, each once, in the order they were said."""
    once = sorted(dict.fromkeys(lines), key=lambda one: one.at)
    return PlanAnswer(lines=tuple(once), called_off=plan.called_off)


def _said(line: TalkLine) -> set[str]:
    return set(stems(line.plain))
