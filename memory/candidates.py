"""Rows as candidates: what a table keeps, in the terms of recall. Pure."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import TypedDict, TypeVar, Unpack
from uuid import UUID

from memory.adapters.sqlite.turns import Turn
from memory.model import Collection, Knowledge, KnowledgeKind, Memory, Message, Store
from memory.notes import PIECE, around
from memory.ports import Hit
from memory.retrieval import Candidate, Section

T = TypeVar("T")


class Found(TypedDict, total=False):
    """How a candidate was found."""

    sources: dict[str, int]
    similarity: float
    fixed: bool


_SECTIONS = {
    Store.MEMORY: Section.MEMORY,
    Store.SELF: Section.SELF,
    Store.GOALS: Section.GOALS,
}


_KINDS = {
    KnowledgeKind.FACT: Section.MEMORY,
    KnowledgeKind.SUMMARY: Section.SUMMARIES,
    KnowledgeKind.NOTE: Section.NOTES,
}


def remembered(memory: Memory, **found: Unpack[Found]) -> Candidate:
    """A statement."""
    return Candidate(
        section=_SECTIONS[memory.store],
        collection=memory.store.collection,
        id=memory.id,
        revision=memory.revision,
        content=memory.content,
        at=memory.updated_at,
        author=memory.said_by,
        subjects=memory.subjects,
        importance=memory.importance,
        words=memory.words,
        room=memory.origin.room,
        uses=memory.uses,
        **found,
    )


def exchanged(turn: Turn, **found: Unpack[Found]) -> Candidate:
    """An exchange with the pet."""
    return Candidate(
        section=Section.HISTORY,
        collection=Collection.CONVERSATIONS,
        id=turn.id,
        revision=1,
        content=f"{turn.text} → {turn.reply}",
        at=turn.at,
        author=turn.speaker,
        words=turn.words,
        room=turn.room,
        **found,
    )


def overheard(message: Message, **found: Unpack[Found]) -> Candidate:
    """A lobby message."""
    return Candidate(
        section=Section.LIVE,
        collection=Collection.LIVE,
        id=UUID(int=message.id),
        revision=1,
        content=message.text,
        at=message.sent_at,
        author=message.author,
        words=message.words,
        room=message.room,
        **found,
    )


def known(
    row: Knowledge, *, wanted: AbstractSet[str] = frozenset(), **found: Unpack[Found]
) -> Candidate:
    """A core fact, a summary, or a piece of a note cut around the stems that are wanted."""
    return Candidate(
        section=_KINDS[row.kind],
        collection=Collection.KNOWLEDGE,
        id=row.id,
        revision=row.revision,
        content=_told(row, wanted) if row.kind is KnowledgeKind.NOTE else row.content,
        at=row.at,
        words=row.words,
        room=row.origin.room,
        **found,
    )


def held(row: Knowledge, **found: Unpack[Found]) -> Candidate:
    """A core fact about whoever speaks; about others it is one statement among many."""
    return replace(known(row, **found), section=Section.CORE)


def _told(note: Knowledge, wanted: AbstractSet[str]) -> str:
    """A piece of a note with where it stands, as long as a line of notes may be."""
    head = f"{note.title}: " if note.title else ""
    return head + around(note.content, wanted, PIECE - len(head))


def listed(
    source: str, make: Callable[..., Candidate], rows: Iterable[T], *, fixed: bool = False
) -> list[Candidate]:
    """The rows of one source, best first, each with its rank there.

    `fixed` ones need no further evidence.
    """
    return [
        make(row, sources={source: rank}, fixed=fixed) for rank, row in enumerate(rows, start=1)
    ]


def in_order(
    source: str, make: Callable[..., Candidate], hits: Sequence[Hit], rows: Mapping[UUID, T]
) -> list[Candidate]:
    """The rows that a search by meaning named, as near as it says."""
    there = [hit for hit in hits if hit.id in rows]
    return [
        make(rows[hit.id], sources={source: rank}, similarity=hit.similarity)
        for rank, hit in enumerate(there, start=1)
    ]
