"""A person's own verdict: past questions with what was injected for them, labelled and scored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from random import Random
from uuid import UUID

from bot.app import App
from memory.adapters.sqlite.evaluations import Graded, PastQuestion
from memory.adapters.sqlite.ledger import Explained
from memory.model import Collection, MessageId
from memory.scope import Scope

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


@dataclass(frozen=True, slots=True)
class ToLabel:
    """A past question with its lines, best first."""

    question: PastQuestion
    lines: tuple[InjectedLine, ...]


async def to_label(app: App, scope: Scope, count: int) -> list[ToLabel]:
    """Past questions drawn from the latest, others each time a score was kept, oldest first.

    A line that was forgotten, replaced or deleted since is not shown; a question without any
    line left is not asked about.
    """
    past = await app.truth.evaluations.past_questions(scope, RECENT)
    random = Random(await app.truth.evaluations.count())  # noqa: S311 - not a secret
    drawn: list[ToLabel] = []
    for question in random.sample(past, len(past)):
        if len(drawn) == count:
            break
        if lines := await _lines(app, scope, question):
            drawn.append(ToLabel(question, lines))
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
    kept = [item for item in await app.truth.ledger.explained(question.turn) if item.kept]
    rows = await _rows(app, scope, kept)
    return tuple(
        InjectedLine(content=content, said_by=said_by, at=at, reason=item.reason, score=item.score)
        for item in kept
        if item.ref in rows
        for content, said_by, at in [rows[item.ref]]
    )


Row = tuple[str, str | None, datetime]


async def _rows(app: App, scope: Scope, kept: Sequence[Explained]) -> Mapping[str, Row]:
    """What the references name, as far as it is still recalled and the scope allows."""
    ids = {item.ref: _target(item.ref) for item in kept}
    said = [MessageId(id_.int) for kind, id_ in ids.values() if kind is Collection.LIVE]
    exchanged = [id_ for kind, id_ in ids.values() if kind is Collection.CONVERSATIONS]
    known = [id_ for _, id_ in ids.values()]
    rows: dict[UUID, Row] = {}
    for message in await app.truth.messages.visible(said, scope):
        rows[UUID(int=message.id)] = (message.text, message.author, message.sent_at)
    for turn in await app.truth.turns.visible(exchanged, scope):
        rows[turn.id] = (f"{turn.text} → {turn.reply}", turn.speaker, turn.at)
    for memory in await app.truth.memories.visible(known, scope):
        rows[memory.id] = (memory.content, memory.said_by, memory.updated_at)
    return {ref: rows[id_] for ref, (_, id_) in ids.items() if id_ in rows}


def _target(ref: str) -> tuple[Collection, UUID]:
    """The collection and the row that a reference names, as `Candidate.ref` writes it."""
    collection, _, rest = ref.partition(":")
    return Collection(collection), UUID(rest.partition("@")[0])
