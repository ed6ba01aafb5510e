"""The operations behind `eko eval mine`: questions to label, a score to keep, the scores so far."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from bot.errors import BotError
from bot.surfaces.operations import TopicOperations, operation
from bot.surfaces.requests import NoArguments, OperationRequest
from bot.surfaces.values import Event
from bot.topics.answers.labels import UnlabelledQuestion, grade, ranking_of, to_label
from memory.model.ledger import Graded
from memory.model.messages import TurnId


class ToLabelRequest(OperationRequest):
    """Past questions with what was injected for them, for a person to label."""

    count: Annotated[int, Field(ge=1, le=200)] = 10


class LabelLineRequest(OperationRequest):
    """Whether a line that was injected for a turn was of use, by its reference."""

    turn: UUID
    line: Annotated[str, Field(min_length=1, max_length=200)]
    useful: bool | None


class LabelledRequest(OperationRequest):
    """Labels of those lines, question by question; None is not said."""

    labels: tuple[tuple[bool | None, ...], ...]


class NoSuchLine(BotError):
    """A line that stood before no model."""


class LabelOperations(TopicOperations):
    """Reads past questions and keeps what their labels come to; nothing leaves the machine."""

    @operation("eval_questions")
    async def questions(self, request: ToLabelRequest) -> Event:
        """Past questions with what was injected for them."""
        found = await to_label(self._app, self._caller.scope, request.count)
        return {"questions": [_question_json(one) for one in found]}

    @operation("eval_label")
    async def label(self, request: LabelLineRequest) -> Event:
        """Say of one line that was injected whether it was of use; `questions` brings it along.

        Raises:
            NoSuchLine: nothing of the kind was injected for such a turn.

        """
        found = await self._app.storage.turns.by_id(TurnId(request.turn), self._caller.scope)
        kept = found is not None and await self._app.storage.ledger.label(
            found.id, request.line, self._caller.signature, useful=request.useful
        )
        if not kept:
            raise NoSuchLine("No such line was injected for that turn.")
        return {"useful": request.useful}

    @operation("eval_keep")
    async def keep(self, request: LabelledRequest) -> Event:
        """Score labels and keep the score, if there was a label at all."""
        graded = grade(request.labels, ranking_of(self._app))
        if graded is not None:
            await self._app.storage.evaluations.keep(graded)
        return {"score": None if graded is None else _score_json(graded)}

    @operation("eval_history")
    async def history(self, _request: NoArguments) -> Event:
        """Every score that was kept, oldest first."""
        kept = await self._app.storage.evaluations.history()
        rows = [{"at": at.isoformat(), **_score_json(graded)} for at, graded in kept]
        return {"scores": rows}


def _question_json(one: UnlabelledQuestion) -> Event:
    return {
        "text": one.question.text,
        "speaker": one.question.speaker,
        "at": one.question.at.isoformat(),
        "lines": [
            {
                "content": line.content,
                "said_by": line.said_by,
                "at": line.at.isoformat(),
                "why": line.reason,
                "score": round(line.score, 3),
                "useful": line.useful,
            }
            for line in one.lines
        ],
    }


def _score_json(graded: Graded) -> Event:
    return {
        "ranking": graded.ranking,
        "questions": graded.questions,
        "lines": graded.lines,
        "precision": round(graded.precision, 4),
        "helped": round(graded.helped, 4),
        "mrr": round(graded.mrr, 4),
    }
