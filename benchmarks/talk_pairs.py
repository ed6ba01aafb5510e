"""Asks one store and a plain fusion over the same texts the same questions, side by side."""

from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import numpy as np

from benchmarks.evaluation.examination import (
    Manner,
    answered_afterwards,
    answered_midway,
    require_speaker,
)
from benchmarks.evaluation.ingestion import IngestedConversation
from benchmarks.evaluation.locomo import Conversation
from benchmarks.evaluation.metrics import CLOSE, Examined, FoundLine, Outcome
from benchmarks.evaluation.runner import Answered, QuestionRunner, injection_of, kept_rows
from benchmarks.evaluation.silence import STRANGER, stranger_at
from benchmarks.evaluation.trial_store import Said, empty_store, trial, trial_settings
from benchmarks.french import LOBBY, Community, community, question, statements_in
from benchmarks.french_set import Asked, Statement, statements
from benchmarks.plain_fusion import Passage, PlainFusion
from benchmarks.settings import bench_settings
from benchmarks.talk_sets import TalkSet
from bot.wiring import settings as rule_factories
from bot.wiring.app import App
from memory.model.audience import scope_of
from memory.model.retrieval import Candidate, Question, Retrieval
from memory.model.statements import MemoryId
from memory.ports import Vectors
from memory.retrieval.gate import SHARE, Evidence, RowStanding, evidence, shares, standings

AT_ONCE = 128
"""Texts embedded together."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One question: what recall made of it, what the fusion found, and how sure recall was.

    `surest` is its confidence in the surest row, `evidence` that in the surest of the evidence
    among the first rows; 0 without one. `fits` says whether some evidence is probable beside a sure
    row. `judged` is what speaks for each row that needed evidence.
    """

    ours: Examined
    plain: Outcome
    surest: float
    evidence: float
    fits: bool
    judged: Sequence["JudgedRow"]


class JudgedRow(NamedTuple):
    """What speaks for a row, alone and among those it was found with; whether it was evidence."""

    evidence: Evidence
    standing: RowStanding
    wanted: bool


@dataclass(frozen=True, slots=True)
class AskedStore:
    """A store whose questions were asked, by the name of who asked, and where it is spoken to.

    `members` has somebody who has spoken in each conversation, as `stranger` has one who has not.
    """

    app: App
    pairs: Mapping[str, Sequence[Pair]]
    stranger: Question
    members: Sequence[Question]
    places: Sequence[IngestedConversation]


@asynccontextmanager
async def asked_talks(
    one: TalkSet, conversations: Sequence[Conversation], embedder: str, said: Said
) -> AsyncIterator[AskedStore]:
    """A set heard once and asked by each of its askers, open until the body ends."""
    inside = trial_settings(bench_settings(Path()), embedder, None)
    for asker in one.askers:
        require_speaker(conversations, asker)
    if one.in_flow:
        async with empty_store(inside, conversations[0].turns[0].at) as empty:
            midway = answered_midway(empty, conversations, Manner(in_flow=True))
            answered = [each async for each in midway]
            places = {each.place.conversation.number: each.place for each in answered}
            pairs = {"": await _paired(empty.app, answered)}
            yield await _asked(empty.app, pairs, list(places.values()))
        return
    async with trial(inside, conversations, said, facts=one.facts) as tried:
        pairs = {}
        for asker in one.askers:
            afterwards = answered_afterwards(tried, Manner(asked_by=asker))
            answered = [each async for each in afterwards]
            pairs[asker or ""] = await _paired(tried.app, answered)
        yield await _asked(tried.app, pairs, tried.places)


@asynccontextmanager
async def asked_french(embedder: str, asked: Sequence[Asked]) -> AsyncIterator[AskedStore]:
    """The French set, told as statements and asked about, open until the body ends."""
    async with community(embedder) as met:
        passages = [_statement(one) for one in statements()]
        with closing(await _fusion(met.app, passages)) as plain:
            pairs = [await _french(met, plain, one) for one in asked]
        person = await met.app.register.person(STRANGER)
        stranger = Question(
            text="", context="", speaker=STRANGER.name, room=LOBBY,
            scope=scope_of(LOBBY, person.id),
        )  # fmt: skip
        member = question(met, asked[-1])
        yield AskedStore(met.app, {"": pairs}, stranger, (member,), ())


async def _asked(
    app: App, pairs: Mapping[str, Sequence[Pair]], places: Sequence[IngestedConversation]
) -> AskedStore:
    room, scope = await stranger_at(app, places)
    stranger = Question(text="", context="", speaker=STRANGER.name, room=room, scope=scope)
    wording = rule_factories.recall_rules(app.settings).wording
    members = [
        await QuestionRunner(app, wording, one.conversation.turns[0].speaker).question(one, "")
        for one in places
    ]
    return AskedStore(app, pairs, stranger, members, places)


