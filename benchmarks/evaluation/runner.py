"""Asks the pet's own recall about conversations it has heard, and says which turns that found."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from uuid import UUID

from benchmarks.evaluation.answers import holds
from benchmarks.evaluation.ingestion import READER, IngestedConversation, speaker_of
from benchmarks.evaluation.locomo import LocomoQuestion
from benchmarks.evaluation.metrics import Examined, FoundLine, InjectedEvidence, Injection, Outcome
from bot.wiring.app import App
from memory.language.questions.going_on import looked_up_with
from memory.model.audience import scope_of
from memory.model.messages import MessageId
from memory.model.recalled import NOT_IN_TIME, block_of, bullet
from memory.model.retrieval import Candidate, Considered, Question, Retrieval
from memory.model.stores import Collection
from memory.retrieval.rendering import Wording, in_order, lines_of
from memory.tokens import tokens_in

DEPTH = 50
"""Lines that are looked at: more than 1,000 tokens hold."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A question with what came of it, the block that was injected, and all that was judged.

    `evidence` are the ids of the rows that were judged and stand for some.
    """

    place: IngestedConversation
    asked: LocomoQuestion
    asker: Question
    examined: Examined
    found: tuple[Candidate, ...]
    retrieval: Retrieval
    evidence: frozenset[UUID]

    @property
    def block(self) -> str:
        """The text that the model reads before the question."""
        return block_of(self.retrieval.lines)

    @property
    def verdicts(self) -> Mapping[UUID, Considered]:
        """What became of each row that was judged."""
        return {item.candidate.id: item for item in self.retrieval.items}


def stranger_in(place: IngestedConversation, text: str) -> Question:
    """Something that a third person asks in the room of a conversation."""
    return Question(text=text, context="", speaker=READER.name, room=place.room, scope=place.scope)


class QuestionRunner:
    """Asks recall, and reads in the database which turns stand behind the rows it finds.

    `asked_by` names one of those who speak in a conversation; without it a third person asks what
    the file says nobody of them does.
    """

    def __init__(self, app: App, wording: Wording, asked_by: str | None = None) -> None:
        self._app = app
        self._wording = wording
        self._asked_by = asked_by

    async def question(
        self, place: IngestedConversation, text: str, before: Sequence[str] = (), by: str = ""
    ) -> Question:
        """Something that is asked in the room of a conversation, after other messages there."""
        context = looked_up_with(text, before)
        if not (who := self._asked_by or by):
            return replace(stranger_in(place, text), context=context)
        author = speaker_of(place.conversation, who)
        person = (await self._app.register.person(author)).id
        return Question(
            text=text,
            context=context,
            speaker=author.name,
            person=person,
            room=place.room,
            scope=scope_of(place.room, person),
        )

    async def outcome(self, place: IngestedConversation, asked: LocomoQuestion) -> Outcome:
        """What is found for one question, with the time it took."""
        return (
            await self._ranked(await self.question(place, asked.text, by=asked.by), place, asked)
        )[1]

    async def answered(
        self, place: IngestedConversation, asked: LocomoQuestion, before: Sequence[str] = ()
    ) -> Answered:
        """What is found for one question, and what the model reads before it.

        `before` is what was asked in the same talk, in order.
        """
        question = await self.question(place, asked.text, before, asked.by)
        found, outcome = await self._ranked(question, place, asked)
        retrieval = await self._app.services.recall.before(question)
        injection = await self._injection(place, asked, retrieval)
        judged = [item.candidate for item in retrieval.items]
        covers = zip(judged, await self.lines(place, judged), strict=True)
        wanted = frozenset(row.id for row, line in covers if line.covers & asked.evidence)
        examined = Examined(outcome, injection)
        return Answered(place, asked, question, examined, found, retrieval, wanted)

    async def _ranked(
        self, question: Question, place: IngestedConversation, asked: LocomoQuestion
    ) -> tuple[tuple[Candidate, ...], Outcome]:
        started = perf_counter()
        found = (await self._app.services.recall.ranked(question))[:DEPTH]
        took_ms = (perf_counter() - started) * 1000
        return tuple(found), Outcome(
            category=asked.category,
            evidence=asked.evidence,
            lines=await self.lines(place, found),
            took_ms=took_ms,
        )

    async def _injection(
        self, place: IngestedConversation, asked: LocomoQuestion, retrieval: Retrieval
    ) -> Injection:
        said = [turn.text for turn in place.conversation.turns if turn.id in asked.evidence]
        stand_for = await self.lines(place, kept_rows(retrieval))
        return injection_of(
            retrieval,
            [one.covers for one in stand_for],
            asked.answer,
            is_span=any(holds(text, asked.answer) for text in said),
        )

    async def lines(
        self, place: IngestedConversation, found: Sequence[Candidate]
    ) -> tuple[FoundLine, ...]:
        """For each row the evidence ids it stands for, and its tokens as it is injected.

        A lobby message stands for its own turn, a statement for the turns it was learned from.
        """
        memories = [one.id for one in found if one.collection is Collection.MEMORY]
        behind = await self._app.storage.evaluations.messages_behind(memories, place.scope)
        return tuple(
            FoundLine(
                frozenset(place.turns[each] for each in _messages(one, behind.get(one.id))),
                self._tokens(one),
            )
            for one in found
        )

    def _tokens(self, candidate: Candidate) -> int:
        (line,) = lines_of([candidate], self._app.clock.now(), self._wording)
        return tokens_in(bullet(line))


def _messages(candidate: Candidate, behind: frozenset[MessageId] | None) -> frozenset[MessageId]:
    if candidate.collection is Collection.LIVE:
        return frozenset({MessageId(candidate.id.int)})
    return behind or frozenset()


def kept_rows(retrieval: Retrieval) -> list[Candidate]:
    """The rows behind the lines of a retrieval, in their order."""
    return in_order([item.candidate for item in retrieval.items if item.kept])


def injection_of(
    retrieval: Retrieval, covers: Sequence[frozenset[str]], answer: str, *, is_span: bool
) -> Injection:
    """What the model reads, where it is known which evidence each of the kept rows stands for."""
    verdicts = {item.candidate.id: item for item in retrieval.items}
    lines = zip(kept_rows(retrieval), covers, retrieval.lines, strict=True)
    too_late = (retrieval.reason,) if retrieval.reason == NOT_IN_TIME else ()
    return Injection(
        lines=tuple(
            _injected(verdicts[row.id], ids, bullet(line), answer) for row, ids, line in lines
        ),
        is_span=is_span,
        missed=(*retrieval.late, *too_late),
    )


def _injected(item: Considered, covers: frozenset[str], text: str, answer: str) -> InjectedEvidence:
    return InjectedEvidence(
        covers=covers,
        text=text,
        confidence=item.score,
        reason=item.reason,
        told=holds(item.candidate.content, answer),
        holds=holds(text, answer),
    )
