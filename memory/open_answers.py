"""Answers to open questions: what is recent, important or about somebody, as no search can tell."""

from collections.abc import Awaitable, Mapping, Sequence
from datetime import datetime, timedelta

from memory.asked import Asked
from memory.asked_times import Period
from memory.candidates import exchanged, known, listed, overheard, remembered
from memory.kept import Kept
from memory.language import fold
from memory.model import KnowledgeKind, MemoryType, Message, Store
from memory.open_phrases import OpenKind
from memory.open_questions import OpenQuestion
from memory.retrieval import Candidate, Question
from memory.statements import find_statements
from memory.stretches import Grain

MOST = 12
"""Rows of each kind that answer: together more than is injected."""

OWN_WORDS = 60
"""Messages of one person that are read for a journey: it takes some milliseconds."""

LATELY_SAID = 500
"""Messages among which those are sought: what a lively lobby says in that time."""

LATELY = timedelta(days=2)
"""What "what's new?" is about when no time is named."""


class OpenAnswers:
    """Looks up what an open question asks for, within its scope."""

    def __init__(self, kept: Kept) -> None:
        self._memories = kept.memories
        self._messages = kept.messages
        self._turns = kept.turns
        self._knowledge = kept.knowledge

    def to(
        self, question: Question, asked: Asked, now: datetime
    ) -> Mapping[str, Awaitable[list[Candidate]]]:
        """The look-ups that answer it by name; none when the question is not open."""
        open_ = asked.open
        if open_ is None:
            return {}
        match open_.kind:
            case OpenKind.TALK:
                return self._talk(question, open_, now)
            case OpenKind.SPEAKER:
                return {"open_person": self._about(open_.names or [question.speaker], question)}
            case OpenKind.PERSON:
                return {"open_person": self._about(open_.names, question)}
            case OpenKind.WHEREABOUTS:
                return {
                    "open_journeys": self._journeys(open_, question),
                    "open_lobby": self._announced(open_, question, now),
                }
            case OpenKind.PET:
                return {
                    "open_self": self._latest(Store.SELF, question),
                    "open_goals": self._latest(Store.GOALS, question),
                }

    def _talk(
        self, question: Question, open_: OpenQuestion, now: datetime
    ) -> Mapping[str, Awaitable[list[Candidate]]]:
        period = open_.periods[0] if open_.periods else _lately(now)
        return {
            "open_memories": self._said(question, open_, period),
            "open_lobby": self._overheard(question, open_, period),
            "open_turns": self._exchanged(question, open_, period),
            "open_summaries": self._summarised(question, open_, period),
        }

    async def _said(
        self, question: Question, open_: OpenQuestion, period: Period
    ) -> list[Candidate]:
        found = await self._memories.between(
            Store.MEMORY, question.scope, period.start, period.end, MOST
        )
        return _of(open_.names, listed("open_memories", remembered, found, fixed=True))

    async def _overheard(
        self, question: Question, open_: OpenQuestion, period: Period
    ) -> list[Candidate]:
        most = MOST * 4 if open_.names else MOST
        found = await self._messages.observed_between(
            question.scope, period.start, period.end, most
        )
        return _of(open_.names, listed("open_lobby", overheard, found, fixed=True))[:MOST]

    async def _exchanged(
        self, question: Question, open_: OpenQuestion, period: Period
    ) -> list[Candidate]:
        if question.person is None or open_.names:
            return []
        found = await self._turns.between(
            question.person, question.scope, period.start, period.end, MOST
        )
        return listed("open_turns", exchanged, found, fixed=True)

    async def _summarised(
        self, question: Question, open_: OpenQuestion, period: Period
    ) -> list[Candidate]:
        if open_.names:
            return []
        found = await self._knowledge.between(
            KnowledgeKind.SUMMARY, question.scope, period.start, period.end, MOST
        )
        return listed("open_summaries", known, found, fixed=True)

    async def _about(self, names: Sequence[str], question: Question) -> list[Candidate]:
        found = await self._memories.about(names, Store.MEMORY, question.scope, MOST * 2)
        important_first = sorted(found, key=lambda one: -one.importance)
        return listed("open_person", remembered, important_first, fixed=True)

    async def _journeys(self, open_: OpenQuestion, question: Question) -> list[Candidate]:
        """What happens to them, as far as it is known: the freshest first."""
        found = await self._memories.about(open_.names, Store.MEMORY, question.scope, MOST * 2)
        events = [one for one in found if one.memory_type is MemoryType.EVENT]
        return listed("open_journeys", remembered, events[: MOST // 2], fixed=True)

    async def _announced(
        self, open_: OpenQuestion, question: Question, now: datetime
    ) -> list[Candidate]:
        """What they said of it lately in the lobby, before any digest."""
        lately = _lately(now)
        found = await self._messages.observed_between(
            question.scope, lately.start, lately.end, LATELY_SAID
        )
        wanted = set(map(fold, open_.names))
        own = sorted(
            (one for one in found if fold(one.author) in wanted), key=lambda one: one.sent_at
        )
        told = [one for one in own[-OWN_WORDS:] if _tells_event(one)]
        return listed("open_lobby", overheard, told[-MOST // 2 :][::-1], fixed=True)

    async def _latest(self, store: Store, question: Question) -> list[Candidate]:
        found = await self._memories.latest(store, question.scope, MOST)
        return listed(f"open_{store}", remembered, found, fixed=True)


def _lately(now: datetime) -> Period:
    return Period(start=now - LATELY, end=now, grain=Grain.DAY)


def _tells_event(message: Message) -> bool:
    statements = find_statements(message.text, message.author, message.sent_at)
    return any(one.memory_type is MemoryType.EVENT for one in statements)


def _of(names: Sequence[str], rows: list[Candidate]) -> list[Candidate]:
    """What these people said, or is about them; everything when nobody is named."""
    wanted = set(map(fold, names))
    return [
        row
        for row in rows
        if not wanted or wanted & {fold(name) for name in (row.author or "", *row.subjects)}
    ]