async def _paired(app: App, answered: Sequence[Answered]) -> list[Pair]:
    """The questions of each conversation beside what a fusion over its turns finds."""
    pairs = []
    for number in dict.fromkeys(one.place.conversation.number for one in answered):
        those = [one for one in answered if one.place.conversation.number == number]
        turns = those[0].place.conversation.turns
        spots = {turn.id: spot for spot, turn in enumerate(turns, start=1)}
        passages = [
            Passage(turn.id, turn.speaker, turn.text, turn.id.partition(":")[0]) for turn in turns
        ]
        with closing(await _fusion(app, passages)) as plain:
            for one in those:
                upto = spots[one.place.last]
                found = plain.ranked(one.asked.text, await _vector(app, one.asked.text), upto)
                pairs.append(_pair(one.examined, found, one.found, one.retrieval, one.evidence))
    return pairs


async def _french(met: Community, plain: PlainFusion, asked: Asked) -> Pair:
    """A question of the French set: its evidence are statements, its answers are not spelt out."""
    recall, wanted = met.app.services.recall, question(met, asked)
    found = statements_in(await recall.ranked(wanted))
    retrieval = await recall.before(wanted)
    outcome = Outcome(
        category=asked.kind,
        evidence=frozenset(asked.answers),
        lines=tuple(FoundLine(_known(met, row), 0) for row in found),
        took_ms=0.0,
    )
    covers = [_known(met, row) for row in kept_rows(retrieval)]
    ours = Examined(outcome, injection_of(retrieval, covers, "", is_span=False))
    named = plain.ranked(asked.text, await _vector(met.app, asked.text))
    judged = (item.candidate for item in retrieval.items)
    those = [row.id for row in judged if _known(met, row) & outcome.evidence]
    return _pair(ours, named, found, retrieval, those)


def _known(met: Community, row: Candidate) -> frozenset[str]:
    statement = met.known.get(MemoryId(row.id))
    return frozenset({statement}) if statement is not None else frozenset()


def _pair(
    ours: Examined,
    plain: Iterable[str],
    found: Sequence[Candidate],
    retrieval: Retrieval,
    evidence_judged: Collection[UUID],
) -> Pair:
    """`found` are all rows by their worth, `evidence_judged` those that were judged and count."""
    outcome = ours.outcome
    sure = {item.candidate.id: item.score for item in retrieval.items}
    close = zip(outcome.lines[:CLOSE], found, strict=False)
    wanted = {row.id for line, row in close if line.covers & outcome.evidence}
    rows = [item.candidate for item in retrieval.items]
    likely = shares(rows, retrieval.asks)
    return Pair(
        ours=ours,
        plain=Outcome(
            category=outcome.category,
            evidence=outcome.evidence,
            lines=tuple(FoundLine(frozenset({id_}), 0) for id_ in plain),
            took_ms=0.0,
        ),
        surest=surest(retrieval),
        evidence=max((sure.get(id_, 0.0) for id_ in wanted), default=0.0),
        fits=any(likely.get(id_, 0.0) >= SHARE for id_ in wanted),
        judged=judged_in(retrieval, evidence_judged),
    )


def judged_in(retrieval: Retrieval, wanted: Collection[UUID]) -> list[JudgedRow]:
    """What spoke for each row that needed evidence, the one of most worth first."""
    rows = {item.candidate.id: item.candidate for item in retrieval.items}
    return [
        JudgedRow(evidence(rows[id_], retrieval.asks), standing, id_ in wanted)
        for id_, standing in standings(list(rows.values()), retrieval.asks).items()
    ]


def surest(retrieval: Retrieval) -> float:
    """How sure recall is of the best row that needed evidence."""
    scores = (item.score for item in retrieval.items if not item.candidate.proven)
    return max(scores, default=0.0)


def _statement(one: Statement) -> Passage:
    return Passage(one.id, one.said_by, one.content, one.id)


async def _fusion(app: App, passages: Sequence[Passage]) -> PlainFusion:
    """A fusion over some passages, with the embedder of the pet."""
    if not app.embedder.fingerprint.embeds:
        return PlainFusion(passages, None)
    parts = [passages[start : start + AT_ONCE] for start in range(0, len(passages), AT_ONCE)]
    vectors = [await app.embedder.embed([one.text for one in part], "document") for part in parts]
    return PlainFusion(passages, np.concatenate(vectors))


async def _vector(app: App, text: str) -> Vectors | None:
    if not app.embedder.fingerprint.embeds:
        return None
    vector: Vectors = (await app.embedder.embed([text], "query"))[0]
    return vector
