"""Rows and questions as recall weighs them, for tests that need no table."""

import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from memory.language.questions.asking import share_that_asks
from memory.language.term_weights import Counts
from memory.language.text import match_terms, search_text
from memory.language.times.parser import Period
from memory.model.retrieval import Candidate, Company, Near, Section, Told
from memory.model.rooms import RoomId
from memory.model.statements import Association, MemoryId, Relation
from memory.model.stores import Collection
from memory.retrieval.background import Background
from memory.retrieval.query import Names, Query, Term
from memory.retrieval.ranking import Limits
from memory.retrieval.scoring import Scored, scored
from memory.retrieval.weights import Weights
from tests.cast import LOBBY, NOON, room_of

RECALL_LIMITS = Limits(
    min_score=0.5,
    max_results=20,
    live_results=15,
    max_tokens=600,
    duplicate_similarity=0.85,
    rrf_k=60,
)
"""As the settings have them."""


def said(
    number: int,
    text: str,
    by: str = "Léa",
    *,
    at: datetime = NOON,
    room: RoomId | None = None,
    similarity: float | None = None,
) -> Candidate:
    """A lobby message."""
    return Candidate(
        section=Section.LIVE,
        collection=Collection.LIVE,
        id=UUID(int=number),
        revision=1,
        content=text,
        at=at,
        author=by,
        words=search_text(text),
        room=room or room_of(LOBBY).id,
        similarity=similarity,
    )


def stated(
    number: int,
    text: str,
    *subjects: str,
    by: str | None = None,
    at: datetime = NOON,
    similarity: float | None = None,
) -> Candidate:
    """A statement about these subjects."""
    return Candidate(
        section=Section.MEMORY,
        collection=Collection.MEMORY,
        id=UUID(int=number),
        revision=1,
        content=text,
        at=at,
        author=by,
        subjects=subjects,
        words=search_text(" ".join((text, *subjects))),
        similarity=similarity,
    )


def exchanged(
    number: int, text: str, reply: str, by: str = "Léa", *, at: datetime = NOON
) -> Candidate:
    """An exchange with the pet."""
    return Candidate(
        section=Section.HISTORY,
        collection=Collection.CONVERSATIONS,
        id=UUID(int=number),
        revision=1,
        content=f"{text} → {reply}",
        at=at,
        author=by,
        words=search_text(f"{text}\n{reply}"),
        question=text,
        room=room_of(LOBBY).id,
    )


def names(*spelt: str) -> Names:
    """The folded names of somebody."""
    return frozenset(spelt)


def asking(
    text: str,
    *others: Term,
    seen: Mapping[str, int] | None = None,
    rows: int = 1000,
    named: Sequence[Names] = (),
    speaker: Names = frozenset(),
    proper: frozenset[str] = frozenset(),
    periods: Sequence[Period] = (),
) -> Query:
    """A question of these terms too, among so many rows; a stem that is not in `seen` is in one."""
    terms = (*map(Term, match_terms(text)), *others)
    counted = {stem: 1 for term in terms for stem in term.stems} | dict(seen or {})
    return Query(
        text=text,
        terms=terms,
        named=tuple(named),
        speaker=speaker,
        proper=proper,
        periods=tuple(periods),
        asks=share_that_asks(text),
        counts=Counts({"messages": counted}, {"messages": rows}),
    )


def counted_in(rows: Sequence[Candidate]) -> Counts:
    """In how many of these rows each of their words is, as if they were the whole store."""
    seen = Counter(stem for row in rows for stem in set(row.words.split()))
    return Counts({"messages": seen}, {"messages": len(rows)})


def near(of: int, row: int, offset: int) -> Near:
    """Row `row` stands `offset` places after `of`."""
    return Near(of=UUID(int=of), row=UUID(int=row), offset=offset)


def told(memory: int, message: int) -> Told:
    """A statement was learnt from a message."""
    return Told(memory=UUID(int=memory), message=UUID(int=message))


def tie(start: int, end: int, relation: Relation, weight: float = 1.0) -> Association:
    """One statement tied to another."""
    return Association(
        start=MemoryId(UUID(int=start)),
        end=MemoryId(UUID(int=end)),
        relation=relation,
        weight=weight,
    )


def score(
    rows: Sequence[Candidate],
    asked: Query,
    *,
    near: Sequence[Near] = (),
    told: Sequence[Told] = (),
    ties: Sequence[Association] = (),
    around: Background | None = None,
    weights: Weights | None = None,
) -> Scored:
    """The rows, scored for a question."""
    company = Company(near=tuple(near), told=tuple(told), ties=tuple(ties))
    return scored(rows, asked, around, company, weights or Weights())


def added(signal: str, rows: Sequence[Candidate], asked: Query, **given: Any) -> list[float]:
    """What a signal adds to the score of each row."""
    return [float(each) for each in score(rows, asked, **given).signals[signal]]


def rows_by_table(database: Path) -> dict[str, int]:
    """How many rows each table of a database file has."""
    with closing(sqlite3.connect(database)) as raw:
        tables = raw.execute(
            "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' "
            "AND name NOT LIKE 'sqlite_%' AND name <> 'schema_migrations'"
        ).fetchall()
        return {
            name: raw.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]  # noqa: S608 - its own tables
            for (name,) in tables
        }
