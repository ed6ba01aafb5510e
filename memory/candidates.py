"""Rows as candidates: what a table keeps, in the terms of recall. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from memory.adapters.sqlite.turns import Turn
from memory.model import Collection, Memory, Message, Store
from memory.ports import Hit
from memory.retrieval import Candidate, Section

_SECTIONS = {
    Store.MEMORY: Section.MEMORY,
    Store.SELF: Section.SELF,
    Store.GOALS: Section.GOALS,
}


def listed(source: str, rows: Iterable[Candidate]) -> list[Candidate]:
    """The rows of one source, best first, each with its rank there."""
    return [replace(row, sources={source: rank}) for rank, row in enumerate(rows, start=1)]


def fixed(source: str, memories: Sequence[Memory]) -> list[Candidate]:
    """Statements of one source that need no further evidence."""
    return listed(source, (replace(remembered(one), fixed=True) for one in memories))


def in_order(source: str, hits: Sequence[Hit], rows: Mapping[UUID, Candidate]) -> list[Candidate]:
    """The rows that a search by meaning named, as near as it says."""
    there = [hit for hit in hits if hit.id in rows]
    return [
        replace(rows[hit.id], similarity=hit.similarity, sources={source: rank})
        for rank, hit in enumerate(there, start=1)
    ]


def remembered(memory: Memory) -> Candidate:
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
        used_at=memory.used_at,
    )


def exchanged(turn: Turn) -> Candidate:
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
    )


def overheard(message: Message) -> Candidate:
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
    )
