"""The operations behind `eko eval mine`: questions to label, a score to keep, the scores so far."""

from collections.abc import AsyncIterator

from bot.errors import BotError
from bot.evaluation.labels import UnlabelledQuestion, grade, ranking_of, to_label
from bot.operations import requests
from bot.operations.caller import OperationCaller
from bot.operations.json import Event
from bot.wiring.app import App
from memory.model.ledger import Graded
from memory.model.messages import TurnId


class NoSuchLine(BotError):
    """A line that stood before no model."""


class LabelOperations:
    """Reads past questions and keeps what their labels come to; nothing leaves the machine."""

    def __init__(self, app: App, caller: OperationCaller) -> None:
        self._app = app
        self._caller = caller

    async def questions(self, request: requests.ToLabelRequest) -> AsyncIterator[Event]:
        """Past questions with what was injected for them."""
        found = await to_label(self._app, self._caller.scope, request.count)
        yield {"result": {"questions": [_question_json(one) for one in found]}}

    async def label(self, request: requests.LabelLineRequest) -> AsyncIterator[Event]:
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
        yield {"result": {"useful": request.useful}}

    async def keep(self, request: requests.LabelledRequest) -> AsyncIterator[Event]:
        """Score labels and keep the score, if there was a label at all."""
        graded = grade(request.labels, ranking_of(self._app))
        if graded is not None:
            await self._app.storage.evaluations.keep(graded)
        yield {"result": {"score": None if graded is None else _score_json(graded)}}

    async def history(self, _request: requests.NoArguments) -> AsyncIterator[Event]:
        """Every score that was kept, oldest first."""
        kept = await self._app.storage.evaluations.history()
        rows = [{"at": at.isoformat(), **_score_json(graded)} for at, graded in kept]
        yield {"result": {"scores": rows}}


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
