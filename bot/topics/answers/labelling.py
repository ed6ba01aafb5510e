"""What is labelled in `eko eval mine`, its scores, and the operations behind both."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from random import Random
from typing import Annotated
from uuid import UUID

from pydantic import Field

from bot.errors import BotError
from bot.surfaces.operations import TopicOperations, operation
from bot.surfaces.requests import NoArguments, OperationRequest
from bot.surfaces.values import Event
from bot.wiring.app import App
from memory.model.audience import Scope
from memory.model.ledger import Graded, PastQuestion
from memory.model.messages import TurnId

RECENT = 500
"""Questions are drawn from so many of the latest: older ones tell of other settings."""

Labels = Sequence[Sequence[bool | None]]
"""For each question and each line of it, in order: useful, not useful, or not said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InjectedLine:
    """One line that was injected, as it is known now, with what spoke for it then."""

    content: str
    said_by: str | None
    at: datetime
    reason: str
    score: float
    useful: bool | None = None
    """What was said of it already, on the dashboard."""


@dataclass(frozen=True, slots=True)
class UnlabelledQuestion:
    """A past question with its lines, best first."""

    question: PastQuestion
    lines: tuple[InjectedLine, ...]


async def to_label(app: App, scope: Scope, count: int) -> list[UnlabelledQuestion]:
    """Past questions drawn from the latest, others each time a score was kept, oldest first.

    A line that was forgotten, replaced or deleted since is not shown; a question without any
    line left is not asked about. The questions of which a line was labelled on the dashboard come
    on top, the latest `RECENT` of them, so that every score counts those labels.
    """
    past = await app.storage.evaluations.past_questions(scope, RECENT, injected=True)
    labelled = await app.storage.evaluations.labelled_turns(RECENT)
    random = Random(await app.storage.evaluations.count())  # noqa: S311 - not a secret
    drawn: list[UnlabelledQuestion] = []
    for question in random.sample(past, len(past)):
        is_labelled = question.turn in labelled
        if not is_labelled and count <= 0:
            continue
        if lines := await _lines(app, scope, question):
            drawn.append(UnlabelledQuestion(question, lines))
            count -= not is_labelled
    return sorted(drawn, key=lambda one: one.question.at)


def grade(labels: Labels, ranking: str) -> Graded | None:
    """What labels come to; None when no line was labelled.

    Precision is over lines; the share that was helped (at least one useful line) and the mean
    reciprocal rank of the first useful line are over questions with a labelled line.
    """
    asked = [lines for lines in labels if any(one is not None for one in lines)]
    said = [one for lines in asked for one in lines if one is not None]
    if not said:
        return None
    return Graded(
        ranking=ranking,
        questions=len(asked),
        lines=len(said),
        precision=sum(said) / len(said),
        helped=sum(any(lines) for lines in asked) / len(asked),
        mrr=sum(map(_reciprocal_rank, asked)) / len(asked),
    )


def ranking_of(app: App) -> str:
    """A name for how lines are ranked: the embedder, the fusion, and a mark of all of [recall]."""
    recall = app.settings.recall
    mark = sha256(recall.model_dump_json().encode()).hexdigest()[:8]
    return f"{app.embedder.fingerprint.name} {recall.fusion} {mark}"


def _reciprocal_rank(lines: Sequence[bool | None]) -> float:
    return next((1 / place for place, useful in enumerate(lines, 1) if useful), 0.0)


async def _lines(app: App, scope: Scope, question: PastQuestion) -> tuple[InjectedLine, ...]:
    kept = [item for item in await app.storage.ledger.explained(question.turn) if item.kept]
    rows = await app.services.references.read([item.ref for item in kept], scope)
    return tuple(
        InjectedLine(
            content=row.content,
            said_by=row.said_by,
            at=row.at,
            reason=item.reason,
            score=item.confidence,
            useful=item.useful,
        )
        for item in kept
        if (row := rows.get(item.ref)) is not None and row.at is not None
    )


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
