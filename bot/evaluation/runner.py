"""Asks the pet's own recall about conversations it has heard, and says which turns that found."""

from collections.abc import Sequence
from time import perf_counter

from bot.evaluation.ingestion import READER, IngestedConversation
from bot.evaluation.locomo import LocomoQuestion
from bot.evaluation.metrics import FoundLine, Outcome
from bot.wiring.app import App
from memory.model.messages import MessageId
from memory.model.recalled import bullet
from memory.model.retrieval import Candidate, Question
from memory.model.stores import Collection
from memory.retrieval.rendering import Wording, lines_of
from memory.tokens import tokens_in

DEPTH = 50
"""Lines that are looked at: more than 1,000 tokens hold."""


def question(place: IngestedConversation, text: str) -> Question:
    """Something that the reader asks in the room of a conversation."""
    return Question(text=text, context="", speaker=READER.name, room=place.room, scope=place.scope)


class QuestionRunner:
    """Asks recall, and reads in the database which turns stand behind the rows it finds."""

    def __init__(self, app: App, wording: Wording) -> None:
        self._app = app
        self._wording = wording

    async def outcome(self, place: IngestedConversation, asked: LocomoQuestion) -> Outcome:
        """What is found for one question, with the time it took."""
        started = perf_counter()
        found = (await self._app.services.recall.ranked(question(place, asked.text)))[:DEPTH]
        took_ms = (perf_counter() - started) * 1000
        return Outcome(
            category=asked.category,
            evidence=asked.evidence,
            lines=await self.lines(place, found),
            took_ms=took_ms,
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
