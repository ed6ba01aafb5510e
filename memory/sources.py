"""Where candidates come from: the SQL path, full text and vectors, each within a scope."""

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TypeVar
from uuid import UUID

from memory.adapters.sqlite.memories import Memories
from memory.adapters.sqlite.messages import Messages
from memory.adapters.sqlite.turns import Turn, Turns
from memory.model import (
    Collection,
    GoalCategory,
    Memory,
    Message,
    MessageId,
    Room,
    SelfCategory,
    Store,
)
from memory.ports import Clock, Hit, Vectors, VectorSearch
from memory.retrieval import Candidate, Question, Section
from memory.scope import Scope

T = TypeVar("T")

FIXED = 5
"""Rows each query of the SQL path may bring without further evidence."""

_SECTIONS = {
    Store.MEMORY: Section.MEMORY,
    Store.SELF: Section.SELF,
    Store.GOALS: Section.GOALS,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """How far each source looks: rows per source, and how long "recent" is."""

    vector_results: int
    text_results: int
    live_results: int
    recent: timedelta


class Sources:
    """Every way to find a row. Vectors only name ids: each row is read again within the scope."""

    def __init__(
        self,
        memories: Memories,
        messages: Messages,
        turns: Turns,
        index: VectorSearch,
        clock: Clock,
    ) -> None:
        self._memories = memories
        self._messages = messages
        self._turns = turns
        self._index = index
        self._clock = clock

    def of_turn(
        self, question: Question, vector: Vectors | None, reach: Reach
    ) -> Mapping[str, Awaitable[list[Candidate]]]:
        """Every look-up of a pre-hook by name, to be run side by side."""
        text, scope = question.query, question.scope
        found: dict[str, Awaitable[list[Candidate]]] = {
            "speaker": self._about_speaker(question),
            "recent": self._recent(question.room, scope, reach.recent),
            "goals": self._goals_about(question),
            "limitation_text": self._limitations(text, scope),
            "memory_text": self.memories_by_text(text, Store.MEMORY, scope, reach.text_results),
            "history_text": self.turns_by_text(text, scope, reach.text_results),
            "live_text": self.lobby_by_text(text, scope, reach.live_results),
        }
        if vector is not None:
            found |= {
                "memory_vector": self.memories_by_vector(
                    vector, Store.MEMORY, scope, reach.vector_results
                ),
                "history_vector": self.turns_by_vector(vector, scope, reach.vector_results),
                "live_vector": self.lobby_by_vector(vector, scope, reach.live_results),
            }
        return found

    async def memories_by_text(
        self, text: str, store: Store, scope: Scope, limit: int
    ) -> list[Candidate]:
        """Statements that share words with the text, best first."""
        return list(map(_remembered, await self._memories.by_text(text, store, scope, limit)))

    async def memories_by_vector(
        self, vector: Vectors, store: Store, scope: Scope, limit: int
    ) -> list[Candidate]:
        """Statements that mean nearly the same, best first."""
        hits = await self._index.search(store.collection, vector, limit=limit, scope=scope)
        rows = await self._memories.visible([hit.id for hit in hits], scope)
        return _in_order(hits, {row.id: _remembered(row) for row in rows})

    async def turns_by_text(self, text: str, scope: Scope, limit: int) -> list[Candidate]:
        """Earlier exchanges that share words with the text, best first."""
        return list(map(_exchanged, await self._turns.by_text(text, scope, limit)))

    async def turns_by_vector(self, vector: Vectors, scope: Scope, limit: int) -> list[Candidate]:
        """Earlier exchanges that mean nearly the same, best first."""
        hits = await self._index.search(Collection.CONVERSATIONS, vector, limit=limit, scope=scope)
        rows = await self._turns.visible([hit.id for hit in hits], scope)
        return _in_order(hits, {row.id: _exchanged(row) for row in rows})

    async def lobby_by_text(self, text: str, scope: Scope, limit: int) -> list[Candidate]:
        """Lobby messages, digested ones too, that share words with the text, best first."""
        return list(map(_overheard, await self._messages.observed_by_text(text, scope, limit)))

    async def lobby_by_vector(self, vector: Vectors, scope: Scope, limit: int) -> list[Candidate]:
        """Lobby messages since the last digest that mean nearly the same, best first."""
        hits = await self._index.search(Collection.LIVE, vector, limit=limit, scope=scope)
        rows = await self._messages.visible([MessageId(hit.id.int) for hit in hits], scope)
        return _in_order(hits, {UUID(int=row.id): _overheard(row) for row in rows})

    async def _about_speaker(self, question: Question) -> list[Candidate]:
        found = await self._memories.about(
            [question.speaker], Store.MEMORY, question.scope, FIXED, important=True
        )
        return [replace(_remembered(row), fixed=True) for row in found]

    async def _recent(self, room: Room, scope: Scope, window: timedelta) -> list[Candidate]:
        since = self._clock.now() - window
        found = await self._memories.recent(Store.MEMORY, scope, since, FIXED, room=room.id)
        return [replace(_remembered(row), fixed=True) for row in found]

    async def _goals_about(self, question: Question) -> list[Candidate]:
        found = await self._memories.about(
            [question.speaker],
            Store.GOALS,
            question.scope,
            FIXED,
            category=GoalCategory.CONNECTION,
        )
        return [replace(_remembered(row), fixed=True) for row in found]

    async def _limitations(self, text: str, scope: Scope) -> list[Candidate]:
        found = await self._memories.by_text(text, Store.SELF, scope, FIXED)
        return [_remembered(row) for row in found if row.category == SelfCategory.LIMITATION]


def _in_order(hits: Sequence[Hit], rows: Mapping[UUID, Candidate]) -> list[Candidate]:
    return [replace(rows[hit.id], similarity=hit.similarity) for hit in hits if hit.id in rows]


def _remembered(memory: Memory) -> Candidate:
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
    )


def _exchanged(turn: Turn) -> Candidate:
    return Candidate(
        section=Section.HISTORY,
        collection=Collection.CONVERSATIONS,
        id=turn.id,
        revision=1,
        content=f"{turn.text} → {turn.reply}",
        at=turn.at,
        author=turn.speaker,
    )


def _overheard(message: Message) -> Candidate:
    return Candidate(
        section=Section.LIVE,
        collection=Collection.LIVE,
        id=UUID(int=message.id),
        revision=1,
        content=message.text,
        at=message.sent_at,
        author=message.author,
    )
